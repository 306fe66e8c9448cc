/*
 * The jobs of opening a lane's device and of asking for its counters: see job_open.c.
 */
#ifndef REDSWEEP_RUN_JOB_OPEN_H
#define REDSWEEP_RUN_JOB_OPEN_H

#include "run/sweep_state.h"

/* Begins to open the lane's device in a new worker, which must say hello within this time. The lane
 * waits if the machine cannot start a process, or does not release the previous one; ERROR_PROCESS
 * after it has waited for a minute. */
#define OPEN_LIMIT_S 120.0
bool open_begin(struct lane *l, struct error *e);
bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* The next job of a lane until its device is open and, of the first one, the metrics are chosen. */
bool open_next(struct lane *l, struct error *e);

#define ANSWER_LIMIT_S 120.0
bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress of opening a device or planning: for phase_watch(). */
void open_show_phase(void *sweep, const struct phase *phase);

/* A device that was open does not open again: this counts as a loss, and the lane rests; a doubted
 * device is then lost. */
void open_failed(struct lane *l, const char *why);

/* From here on, the two versions of a point may be measured by different processes. */
void sweep_forget_process(struct sweep *s);

#endif
