/* The job in which a lane measures a batch of points; see lane_batch.c. */
#ifndef REDSWEEP_RUN_LANE_BATCH_H
#define REDSWEEP_RUN_LANE_BATCH_H

#include "run/sweep_state.h"

/*
 * batch_begin() begins the batch that a source put into l->batch. Points that will not be measured
 * get their outcome immediately: skipped points, points whose variant does not compile, and points
 * of kernels that were given up. batch_end() frees the batch, whether or not it is finished.
 */
bool batch_begin(struct lane *l, struct error *e);
void batch_end(struct lane *l);

/*
 * Asks the worker to measure points of the batch that have no outcome yet, and sets the lane's
 * state to LANE_MEASURING.
 */
void batch_send(struct lane *l);

/*
 * Handles a message, or the lack of one, from the worker of a measuring lane. RECEIVED_INTERRUPT
 * means that no message has arrived yet, but perhaps a signal.
 */
bool batch_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress and the time left while the worker is silent. */
void batch_show_progress(const struct lane *l);

/* Returns how many seconds the worker may spend without sending a message while it measures. */
double batch_silence_limit_s(const struct lane *l);

/*
 * Returns whether the worker has used more CPU time than its points may use. This limit applies
 * only to devices that bound their own work, such as the simulator; for other devices, the function
 * returns false. CPU time, unlike wall time, does not depend on how busy the machine is.
 */
bool batch_exceeds_cpu(const struct lane *l);

/*
 * Called at the end of a request: gives up the kernel that failed too often, if there is one, and
 * writes all rows to disk. While the device must prove that it still works (l->doubted), no kernel
 * is given up.
 */
bool batch_settle(struct lane *l, struct error *e);

/*
 * Counts a lost worker. After three losses in a row without a right result, the lane fails
 * (l->failed), with two exceptions. If the ceilings were measured at the start, the device may
 * prove that it still works by measuring them again (l->doubted). Otherwise, if a single kernel
 * caused all losses, that kernel is given up instead of the lane.
 */
void lane_count_loss(struct lane *l, const char *why);

#endif
