/* Judges whether a finished run can be trusted. */
#ifndef REDSWEEP_RUN_JUDGE_H
#define REDSWEEP_RUN_JUDGE_H

#include "run/sweep_state.h"

/*
 * Sets result->drift_pct, and result->doubt if the run cannot be trusted. Prints how the cards
 * compare.
 */
void judge_run(struct sweep *s);

/*
 * Compares an empty kernel and a streaming read, copy and write while all lanes work and while only
 * this one does. Marks the run as doubtful if one of them takes longer while all work.
 */
void judge_ceilings(struct sweep *s, const struct lane *l);

/*
 * Returns by how many percent the same work takes longer when all lanes are working (`together_us`)
 * than when a lane works alone, at the start or at the end of the run, whichever is longer. Returns
 * 0 if the difference is at most 1 %, or too small for the clock. Missing times are NaN.
 */
double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us);

#endif
