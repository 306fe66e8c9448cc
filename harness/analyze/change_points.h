/*
 * Finds where the mean or the distribution of a series changes. The method is divisive hierarchical
 * estimation with energy statistics.
 *
 *   statistic   Matteson & James, A nonparametric approach for multiple change point analysis of
 *               multivariate data, Journal of the American Statistical Association 109 (2014), with
 *               the exponent 1. If a segment is split into m and n values, the statistic is m n /
 *               (m + n) (2 A − B − C). A is the mean distance between values of different parts. B
 *               and C are the mean distances within each part. The split with the largest statistic
 *               is the candidate.
 *   test        The test is from the same paper. It computes the same statistic for random orders
 *               of the segment's values. p is the share of orders, including the observed one, that
 *               reach the observed statistic. A significant split divides its segment, and both
 *               parts are searched for further splits.
 *
 * Daly et al., The use of change point detection to identify software performance regressions in a
 * continuous integration system (ICPE 2020), report how well this method works for histories of
 * benchmarks. The seed of the random orders is fixed, so that the same series always gives the same
 * result.
 */
#ifndef REDSWEEP_ANALYZE_CHANGE_POINTS_H
#define REDSWEEP_ANALYZE_CHANGE_POINTS_H

#include <stddef.h>

struct change_point {
    size_t at; /* the first value after the change */
    double p;
    double before, after; /* the means of the final segments before and after the change */
};

/*
 * Finds the changes at significance `alpha`, writes them to `out` in ascending order, and returns
 * their number. `out` must have space for `count` changes. In fewer than eight values, no change is
 * significant. For example, a step in seven values has 35 distinct orders, of which at least 2
 * reach the step's statistic.
 */
size_t change_points_find(const double *values, size_t count, double alpha,
                          struct change_point *out);

/*
 * Returns the smallest number of values in which a change can be significant at `alpha`. It is
 * derived from a step in the middle: at least two orders, the rising and the falling one, reach the
 * statistic of this step.
 */
size_t change_points_fewest(double alpha);

#endif
