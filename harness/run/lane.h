/*
 * A lane is one device of a sweep with its worker process. This file gives lanes their jobs; see
 * lane.c.
 */
#ifndef REDSWEEP_RUN_LANE_H
#define REDSWEEP_RUN_LANE_H

#include "run/sweep_state.h"

/*
 * lane_advance() gives an idle lane something to do. If the lane has a batch, it continues with the
 * batch's remaining points. Otherwise it calls `next`, a function of the current stage, which
 * begins a job, or puts a batch into l->batch and begins it. If `next` does neither, the lane stays
 * idle.
 */
typedef bool lane_next(struct lane *l, struct error *e);
bool lane_advance(struct lane *l, lane_next *next, struct error *e);

/*
 * Handles a message from the worker of a busy lane, if one has arrived, or the worker's silence, if
 * it has lasted too long. Does not block.
 */
bool lane_listen(struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
/*
 * Returns the time (awake_now_s()) by which the worker of a busy lane must send its next message.
 * Returns infinity for an idle lane.
 */
double lane_deadline_s(const struct lane *l);

/*
 * Ends a sweep that cannot continue: stores `why` in result->error and kills the sweep's workers.
 * The rows recorded so far are kept.
 */
void sweep_fail(struct sweep *s, const struct error *why);

/* Returns how many lanes of a sweep have a batch. */
int sweep_working(const struct sweep *s);

#endif
