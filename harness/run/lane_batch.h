/* A lane's job of measuring its batch; see lane_batch.c. */
#ifndef REDSWEEP_RUN_LANE_BATCH_H
#define REDSWEEP_RUN_LANE_BATCH_H

#include "run/sweep_state.h"

/*
 * Begins the batch that a source put into l->batch. Points that will not be measured get their
 * outcome immediately: skipped points, points without code, and points of kernels that were given
 * up.
 */
bool batch_begin(struct lane *l, struct error *e);
void batch_end(struct lane *l);

/* Requests the points that have no outcome yet. The lane's state is then LANE_MEASURING. */
void batch_send(struct lane *l);

/*
 * Handles a message from the worker of a measuring lane. RECEIVED_INTERRUPT means no message yet,
 * but perhaps a signal.
 */
bool batch_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the progress and the time left while the worker is silent. */
void batch_show_progress(const struct lane *l);

/* Returns for how many seconds the worker may be silent while it measures. */
double batch_silence_limit_s(const struct lane *l);

/*
 * Returns whether the worker has used more CPU time than its points are allowed, which unlike wall
 * time does not depend on how busy the machine is. Returns false if the device does not bound its
 * own work.
 */
bool batch_exceeds_cpu(const struct lane *l);

/* Completes a request: gives up kernels, unless the lane is doubted, and writes all rows to
 * disk. */
bool batch_settle(struct lane *l, struct error *e);

/*
 * Counts a lost worker. After too many losses in a row, the lane fails (l->failed), with two
 * exceptions. If the ceilings were measured at the start, their kernels are known to be right, and
 * the device may first prove with them that it still works (l->doubted). If a single kernel caused
 * all losses, that kernel is given up instead.
 */
void lane_count_loss(struct lane *l, const char *why);

#endif
