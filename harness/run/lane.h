/*
 * Takes a lane from job to job, as lane.c explains.
 */
#ifndef REDSWEEP_RUN_LANE_H
#define REDSWEEP_RUN_LANE_H

#include "run/sweep_state.h"

/*
 * Gives work to an idle lane: the rest of its batch, or a job from the stage's `next`. `next`
 * either begins a job, or puts a batch into l->batch and begins it. If there is nothing to do now,
 * it does neither.
 */
typedef bool lane_next(struct lane *l, struct error *e);
bool lane_advance(struct lane *l, lane_next *next, struct error *e);

/*
 * Receives the messages of a busy lane's worker, or notices that the worker's time has run out.
 * Does not wait.
 */
bool lane_listen(struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
/* Returns the time (awake_now_s()) after which a busy lane's worker is late. */
double lane_deadline_s(const struct lane *l);

/*
 * Ends a sweep that cannot continue. Its rows are kept, its workers end, and result->error says why
 * it cannot continue.
 */
void sweep_fail(struct sweep *s, const struct error *why);

/* Returns how many lanes of a sweep have a batch. */
int sweep_working(const struct sweep *s);

#endif
