/*
 * The jobs in which a lane opens its device and asks which counters the device has; see job_open.c.
 */
#ifndef REDSWEEP_RUN_JOB_OPEN_H
#define REDSWEEP_RUN_JOB_OPEN_H

#include "run/sweep_state.h"

/*
 * open_begin() starts a worker process that opens the lane's device. The worker must send HELLO
 * within OPEN_LIMIT_S. If the machine cannot start a process, or if the previous worker has not
 * ended yet, the lane waits. After a minute of waiting, open_begin() fails with ERROR_PROCESS.
 * open_hear() handles a message from the new worker.
 */
#define OPEN_LIMIT_S 120.0
bool open_begin(struct lane *l, struct error *e);
bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/*
 * Begins the lane's next job in the stage that opens devices. On the first lane, these jobs also
 * ask the device about its counters, in order to choose the metrics.
 */
bool open_next(struct lane *l, struct error *e);

#define ANSWER_LIMIT_S 120.0
bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress of opening a device or planning. A callback for phase_watch(). */
void open_show_phase(void *sweep, const struct phase *phase);

/*
 * Handles a device that was open before and cannot be opened again, for the reason `why`. This
 * counts like the loss of a worker (lane_count_loss()), and the lane tries again later. If the
 * device had to prove that it still works (l->doubted), the lane fails instead.
 */
void open_failed(struct lane *l, const char *why);

/*
 * Removes the name of the measuring process from the provenance of a gate's two runs. Called when a
 * new worker starts, because then no single process measures both runs.
 */
void sweep_forget_process(struct sweep *s);

#endif
