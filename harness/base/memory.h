/*
 * These functions allocate memory and never return NULL, so there is one policy for a lack of
 * memory.
 *
 * When memory runs out, they call the hook, which reports what is safe on disk and what to type
 * next. Then they end the process with EXIT_OUT_OF_MEMORY. A parent that sees this code from its
 * worker records the status `oom` for the current point. A point needs a few large buffers
 * (references, samples, a simulated memory, pinned staging, images). These are allocated with
 * malloc() instead, because a lack of memory for them is a result and not the end of the program.
 */
#ifndef REDSWEEP_BASE_MEMORY_H
#define REDSWEEP_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { EXIT_OUT_OF_MEMORY = 71 };

void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t bytes);
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t length);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Sets the hook. Before the process ends, the hook is called with the number of bytes that could
 * not be allocated. The hook must not allocate memory. NULL (the default) prints a plain message on
 * stderr. Returns the old hook.
 */
typedef void memory_hook(size_t bytes);
memory_hook *memory_set_hook(memory_hook *hook);

/*
 * Limits this process: from now on it may map this many more bytes of private writable memory
 * (RLIMIT_DATA), and allocations beyond that fail. If the system does not report current usage,
 * there is no limit.
 */
void memory_limit(uint64_t bytes);
/* Removes the limit, for a fork that has its own limits. */
void memory_limit_end(void);

/*
 * Announces that this many bytes will be mapped, some of which may never be used. These bytes do
 * not count towards the limit yet.
 */
void memory_limit_spare(uint64_t bytes);
/*
 * Counts announced bytes again, once they are used or have been unmapped. If more memory is then in
 * use than the limit allows, the process ends as described above. Several threads may call these
 * two functions.
 */
void memory_limit_count(uint64_t bytes);

#endif
