/* The parent's side of a worker: starts it, sends it requests and notices its end. */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <poll.h>
#include <sys/types.h>

#include "base/text.h"
#include "run/protocol.h"
#include "run/worker.h"

/* How a worker that closed its pipe ended. */
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
    struct text outgoing; /* a request that is not completely sent */
    size_t sent;          /* bytes of `outgoing` that were sent */
    /* when the worker closed its pipe (awake_now_s()); 0: it has not */
    double closed_s;
    bool reaped;                  /* the worker ended by itself */
    struct worker_end end;        /* how it ended */
    bool quitting;                /* the worker was asked to quit */
    struct asked asked;           /* the latest request */
    struct incoming incoming;     /* the received part of a message */
    struct worker_shared *shared; /* shared with the worker; may be NULL */
    double heard_s;               /* of the last message or request (awake_now_s()) */
    struct hello hello;           /* from the latest worker */
};

/*
 * Forks a worker, which opens the device and says hello. It dies with its parent, however that
 * ends.
 */
bool supervisor_fork(struct supervisor *s, struct error *e);

/*
 * Handles the worker's first answer, which should be HELLO. Kills the worker and fails if no
 * message arrived in time (RECEIVED_TIMEOUT), the message is malformed, or the worker ended. If the
 * worker refuses, for example because there is no such device, fails with the worker's own error.
 */
bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e);

/* Asks the worker to quit without waiting, so that several can quit at the same time. */
void supervisor_quit(struct supervisor *s);

/*
 * Asks the worker to quit and waits for it. Kills it after five seconds, and then waits for at most
 * another five.
 */
void supervisor_stop(struct supervisor *s);

/* Kills the worker without waiting, because a driver may take long to release it. */
void supervisor_kill(struct supervisor *s);

/* Returns whether the killed worker is gone, so that another worker may open its device. */
bool supervisor_gone(struct supervisor *s);

/*
 * Begins to send a request without blocking. supervisor_receive() sends what the worker does not
 * accept immediately. If writing fails, the worker has just died, which supervisor_receive() will
 * notice.
 */
void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length);

/*
 * Receives the next message, if it has arrived. Returns RECEIVED_MALFORMED if it does not answer
 * the latest request; message_receive() describes the other results. The caller owns the message
 * and frees it with message_free(). A worker that closed its pipe gets 0.1 s to end, so that its
 * exit status shows why. Until then, the result is RECEIVED_INTERRUPT, and RECEIVED_END afterwards.
 */
enum received supervisor_receive(struct supervisor *s, struct message *m);

/*
 * Fills in the descriptors that poll() must watch, or −1 for none. supervisor_receive() can
 * continue when one of them is ready, and in any case after the returned number of seconds.
 */
#define SUPERVISOR_STEP_S 0.002
double supervisor_waits(const struct supervisor *s, struct pollfd fds[2]);

/* Returns the CPU seconds that all threads of the worker have used, or 0 without a worker. */
double supervisor_cpu_s(const struct supervisor *s);

#endif
