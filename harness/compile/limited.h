/*
 * Runs compilations in separate processes, with limits on time and memory.
 *
 * A source can keep a compiler busy forever (a constant of 10^12 terms) or make it use all memory,
 * and a compiler can crash. A thread cannot stop another thread that is in a compiler, so compilers
 * run in forked processes that receive requests and return bytes. The parent never calls a compiler
 * itself, so that none of its threads can hold a compiler's lock during a fork.
 *
 * A process handles many requests, one after another, because a fork takes time, as does a
 * compiler's first use of memory. The time limit is for each request. If a process breaks that has
 * handled earlier requests, its last request is tried again in a new process, so that no request
 * fails because of earlier ones. A process is replaced when it keeps too much memory or has handled
 * `turns` requests.
 */
#ifndef REDSWEEP_COMPILE_LIMITED_H
#define REDSWEEP_COMPILE_LIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compile_limits {
    double seconds; /* the time limit of each request */
    /* the memory limit, in addition to the memory that the parent had at the fork */
    int mebibytes;
    int turns; /* how many requests a process handles at most */
};

/*
 * A function that handles a request. The request has `request_length` bytes and a NUL, and the
 * function may change it. It fails with ERROR_MEMORY if it notices that it has exceeded the memory
 * limit.
 */
typedef bool compile_step(const void *context, char *request, size_t request_length, char **bytes,
                          size_t *length, struct error *e);

/* A set of compiling processes. Several threads may use it at the same time. */
struct compile_processes;

/*
 * `context` is passed to `step`. What it points to must not change until compile_processes_free()
 * is called.
 */
struct compile_processes *compile_processes_new(compile_step *step, const void *context);
void compile_processes_free(struct compile_processes *p);

/* Sets the limits of future requests. Ends processes that were started with other limits. */
void compile_processes_limit(struct compile_processes *p, const struct compile_limits *limits);

/*
 * Starts processes until `count` of them wait for requests. Without this call, processes are
 * started when they are needed. But the more memory this process has mapped, the longer a fork
 * takes.
 */
void compile_processes_start(struct compile_processes *p, int count);

/*
 * Lets a process handle a request. The resulting bytes are followed by a NUL, and the caller frees
 * them with free(). If the step fails, compile_limited() fails with the same error. If the process
 * exceeds a limit or crashes, it fails with ERROR_COMPILE and sets `*exceeded`. If the machine has
 * refused to start any process for five seconds, it fails with ERROR_PROCESS.
 */
bool compile_limited(struct compile_processes *p, const char *request, size_t request_length,
                     char **bytes, size_t *length, bool *exceeded, struct error *e);

#endif
