/*
 * Reads from a run's manifest which contexts the run tried, and the step of its clock. From these,
 * it computes the margins (problem_offset.h) by which times of two runs may differ even if the
 * kernels take equally long.
 *
 * Each session measures a tiny launch in several contexts and uses the fastest context. It records
 * the launch time in this context and in the slowest context that it rejected. The range of these
 * times over all contexts of a run gives their standard deviation. For two runs, the larger
 * standard deviation is used. If neither run rejected a context, the launch times in the two
 * contexts that were used give the range. In a gate, one process measures both runs in one context,
 * so the standard deviation is 0.
 */
#ifndef REDSWEEP_ANALYZE_LAUNCH_H
#define REDSWEEP_ANALYZE_LAUNCH_H

#include "analyze/problem_offset.h"
#include "analyze/results.h"

/* Returns the margins of two runs. A margin that is unknown in both runs is 0. */
struct run_margins launch_margins(const struct results *a, const struct results *b);

#endif
