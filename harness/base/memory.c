/*
 * Allocation that ends the process when memory runs out: see memory.h.
 */
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static memory_hook *exhausted_hook;

memory_hook *memory_set_hook(memory_hook *hook)
{
    memory_hook *before = exhausted_hook;
    exhausted_hook = hook;
    return before;
}

/* _exit: handlers of atexit() may want memory, too, and a fork must not flush
 * its parent's files. */
static _Noreturn void out_of_memory(size_t bytes)
{
    memory_hook *hook = exhausted_hook;
    exhausted_hook = NULL; /* a hook that runs out of memory itself gets the plain message */
    if (hook)
        hook(bytes);
    else
        dprintf(STDERR_FILENO, "redsweep: out of memory (%zu bytes requested)\n", bytes);
    _exit(EXIT_OUT_OF_MEMORY);
}

void *xmalloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        out_of_memory(bytes);
    return p;
}

void *xcalloc(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes ? bytes : 1);
    if (!p)
        out_of_memory(count * bytes);
    return p;
}

void *xrealloc(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        out_of_memory(bytes);
    return p;
}

char *xstrdup(const char *s)
{
    return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t length)
{
    length = strnlen(s, length);
    char *copy = xmalloc(length + 1);
    memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

char *xasprintf(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    size_t bytes = length < 0 ? 1 : (size_t)length + 1;
    char *s = xmalloc(bytes);
    s[0] = '\0';
    if (length >= 0)
        vsnprintf(s, bytes, format, again);
    va_end(again);
    va_end(arguments);
    return s;
}
