/*
 * What a run's manifest says about the contexts that it tried and about its clock: the margins
 * (problem_offset.h) within which times of two runs may differ though their kernels take the same.
 *
 * Each session tries several contexts with a tiny launch, takes the fastest, and records the launch
 * in the ones that it took and in the slowest one that it did not. The range of the contexts of a
 * run gives their standard deviation; of two runs the larger one counts. Where neither has
 * contexts that it did not take, those of the two runs are compared. Runs that one process measured
 * (a gate's) are of one context: its standard deviation is 0.
 */
#ifndef REDSWEEP_ANALYZE_LAUNCH_H
#define REDSWEEP_ANALYZE_LAUNCH_H

#include "analyze/problem_offset.h"
#include "analyze/results.h"

/* Parts unknown in both runs are 0. */
struct run_margins launch_margins(const struct results *a, const struct results *b);

#endif
