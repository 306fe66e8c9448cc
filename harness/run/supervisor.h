/*
 * This is the parent's side of a worker. It starts the worker, sends requests to it and notices its
 * end.
 */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <poll.h>
#include <sys/types.h>

#include "base/text.h"
#include "run/protocol.h"
#include "run/worker.h"

/* The way in which a worker that closed its pipe has ended. */
struct worker_end {
    char how[128];      /* such as "killed by signal 11 (…)"; "" if the worker still ran, or
                           ended with exit code 0 */
    bool out_of_memory; /* the worker's memory was exhausted (base/memory.h) */
    uint64_t bytes;     /* how many bytes it had requested when that happened; 0: unknown */
};

struct supervisor {
    const struct run_setup *setup; /* borrowed from the lane */
    pid_t worker;                  /* the process of the worker; 0: none is running */
    pid_t dying;                   /* the previous worker, which was killed but may still exist;
                                      0: there is none */
    int to_worker, from_worker;
    struct text outgoing; /* a request that the worker has not received completely */
    size_t sent;          /* the number of bytes of `outgoing` that were sent */
    /* when the worker closed its pipe (awake_now_s()); 0: it has not closed it */
    double closed_s;
    bool reaped;                  /* the worker has ended by itself */
    struct worker_end end;        /* the way in which it has ended */
    bool quitting;                /* the worker was asked to quit */
    struct asked asked;           /* the latest request */
    struct incoming incoming;     /* the received part of a message */
    struct worker_shared *shared; /* the memory that the worker shares; NULL: there is none */
    double heard_s;               /* when the worker last sent a message or received a request
                                     (awake_now_s()) */
    struct hello hello;           /* the hello of the latest worker */
};

/* Forks a worker, which opens the device and says hello. The worker dies with its parent, however
 * the parent ends. */
bool supervisor_fork(struct supervisor *s, struct error *e);

/*
 * Handles the first answer of the worker, which should be HELLO. The function kills the worker and
 * fails if no message has arrived in time (RECEIVED_TIMEOUT), if the message is malformed, or if
 * the worker has ended. If the worker refuses, for example because there is no such device, the
 * function returns the worker's own error.
 */
bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e);

/* Asks the worker to quit without waiting for it, so that several workers can quit at the same
 * time. */
void supervisor_quit(struct supervisor *s);

/*
 * Asks the worker to quit, and waits for its end. Kills it if it has not ended after five seconds.
 * After killing it, waits at most another five seconds for its end.
 */
void supervisor_stop(struct supervisor *s);

/*
 * Kills the worker. Does not wait for its end, because a driver may take a long time to release it.
 */
void supervisor_kill(struct supervisor *s);

/* Returns whether the killed worker is gone, so that another worker may open its device. */
bool supervisor_gone(struct supervisor *s);

/*
 * Begins to send a request and does not wait. supervisor_receive() sends the part that the worker
 * has not accepted immediately. If writing fails, the worker has just died, which
 * supervisor_receive() will notice.
 */
void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length);

/*
 * Receives the next message, if it has arrived. The function checks that the message answers the
 * latest request, and returns RECEIVED_MALFORMED if it does not. message_receive() describes the
 * other results. The caller owns the message and frees it with message_free(). A worker that has
 * closed its pipe is given 0.1 s to end, so that its exit status shows the reason. The function
 * returns RECEIVED_INTERRUPT until then, and RECEIVED_END afterwards.
 */
enum received supervisor_receive(struct supervisor *s, struct message *m);

/*
 * Fills in the descriptors that poll() must watch, or −1 for none. supervisor_receive() can
 * continue when one of them is ready. Returns the number of seconds after which it can continue in
 * any case.
 */
#define SUPERVISOR_STEP_S 0.002
double supervisor_waits(const struct supervisor *s, struct pollfd fds[2]);

/* Returns the CPU time in seconds that all threads of the worker have used. Returns 0 if there is
 * no worker. */
double supervisor_cpu_s(const struct supervisor *s);

#endif
