/*
 * Declares the job of measuring a lane's batch, which lane_batch.c explains.
 */
#ifndef REDSWEEP_RUN_LANE_BATCH_H
#define REDSWEEP_RUN_LANE_BATCH_H

#include "run/sweep_state.h"

/*
 * Begins the batch that a source has put into l->batch. Points that will not be measured get their
 * outcome immediately. These are skipped points, points without code, and points of kernels that
 * were given up.
 */
bool batch_begin(struct lane *l, struct error *e);
void batch_end(struct lane *l);

/* Requests the points that have no outcome yet. The lane's state is then LANE_MEASURING. */
void batch_send(struct lane *l);

/* Handles a message from the worker of a measuring lane. RECEIVED_INTERRUPT means that there is no
 * message yet; a signal may have arrived. */
bool batch_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress and the time left while the worker sends nothing. */
void batch_show_progress(const struct lane *l);

/* Returns for how many seconds the worker may be silent while it measures. */
double batch_silence_limit_s(const struct lane *l);

/*
 * Returns whether the worker has used more CPU time than its points are allowed. Returns false if
 * the device does not bound its own work. Unlike wall time, CPU time does not depend on how busy
 * the machine is.
 */
bool batch_exceeds_cpu(const struct lane *l);

/* Completes a request: gives up kernels, unless the lane is doubted, and writes all rows to
 * disk. */
bool batch_settle(struct lane *l, struct error *e);

/*
 * Counts a lost worker. After too many losses in a row, the lane fails (l->failed), with two
 * exceptions. If the ceilings were measured at the beginning, their kernels are known to be right,
 * and the device may first prove with these kernels that it still works (l->doubted). If a single
 * kernel caused all losses, that kernel is given up instead.
 */
void lane_count_loss(struct lane *l, const char *why);

#endif
