/* A lane's jobs of opening its device and of asking about counters; see job_open.c. */
#ifndef REDSWEEP_RUN_JOB_OPEN_H
#define REDSWEEP_RUN_JOB_OPEN_H

#include "run/sweep_state.h"

/*
 * open_begin() begins to open the lane's device in a new worker, which must say hello within
 * OPEN_LIMIT_S. If the machine cannot start a process, or if the previous worker is still around,
 * the lane waits; after a minute, open_begin() fails with ERROR_PROCESS. open_hear() handles a
 * message from the new worker.
 */
#define OPEN_LIMIT_S 120.0
bool open_begin(struct lane *l, struct error *e);
bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/*
 * Begins the next job in opening the lane's device. On the first lane, these jobs also choose the
 * metrics.
 */
bool open_next(struct lane *l, struct error *e);

#define ANSWER_LIMIT_S 120.0
bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress of opening a device or planning. A callback for phase_watch(). */
void open_show_phase(void *sweep, const struct phase *phase);

/*
 * Handles a device that cannot be opened again, which counts as a loss. The lane then rests, or
 * fails if the device had to prove that it works (l->doubted).
 */
void open_failed(struct lane *l, const char *why);

/* Notes, when a new worker starts, that more than one process measures the two runs of a gate. */
void sweep_forget_process(struct sweep *s);

#endif
