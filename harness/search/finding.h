/*
 * Makes the finding of a search: its winner, and an estimate from random points of how many points
 * may be faster.
 */
#ifndef REDSWEEP_SEARCH_FINDING_H
#define REDSWEEP_SEARCH_FINDING_H

#include "record/conditions.h"
#include "search/transfer.h"

/*
 * Makes the finding of a search that has ended from its measurements. `step_us` is the device's
 * clock step (0: unknown); times within a step count as equal. If no point has times, the finding
 * has only numbers of points.
 */
void finding_make(const struct transfer_search *t, double step_us, struct search_finding *out);

/* Returns how many batches beyond the minimum the descent of a recorded search took. */
double finding_more(const struct search_finding *f, const struct config_search *c);

/*
 * Returns the share of `points` that may be faster than the best of `probes` points drawn at random
 * without replacement, with 95 % confidence. Let k be the smallest number such that a draw misses
 * all of the best k points with a probability of at most 5 %. Then at most k − 1 points are faster,
 * and the result is (k − 1) / points.
 */
double finding_missed_share(uint32_t points, uint32_t probes);

#endif
