/*
 * Compilations in processes of their own, with a limit of time and memory.
 *
 * A source can keep a compiler busy for ever (a constant of 10^12 terms) or make it use all memory,
 * and a compiler can crash; a thread of the same process could not stop it. Compilers therefore run
 * in forked processes that receive requests and return bytes. They are called only in such forks,
 * so no thread of this process holds one of their locks when it forks.
 *
 * A process serves one request after another, so the cost of a fork, and of the memory that a
 * compiler touches first, is paid once. Each request has the whole limit of time. A request that
 * breaks a process which has served others is tried again in a new one, so that no request fails
 * because of earlier ones. A process that has kept much memory, or has served `turns` requests, is
 * replaced.
 */
#ifndef REDSWEEP_COMPILE_LIMITED_H
#define REDSWEEP_COMPILE_LIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compile_limits {
    double seconds; /* of each request */
    int mebibytes;  /* of memory, beyond what this process had at the fork */
    int turns;      /* requests that one process serves, at most */
};

/*
 * The function that handles a request (length bytes, and a NUL; it may change them). ERROR_MEMORY
 * means the limit of memory, if the function notices it itself.
 */
typedef bool compile_step(const void *context, char *request, size_t request_length, char **bytes,
                          size_t *length, struct error *e);

/* The processes that wait for requests. Used by several threads at once. */
struct compile_processes;

/* `context` is passed to it; both must stay unchanged until compile_processes_free(). */
struct compile_processes *compile_processes_new(compile_step *step, const void *context);
void compile_processes_free(struct compile_processes *p);

/* For future requests; processes that were started under other limits end. */
void compile_processes_limit(struct compile_processes *p, const struct compile_limits *limits);

/*
 * Starts processes until `count` of them wait. Without this call they are started when they are
 * needed; but a fork takes longer the more memory this process has mapped.
 */
void compile_processes_start(struct compile_processes *p, int count);

/*
 * Runs the function; the bytes are the caller's (free()), and a NUL follows them. Fails with the
 * function's own error, with ERROR_COMPILE if the process exceeds a limit (`*exceeded` becomes
 * true) or crashes, or with ERROR_PROCESS if the machine has refused to start any process for five
 * seconds.
 */
bool compile_limited(struct compile_processes *p, const char *request, size_t request_length,
                     char **bytes, size_t *length, bool *exceeded, struct error *e);

#endif
