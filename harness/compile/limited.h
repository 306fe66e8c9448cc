/*
 * A compilation in a process of its own, with a limit of time and memory.
 *
 * A source can keep a compiler busy for ever (a constant of 10^12 terms) or let it take all memory,
 * and a compiler can crash; neither can be stopped inside a process. So each compilation is a fork
 * that sends back its bytes, which costs about a millisecond. Compilers are called in such forks
 * only: no thread of this process holds one of their locks when it forks.
 */
#ifndef REDSWEEP_COMPILE_LIMITED_H
#define REDSWEEP_COMPILE_LIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compile_limits {
    double seconds;
    int mebibytes; /* of memory, besides what this process has */
};

/* What is run. ERROR_MEMORY means the limit of memory, where the step notices it itself. */
typedef bool compile_step(void *context, char **bytes, size_t *length, struct error *e);

/*
 * Runs the step; the bytes are the caller's (free()), a NUL follows them. Fails with the step's own
 * error, or with ERROR_COMPILE when the process exceeds a limit (`*exceeded` becomes true) or
 * crashes.
 */
bool compile_limited(const struct compile_limits *limits, compile_step *step, void *context,
                     char **bytes, size_t *length, bool *exceeded, struct error *e);

#endif
