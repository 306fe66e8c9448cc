/*
 * Host memory that runs out on command: the program is linked so that these functions stand before
 * the C library's (ld --wrap). What the fake GPU itself allocates never fails.
 */
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);

static int left;
static bool failed;

void fake_memory_fail(int k)
{
    left = k;
    failed = false;
}

bool fake_memory_failed(void)
{
    return failed;
}

/* Threads are none of this: what is armed runs on one. */
static bool fails(void)
{
    if (left == 0 || fake_cuda.inside || --left > 0)
        return false;
    failed = true;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __real_realloc(memory, bytes);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}
