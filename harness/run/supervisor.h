/*
 * The parent's side of a worker: starting it, asking it, noticing its end.
 */
#ifndef REDSWEEP_RUN_SUPERVISOR_H
#define REDSWEEP_RUN_SUPERVISOR_H

#include <signal.h>
#include <sys/types.h>

#include "run/protocol.h"
#include "run/worker.h"

struct supervisor {
    const struct run_setup *setup; /* borrowed */
    pid_t worker;                  /* 0: none is running */
    int to_worker, from_worker;
    const volatile sig_atomic_t *stop; /* not 0: the user wants an end; NULL: nobody can say so */
    bool lost;                         /* the worker ended while it was asked something */
    struct hello hello;                /* of the latest worker */
};

/*
 * Forks a worker and waits for its hello. When the worker refuses (no such device, …) its own
 * error is returned. The worker dies with its parent, however that ends.
 */
bool supervisor_start(struct supervisor *s, struct error *e);

/* Asks the worker to quit, and waits; kills it when it does not answer within five seconds. */
void supervisor_stop(struct supervisor *s);

/* Kills the worker at once. Writes how it had ended when it was dead already ("" otherwise). */
void supervisor_kill(struct supervisor *s, char how[128]);

/*
 * Waits for a message, in slices, so that a signal to stop is noticed: RECEIVED_INTERRUPT. The
 * message is the caller's: message_free().
 */
enum received supervisor_await(struct supervisor *s, int limit_ms, struct message *m);

/* One question about a counter: a callback for metrics_resolve(). */
bool supervisor_has_counter(void *supervisor, const char *counter, char why[256]);

/* Passes that the config's metrics need on this device; 0 when unknown. */
int supervisor_passes(struct supervisor *s);

#endif
