/*
 * Reads from a run's manifest the contexts that it tried and the step of its clock, and computes
 * the margins (problem_offset.h) within which times of two runs may differ although their kernels
 * take equally long.
 *
 * Each session tries several contexts with a tiny launch and takes the fastest. It records the
 * launch time in the contexts that it took and in the slowest one that it did not take. The range
 * of a run's contexts gives their standard deviation; of two runs, the larger one counts. If
 * neither run has contexts that it did not take, those that the two runs took are compared. Runs
 * that one process measured, as in a gate, share one context, so the standard deviation is 0.
 */
#ifndef REDSWEEP_ANALYZE_LAUNCH_H
#define REDSWEEP_ANALYZE_LAUNCH_H

#include "analyze/problem_offset.h"
#include "analyze/results.h"

/* Returns the margins of two runs; parts that are unknown in both are 0. */
struct run_margins launch_margins(const struct results *a, const struct results *b);

#endif
