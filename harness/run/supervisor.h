/*
 * The parent's side of a worker process. A supervisor starts the worker, sends it requests,
 * receives its messages and notices when it ends.
 */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <poll.h>
#include <sys/types.h>

#include "base/text.h"
#include "run/protocol.h"
#include "run/worker.h"

/* How a worker ended. */
struct worker_end {
    char how[128];      /* such as "killed by signal 11 (…)"; "" if it was still running, or
                           exited with 0 */
    bool out_of_memory; /* the worker ran out of memory (base/memory.h) */
    uint64_t bytes;     /* how many bytes it had requested; 0: unknown */
};

struct supervisor {
    const struct run_setup *setup; /* borrowed from the lane */
    pid_t worker;                  /* 0: none is running */
    pid_t dying;                   /* the previous worker, killed but perhaps still around; 0:
                                      none */
    int to_worker, from_worker;
    struct text outgoing; /* a request that has not been sent completely */
    size_t sent;          /* bytes of `outgoing` that were sent */
    /* when the worker closed its pipe (awake_now_s()); 0: it has not */
    double closed_s;
    bool reaped;                  /* the worker ended by itself */
    struct worker_end end;        /* how the latest worker ended */
    bool quitting;                /* MESSAGE_QUIT was sent to the worker */
    struct asked asked;           /* the latest request */
    struct incoming incoming;     /* the part of a message that has been received so far */
    struct worker_shared *shared; /* memory shared with the worker; may be NULL */
    double heard_s;               /* when the last message arrived or the last request was sent
                                     (awake_now_s()) */
    struct hello hello;           /* the HELLO of the latest worker */
};

/*
 * Forks a worker, which opens the device and sends HELLO. When the parent ends for whatever reason,
 * the worker is killed.
 */
bool supervisor_fork(struct supervisor *s, struct error *e);

/*
 * Handles the worker's answer after opening the device, which should be HELLO. In all other cases,
 * it kills the worker and fails. If the worker sent REFUSED, for example because there is no such
 * device, the error is the worker's own.
 */
bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e);

/*
 * Asks the worker to quit. Does not wait until it has, so that several workers can quit at the same
 * time.
 */
void supervisor_quit(struct supervisor *s);

/*
 * Asks the worker to quit, and waits until it has ended. If it has not ended after five seconds,
 * kills it and waits for at most another five seconds.
 */
void supervisor_stop(struct supervisor *s);

/*
 * Kills the worker. Does not wait until it is gone, because a driver may take long to release it.
 */
void supervisor_kill(struct supervisor *s);

/*
 * Returns whether the worker that was killed is gone. Only then may another worker open the device.
 */
bool supervisor_gone(struct supervisor *s);

/*
 * Begins to send a request without blocking. If the worker does not accept all of it immediately,
 * supervisor_receive() sends the rest. A failed write is not an error here: it means that the
 * worker has died, which supervisor_receive() will notice.
 */
void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length);

/*
 * Receives the worker's next message, if it has arrived. The caller owns the message and frees it
 * with message_free(). Returns RECEIVED_MALFORMED if the message does not answer the latest
 * request; message_receive() describes the other results. When a worker has closed its pipe, its
 * exit status shows why, so the worker gets 0.1 s to end. During this time, the function returns
 * RECEIVED_INTERRUPT, and then RECEIVED_END.
 */
enum received supervisor_receive(struct supervisor *s, struct message *m);

/*
 * Fills in the descriptors that poll() must watch (−1: no descriptor). The caller should call
 * supervisor_receive() when one of them is ready, and in any case after the returned number of
 * seconds.
 */
#define SUPERVISOR_STEP_S 0.002
double supervisor_waits(const struct supervisor *s, struct pollfd fds[2]);

/* Returns the CPU seconds that all threads of the worker have used, or 0 without a worker. */
double supervisor_cpu_s(const struct supervisor *s);

#endif
