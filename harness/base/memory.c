/* Implements memory.h. */
#include "base/memory.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static memory_hook *exhausted_hook;

memory_hook *memory_set_hook(memory_hook *hook)
{
    memory_hook *before = exhausted_hook;
    exhausted_hook = hook;
    return before;
}

/*
 * Ends the process with _exit(), because handlers of atexit() may need memory themselves, and a
 * forked process must not flush its parent's files.
 */
static _Noreturn void out_of_memory(size_t bytes)
{
    memory_hook *hook = exhausted_hook;
    exhausted_hook = NULL; /* a hook that itself runs out of memory gets the plain message */
    if (hook)
        hook(bytes);
    else
        dprintf(STDERR_FILENO, "redsweep: out of memory (%zu bytes were requested)\n", bytes);
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

/* ---- A limit of the process ------------------------------------------------------------------ */

static struct rlimit unlimited; /* the limit before memory_limit() */
/* The current soft limit of RLIMIT_DATA, which includes announced bytes; 0 if there is none. */
static uint64_t allowed;
static pthread_mutex_t allowed_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Returns the bytes that this process uses now and that count towards RLIMIT_DATA, or 0 if unknown.
 * The stack is included.
 */
static uint64_t data_bytes(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sets only the soft limit, so that it can be raised again. */
static void set_allowed(void)
{
    struct rlimit now = {allowed < unlimited.rlim_cur ? allowed : unlimited.rlim_cur,
                         unlimited.rlim_max};
    (void)setrlimit(RLIMIT_DATA, &now);
}

void memory_limit(uint64_t bytes)
{
    uint64_t has = data_bytes();
    if (has == 0 || getrlimit(RLIMIT_DATA, &unlimited) != 0)
        return;
    allowed = has + bytes;
    set_allowed();
}

void memory_limit_end(void)
{
    if (allowed)
        (void)setrlimit(RLIMIT_DATA, &unlimited);
    allowed = 0;
}

static void move_allowed(uint64_t more, uint64_t less)
{
    pthread_mutex_lock(&allowed_lock);
    if (allowed) {
        allowed += more - less;
        set_allowed();
    }
    pthread_mutex_unlock(&allowed_lock);
}

void memory_limit_spare(uint64_t bytes)
{
    move_allowed(bytes, 0);
}

void memory_limit_count(uint64_t bytes)
{
    move_allowed(0, bytes);
    if (!allowed)
        return;
    /* Lowering a limit does not affect existing mappings, so one more page is mapped to test it. */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *probe = mmap(NULL, page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED)
        out_of_memory(bytes);
    munmap(probe, page);
}
