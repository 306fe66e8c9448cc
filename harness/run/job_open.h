/*
 * The jobs of opening a lane's device and of asking for its counters: see job_open.c.
 */
#ifndef REDSWEEP_RUN_JOB_OPEN_H
#define REDSWEEP_RUN_JOB_OPEN_H

#include "run/sweep_state.h"

/* Begins to open the lane's device in a new worker, which must say hello within this time. The lane
 * waits if the machine cannot start a process, or has not yet released the previous one; returns
 * ERROR_PROCESS after it has waited for a minute. */
#define OPEN_LIMIT_S 120.0
bool open_begin(struct lane *l, struct error *e);
bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Begins the lane's next job until its device is open and, on the first lane, the metrics are chosen. */
bool open_next(struct lane *l, struct error *e);

#define ANSWER_LIMIT_S 120.0
bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress of opening a device or planning: for phase_watch(). */
void open_show_phase(void *sweep, const struct phase *phase);

/* Handles a device that was open and does not open again: this counts as a loss, and the lane
 * rests. If the device was doubted, it is lost. */
void open_failed(struct lane *l, const char *why);

/* Notes that from now on the two versions of a point may be measured by different processes. */
void sweep_forget_process(struct sweep *s);

#endif
