/*
 * Judges whether a finished run can be trusted.
 */
#ifndef REDSWEEP_RUN_JUDGE_H
#define REDSWEEP_RUN_JUDGE_H

#include "run/sweep_state.h"

/* Sets result->drift_pct, and result->doubt if the run must not be trusted. Prints how the cards
 * compare. */
void judge_run(struct sweep *s);

/*
 * Compares the times of an empty kernel and of a streaming read, copy and write while all lanes
 * work with their times while only this lane works. Marks the run as doubtful if one of them takes
 * longer while all lanes work.
 */
void judge_ceilings(struct sweep *s, const struct lane *l);

/*
 * Returns how much longer, in percent, the same work takes when all lanes are working
 * (`together_us`) than when only one lane is. The time of the lane alone is the longer of the times
 * at the beginning and at the end of the run. Returns 0 if the difference is at most 1 %, or so
 * small that the clock hardly resolves it. A missing time is NaN.
 */
double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us);

#endif
