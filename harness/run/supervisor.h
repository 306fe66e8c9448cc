/*
 * The parent's side of a worker: starting it, asking it, noticing its end.
 */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <sys/types.h>

#include "run/protocol.h"
#include "run/worker.h"

struct supervisor {
    const struct run_setup *setup; /* borrowed */
    pid_t worker;                  /* 0: none is running */
    int to_worker, from_worker;
    bool quitting;                /* it was asked to quit */
    struct asked asked;           /* the latest request */
    struct incoming incoming;     /* what has come of a message */
    struct worker_shared *shared; /* NULL: there is no shared memory */
    double heard_s;               /* awake_now_s() when the worker last spoke, or was asked */
    struct hello hello;           /* of the latest worker */
};

/* Forks a worker, which opens the device and says hello. It dies with its parent, however that
 * ends. */
bool supervisor_fork(struct supervisor *s, struct error *e);

/*
 * Takes the hello, or what came instead of it (RECEIVED_TIMEOUT: nothing, in time). When the worker
 * refuses (no such device, …) its own error is returned.
 */
bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e);

/* Asks the worker to quit, as supervisor_stop() does, without waiting: for several at once. */
void supervisor_quit(struct supervisor *s);

/* Asks the worker to quit, and waits; kills it when it does not answer within five seconds. */
void supervisor_stop(struct supervisor *s);

/* How a worker had ended before it was killed. */
struct worker_end {
    char how[128];      /* "killed by signal 11 (…)"; "" when it was still running */
    bool out_of_memory; /* it ended as base/memory.h says … */
    uint64_t bytes;     /* … and wanted this many bytes; 0: unknown */
};

/* Kills the worker at once; `end` may be NULL. */
void supervisor_kill(struct supervisor *s, struct worker_end *end);

/* Sends a request. A failed write means a worker that just died: listening will find out. */
void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length);

/*
 * The next message, valid as an answer to the latest request (RECEIVED_MALFORMED otherwise; see
 * message_receive() for the rest). The message is the caller's: message_free().
 */
enum received supervisor_receive(struct supervisor *s, int timeout_ms, struct message *m);

/* Seconds of CPU time that the worker's threads have used together; 0: there is no worker. */
double supervisor_cpu_s(const struct supervisor *s);

#endif
