/*
 * Makes the finding of a search, which is what a search reports about its group of points: the
 * fastest point, and an estimate of how many points may be faster. The estimate comes from the
 * points that were chosen at random (probes).
 */
#ifndef REDSWEEP_SEARCH_FINDING_H
#define REDSWEEP_SEARCH_FINDING_H

#include "record/conditions.h"
#include "search/transfer.h"

/*
 * Makes the finding from the measurements of a search that has ended. `step_us` is the step of the
 * device's clock in µs, or 0 if it is unknown; times that differ by at most a step count as equal.
 * If no point has times, the finding contains only numbers of points.
 */
void finding_make(const struct transfer_search *t, double step_us, struct search_finding *out);

/*
 * Returns how many batches the descent (see transfer.h) of a recorded search took beyond the
 * minimum.
 */
double finding_more(const struct search_finding *f, const struct config_search *c);

/*
 * Returns the share of `points` that may be faster than the best of `probes` points drawn at random
 * without replacement, with 95 % confidence. Let k be the smallest number for which the probability
 * that no probe is among the best k points is at most 5 %. Then at most k − 1 points are faster
 * than the best probe, and the result is (k − 1) / points.
 */
double finding_missed_share(uint32_t points, uint32_t probes);

#endif
