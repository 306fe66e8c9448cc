/*
 * Allocates memory and never returns NULL, so there is one policy for running out of memory.
 *
 * When memory runs out, the hook is called, which reports what is safe on disk and what to type
 * next. Then the process ends with EXIT_OUT_OF_MEMORY. A parent that sees this code from its worker
 * records the status `oom` for the current point. The few large buffers that a point needs
 * (references, samples, a simulated memory, pinned staging, images) are allocated with malloc()
 * instead, because running out of memory for them is a result and not the end of the program.
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
 * Sets the hook, which is called before the process ends, with the number of bytes that could not
 * be allocated. It must not allocate memory. NULL (the default) prints a plain message on stderr.
 * Returns the old hook.
 */
typedef void memory_hook(size_t bytes);
memory_hook *memory_set_hook(memory_hook *hook);

/*
 * Limits this process: from now on it may map this many more bytes of private writable memory
 * (RLIMIT_DATA); allocations beyond that fail. Sets no limit if the system does not report current
 * usage.
 */
void memory_limit(uint64_t bytes);
/* Removes the limit, for a fork that has its own limits. */
void memory_limit_end(void);

/*
 * Announces that this many bytes will be mapped, some of which may never be used. They do not count
 * towards the limit until memory_limit_count().
 */
void memory_limit_spare(uint64_t bytes);
/*
 * Counts announced bytes again, once they are used or have been unmapped. If more memory is then in
 * use than the limit allows, the process ends as described above. Several threads may call these
 * two functions.
 */
void memory_limit_count(uint64_t bytes);

#endif
