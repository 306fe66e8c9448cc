/*
 * Runs compilations in processes of their own, with limits on time and memory.
 *
 * A source can keep a compiler busy forever (a constant of 10^12 terms) or make it use all memory,
 * and a compiler can crash. Another thread in the same process could not stop it, so compilers run
 * in forked processes that receive requests and return bytes. They are called only there, so that
 * no thread of the parent holds one of their locks when it forks.
 *
 * A process handles one request after another, so the cost of a fork, and of the memory that a
 * compiler touches for the first time, is paid once. Each request has the whole time limit. If a
 * process that has handled other requests breaks, its last request is tried again in a new process,
 * so that no request fails because of earlier ones. A process that keeps too much memory, or has
 * handled `turns` requests, is replaced.
 */
#ifndef REDSWEEP_COMPILE_LIMITED_H
#define REDSWEEP_COMPILE_LIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compile_limits {
    double seconds; /* per request */
    int mebibytes;  /* in addition to the parent process's memory at the fork */
    int turns;      /* at most this many requests per process */
};

/*
 * Handles a request of `request_length` bytes and a NUL, which it may change. ERROR_MEMORY means
 * that the function itself noticed that it exceeded the memory limit.
 */
typedef bool compile_step(const void *context, char *request, size_t request_length, char **bytes,
                          size_t *length, struct error *e);

/* Processes that wait for requests. Several threads may use them at once. */
struct compile_processes;

/* `context` is passed to `step`. Both must stay unchanged until compile_processes_free(). */
struct compile_processes *compile_processes_new(compile_step *step, const void *context);
void compile_processes_free(struct compile_processes *p);

/* Sets the limits of future requests. Ends processes that were started with other limits. */
void compile_processes_limit(struct compile_processes *p, const struct compile_limits *limits);

/*
 * Starts processes until `count` of them wait. Without this call, they are started when needed, but
 * a fork takes longer the more memory this process has mapped.
 */
void compile_processes_start(struct compile_processes *p, int count);

/*
 * Runs the step on a request. A NUL follows the resulting bytes, which the caller frees with
 * free(). If the step fails, fails with the same error. If the process exceeds a limit or crashes,
 * fails with ERROR_COMPILE and sets `*exceeded`. If the machine has refused to start any process
 * for five seconds, fails with ERROR_PROCESS.
 */
bool compile_limited(struct compile_processes *p, const char *request, size_t request_length,
                     char **bytes, size_t *length, bool *exceeded, struct error *e);

#endif
