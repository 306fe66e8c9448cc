/*
 * The job of measuring a lane's batch: see lane_batch.c.
 */
#ifndef REDSWEEP_RUN_LANE_BATCH_H
#define REDSWEEP_RUN_LANE_BATCH_H

#include "run/sweep_state.h"

/*
 * Begins the batch that a source has put into l->batch: points that are not measured (skipped ones,
 * those without code, those of kernels that were given up) get their outcome.
 */
bool batch_begin(struct lane *l, struct error *e);
void batch_end(struct lane *l);

/* Sends the points that have no outcome yet; the lane is then LANE_MEASURING. */
void batch_send(struct lane *l);

/* Handles a message from a measuring lane's worker. RECEIVED_INTERRUPT means that there was no
 * message, but a signal. */
bool batch_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

/* Shows the time left while the worker sends nothing. */
void batch_show_progress(const struct lane *l);

/* Returns how long the worker may be silent while it measures. */
double batch_silence_limit_s(const struct lane *l);

/* Whether the worker of a device that bounds its own work has used more CPU time than its points
 * may. Unlike wall time, CPU time does not depend on how busy the machine is. */
bool batch_exceeds_cpu(const struct lane *l);

/* Ends a request, unless the lane is doubted: gives kernels up, and writes all rows to disk. */
bool batch_settle(struct lane *l, struct error *e);

/*
 * Counts a lost worker. Too many losses in a row make the lane fail (l->failed), with two
 * exceptions: the device still runs kernels known to be right, which it then has to prove
 * (l->doubted), or a single kernel, which is given up, caused all losses.
 */
void lane_count_loss(struct lane *l, const char *why);

#endif
