/*
 * Computes the margins (problem_offset.h) by which times of two runs may differ even if the kernels
 * take equally long. The margins follow from the contexts that the runs tried and from the steps of
 * their clocks, which the manifests record.
 *
 * Each session times a tiny launch in several contexts and keeps the fastest context. It records
 * the launch times in this context and in the slowest context that it rejected. The range of these
 * times over all contexts of a run gives the standard deviation between contexts. If the two runs
 * have different standard deviations, the larger one is used. If neither run rejected a context,
 * the range is that of the two contexts used. In a gate, one process measures both runs in one
 * context, so the standard deviation is 0.
 */
#ifndef REDSWEEP_ANALYZE_LAUNCH_H
#define REDSWEEP_ANALYZE_LAUNCH_H

#include "analyze/problem_offset.h"
#include "analyze/results.h"

/*
 * Returns the margins of two runs. The members are 0 if neither run records what they follow from.
 */
struct run_margins launch_margins(const struct results *a, const struct results *b);

#endif
