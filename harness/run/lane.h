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
typedef bool lane_next(struct sweep *s, struct lane *l, struct error *e);
bool lane_advance(struct sweep *s, struct lane *l, lane_next *next, struct error *e);

/* Takes what a busy lane's worker has sent, or notices that its time is over. Does not wait. */
bool lane_listen(struct sweep *s, struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
double lane_deadline_s(const struct sweep *s, const struct lane *l); /* as awake_now_s() */

/* How many lanes of a sweep have a batch. */
int sweep_working(const struct sweep *s);

/* Waits for the hello of a worker that is forked already, and notes what its context is like. */
bool lane_await_start(struct lane *l, struct error *e);

/* From here on no two versions of a point are known to be measured by one process. */
void sweep_forget_process(struct sweep *s);

#endif
