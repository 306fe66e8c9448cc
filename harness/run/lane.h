/* Takes a lane from job to job; see lane.c. */
#ifndef REDSWEEP_RUN_LANE_H
#define REDSWEEP_RUN_LANE_H

#include "run/sweep_state.h"

/*
 * Gives an idle lane work: the rest of its batch, or a job from the stage's `next`, which begins a
 * job, puts a batch into l->batch and begins it, or does neither if there is nothing to do now.
 */
typedef bool lane_next(struct lane *l, struct error *e);
bool lane_advance(struct lane *l, lane_next *next, struct error *e);

/* Receives the messages of a busy lane's worker, or notices that its time is up. Does not block. */
bool lane_listen(struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
/* Returns the time (awake_now_s()) after which a busy lane's worker is late. */
double lane_deadline_s(const struct lane *l);

/*
 * Ends a sweep that cannot continue: its rows are kept, its workers end, and result->error says
 * why.
 */
void sweep_fail(struct sweep *s, const struct error *why);

/* Returns how many lanes of a sweep have a batch. */
int sweep_working(const struct sweep *s);

#endif
