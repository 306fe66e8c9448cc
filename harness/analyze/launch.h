/*
 * Reads from a run's manifest the contexts that the run tried and the step of its clock. From these
 * it computes the margins (problem_offset.h) within which times of two runs may differ although
 * their kernels take equally long.
 *
 * Each session tries several contexts with a tiny launch and uses the fastest. It records the
 * launch time in the context that it used and in the slowest context that it rejected. The range of
 * a run's contexts gives their standard deviation. For two runs, the larger deviation is used. If
 * neither run rejected any contexts, the contexts that the two runs used are compared. Runs that
 * one process measured, as in a gate, share one context, so the standard deviation is 0.
 */
#ifndef REDSWEEP_ANALYZE_LAUNCH_H
#define REDSWEEP_ANALYZE_LAUNCH_H

#include "analyze/problem_offset.h"
#include "analyze/results.h"

/* Returns the margins of two runs. A part that is unknown in both runs is 0. */
struct run_margins launch_margins(const struct results *a, const struct results *b);

#endif
