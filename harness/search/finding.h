/*
 * Makes the finding of a search. The finding also estimates, from randomly chosen points, what
 * share of the points may be faster than the winner.
 */
#ifndef REDSWEEP_SEARCH_FINDING_H
#define REDSWEEP_SEARCH_FINDING_H

#include "record/conditions.h"
#include "search/transfer.h"

/*
 * Makes the finding of a search that has ended, from its measurements. `step_us` is the step of the
 * device's clock (0: unknown); times within one step are treated as equal. If no point has times,
 * the finding contains only numbers of points.
 */
void finding_make(const struct transfer_search *t, double step_us, struct search_finding *out);

/* Returns the number of batches beyond the minimum in the descent of a recorded search. */
double finding_more(const struct search_finding *f, const struct config_search *c);

/*
 * Returns the share of `points` that may be faster than the best of `probes` points, at a
 * confidence of 95 %. The probes are drawn at random without replacement. Let k be the smallest
 * number for which a draw misses all of the best k points with a probability of at most 5 %. Then
 * at most k − 1 points are faster, and the function returns (k − 1) / points.
 */
double finding_missed_share(uint32_t points, uint32_t probes);

#endif
