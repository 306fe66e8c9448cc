/* Judges whether a finished run can be trusted. */
#ifndef REDSWEEP_RUN_JUDGE_H
#define REDSWEEP_RUN_JUDGE_H

#include "run/sweep_state.h"

/*
 * Sets result->drift_pct to the change in bandwidth during the run. If the run cannot be trusted,
 * stores the reason in result->doubt. If several cards measured, prints a comparison of them.
 */
void judge_run(struct sweep *s);

/*
 * Compares the times of an empty kernel and of a streaming read, copy and write in two situations:
 * while all lanes work, and while only the lane `l` does. Marks the run as doubtful if one of the
 * four takes longer while all lanes work.
 */
void judge_ceilings(struct sweep *s, const struct lane *l);

/*
 * Returns by how many percent a piece of work takes longer while all lanes work (`together_us`)
 * than while its lane works alone. The time alone was measured at the start (`start_us`) and at the
 * end of the run (`end_us`), and the longer one is used. Returns 0 if the difference is at most 1
 * %, or at most two steps of the clock (`step_us`). Missing times are NaN.
 */
double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us);

#endif
