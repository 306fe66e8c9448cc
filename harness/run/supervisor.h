/*
 * The parent's side of a worker: starts it, sends requests, notices its end.
 */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <poll.h>
#include <sys/types.h>

#include "base/text.h"
#include "run/protocol.h"
#include "run/worker.h"

/* How a worker that closed its pipe had ended. */
struct worker_end {
    char how[128];      /* "killed by signal 11 (…)"; "" if it was still running */
    bool out_of_memory; /* it ended for the reason in base/memory.h … */
    uint64_t bytes;     /* … when it needed this many bytes; 0: unknown */
};

struct supervisor {
    const struct run_setup *setup; /* borrowed */
    pid_t worker;                  /* 0: none is running */
    pid_t dying;                   /* the previous one, killed but possibly not gone; 0: none */
    int to_worker, from_worker;
    struct text outgoing;         /* a request that the worker has not completely taken … */
    size_t sent;                  /* … but so much */
    double closed_s;              /* when it closed its pipe, as awake_now_s(); 0: it has not */
    bool reaped;                  /* it has ended by itself … */
    struct worker_end end;        /* … in this way */
    bool quitting;                /* it was asked to quit */
    struct asked asked;           /* the latest request */
    struct incoming incoming;     /* the received part of a message */
    struct worker_shared *shared; /* NULL: there is no shared memory */
    double heard_s;               /* awake_now_s() when the worker last spoke, or was asked */
    struct hello hello;           /* of the latest worker */
};

/* Forks a worker, which opens the device and says hello. It dies with its parent, however that
 * ends. */
bool supervisor_fork(struct supervisor *s, struct error *e);

/*
 * Receives the hello, or another message instead (RECEIVED_TIMEOUT: none in time). When the worker
 * refuses (no such device, …) its own error is returned.
 */
bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e);

/* Asks the worker to quit, as supervisor_stop() does, without waiting: for several at once. */
void supervisor_quit(struct supervisor *s);

/* Asks the worker to quit, and waits for its end; kills it if it has not ended after five seconds.
 * One that was killed before is waited for as long. */
void supervisor_stop(struct supervisor *s);

/* Kills the worker without waiting, because a driver may take long to release it. */
void supervisor_kill(struct supervisor *s);

/* Whether the killed worker is gone, so that another one may open its device. */
bool supervisor_gone(struct supervisor *s);

/*
 * Begins to send a request without waiting: supervisor_receive() sends the part that the worker did
 * not take at once. A failed write means that the worker just died, which receiving will show.
 */
void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length);

/*
 * The next message if it has come, checked as an answer to the latest request (RECEIVED_MALFORMED
 * otherwise; for the rest see message_receive()). The message is the caller's: message_free(). A
 * worker that closes its pipe has 0.1 s to end, so that its status says why: until then
 * RECEIVED_INTERRUPT, then RECEIVED_END.
 */
enum received supervisor_receive(struct supervisor *s, struct message *m);

/* The descriptors that poll() must wait for until supervisor_receive() can continue (−1: none), and
 * the seconds after which it can continue without them. */
#define SUPERVISOR_STEP_S 0.002
double supervisor_waits(const struct supervisor *s, struct pollfd fds[2]);

/* Seconds of CPU time that the worker's threads have used together; 0 if there is no worker. */
double supervisor_cpu_s(const struct supervisor *s);

#endif
