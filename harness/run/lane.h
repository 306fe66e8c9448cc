/*
 * A lane from job to job: see lane.c.
 */
#ifndef REDSWEEP_RUN_LANE_H
#define REDSWEEP_RUN_LANE_H

#include "run/sweep_state.h"

/*
 * Gives an idle lane something to do: the rest of its batch, or what the stage's `next` has for
 * it. `next` either begins a job, or puts a batch into l->batch and begins it, or does neither:
 * then there is nothing (for now).
 */
typedef bool lane_next(struct lane *l, struct error *e);
bool lane_advance(struct lane *l, lane_next *next, struct error *e);

/* Takes what a busy lane's worker has sent, or notices that its time is over. Does not wait. */
bool lane_listen(struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
double lane_deadline_s(const struct lane *l); /* as awake_now_s() */

/* It cannot go on: what it has recorded stays, its workers end, and result->error says why. */
void sweep_fail(struct sweep *s, const struct error *why);

/* How many lanes of a sweep have a batch. */
int sweep_working(const struct sweep *s);

#endif
