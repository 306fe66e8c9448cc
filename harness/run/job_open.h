/*
 * Declares the jobs of opening a lane's device and of asking it for its counters, which job_open.c
 * explains.
 */
#ifndef REDSWEEP_RUN_JOB_OPEN_H
#define REDSWEEP_RUN_JOB_OPEN_H

#include "run/sweep_state.h"

/*
 * open_begin() begins to open the lane's device in a new worker, which must say hello within
 * OPEN_LIMIT_S. The lane waits if the machine cannot start a process, or if the previous worker has
 * not disappeared yet. After a minute of waiting, the function fails with ERROR_PROCESS.
 * open_hear() handles a message of the new worker.
 */
#define OPEN_LIMIT_S 120.0
bool open_begin(struct lane *l, struct error *e);
bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/*
 * Begins the next job that the lane needs to open its device. On the first lane, these jobs also
 * choose the metrics.
 */
bool open_next(struct lane *l, struct error *e);

#define ANSWER_LIMIT_S 120.0
bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress of opening a device or of planning. It is a callback for phase_watch(). */
void open_show_phase(void *sweep, const struct phase *phase);

/*
 * Handles a device that was open and cannot be opened again. This is treated as a loss. The lane
 * then rests, or fails if the device had to prove that it works (l->doubted).
 */
void open_failed(struct lane *l, const char *why);

/* Clears the flag that says that one process has measured both runs of a gate. It is called when a
 * new worker starts. */
void sweep_forget_process(struct sweep *s);

#endif
