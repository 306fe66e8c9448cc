/* Makes chosen host allocations fail (see failing_memory.h). */
#include "failing_memory.h"

#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);

int failing_memory_spared;
static int left; /* how many allocations remain until one fails; 0 if none will fail */
static bool failed;

void failing_memory_arm(int k)
{
    left = k;
    failed = failed && k == 0;
}

bool failing_memory_failed(void)
{
    return failed;
}

/* Returns whether this allocation must fail. Only allocations of the thread that called
 * failing_memory_arm() count. */
static bool fails(void)
{
    if (left == 0 || failing_memory_spared > 0 || --left > 0)
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
