/*
 * Compilations in processes of their own, with a limit of time and memory.
 *
 * A source can keep a compiler busy for ever (a constant of 10^12 terms) or let it take all memory,
 * and a compiler can crash; neither can be stopped inside a process. So compilers run in forks that
 * are sent requests and send back bytes. Compilers are called in such forks only: no thread of this
 * process holds one of their locks when it forks.
 *
 * A process serves one request after the other: what a fork costs, and the memory that a compiler
 * touches first, is paid once. Each request has the whole limit of time. One that breaks a process
 * which has served others is tried again in a fresh one, so that no request fails for what those
 * before it left behind. A process that has kept much memory, or has served `turns` requests, is
 * replaced.
 */
#ifndef REDSWEEP_COMPILE_LIMITED_H
#define REDSWEEP_COMPILE_LIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compile_limits {
    double seconds; /* of each request */
    int mebibytes;  /* of memory, besides what this process had when the other was forked */
    int turns;      /* requests that one process serves, at most */
};

/*
 * What is run for a request (length bytes, and a NUL; they may be changed). ERROR_MEMORY means the
 * limit of memory, where the step notices it itself.
 */
typedef bool compile_step(const void *context, char *request, size_t request_length, char **bytes,
                          size_t *length, struct error *e);

/* The processes that wait for requests. Used by several threads at once. */
struct compile_processes;

/* `context` is the step's; both must be as they are until compile_processes_free(). */
struct compile_processes *compile_processes_new(compile_step *step, const void *context);
void compile_processes_free(struct compile_processes *p);

/* For requests to come; processes that were started under others end. */
void compile_processes_limit(struct compile_processes *p, const struct compile_limits *limits);

/*
 * Starts processes until `count` of them wait. Without it they are started as they are needed; but
 * a fork takes the longer the more memory this process has mapped.
 */
void compile_processes_start(struct compile_processes *p, int count);

/*
 * Runs the step; the bytes are the caller's (free()), a NUL follows them. Fails with the step's own
 * error, or with ERROR_COMPILE when the process exceeds a limit (`*exceeded` becomes true) or
 * crashes, or with ERROR_PROCESS when the machine has refused to start any for five seconds.
 */
bool compile_limited(struct compile_processes *p, const char *request, size_t request_length,
                     char **bytes, size_t *length, bool *exceeded, struct error *e);

#endif
