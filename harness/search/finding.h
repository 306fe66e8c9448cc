/*
 * What a search can state about the points that it did not measure: an estimate from its randomly
 * chosen points.
 */
#ifndef REDSWEEP_SEARCH_FINDING_H
#define REDSWEEP_SEARCH_FINDING_H

#include "record/conditions.h"
#include "search/transfer.h"

/*
 * The finding of a search that is over, from its measurements; `step_us` is the clock's step (0:
 * unknown), within which times are equal. If no point has times, everything but the numbers of
 * points is missing.
 */
void finding_make(const struct transfer_search *t, double step_us, struct search_finding *out);

/* Batches of descent beyond the fewest that every search has, of a search that is recorded. */
double finding_more(const struct search_finding *f, const struct config_search *c);

/*
 * The share of `points` that may be better than the best of `probes` points drawn from them at
 * random without replacement, with a confidence of 95 %: the smallest k / points for which a draw
 * that misses all of the best k has a probability of 5 % or less.
 */
double finding_missed_share(uint32_t points, uint32_t probes);

#endif
