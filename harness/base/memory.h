/*
 * Functions that allocate memory and never return NULL.
 *
 * When memory runs out, they call the hook that memory_set_hook() has set, which tells the user
 * what is safe on disk and how to continue. Then the process ends with EXIT_OUT_OF_MEMORY. A parent
 * that sees this code from its worker records the status `oom` for the current point. The few large
 * buffers that a point needs (references, samples, a simulated memory, pinned staging, images) are
 * allocated with malloc() instead, because a point whose buffers do not fit is a result, and the
 * sweep goes on.
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
 * Limits the memory of this process: from now on it may map `bytes` more bytes of private writable
 * memory (RLIMIT_DATA). Allocations beyond that fail. Sets no limit if the system does not report
 * current usage.
 */
void memory_limit(uint64_t bytes);
/* Removes the limit, in a forked process that sets limits of its own. */
void memory_limit_end(void);

/*
 * Announces that `bytes` bytes will be mapped, some of which may never be used. They do not count
 * towards the limit until memory_limit_count() is called.
 */
void memory_limit_spare(uint64_t bytes);
/*
 * Ends the exception for `bytes` announced bytes, which have been used or unmapped by now. If more
 * memory is then in use than the limit allows, the process ends as described above. Several threads
 * may call these two functions.
 */
void memory_limit_count(uint64_t bytes);

#endif
