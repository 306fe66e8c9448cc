/*
 * Decides whether a run that is over can be trusted.
 */
#ifndef REDSWEEP_RUN_JUDGE_H
#define REDSWEEP_RUN_JUDGE_H

#include "run/sweep_state.h"

/* Fills result->drift_pct, and result->doubt if there is a doubt; shows how cards compare. */
void judge_run(struct sweep *s);

/* Doubts the run if something takes longer on this lane while the others work. */
void judge_ceilings(struct sweep *s, const struct lane *l);

/*
 * Returns by how many percent something takes longer together than alone (the slower of beginning
 * and end); 0 if it does not, or by no more than the clock resolves. Missing values are NaN.
 */
double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us);

#endif
