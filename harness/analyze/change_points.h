/*
 * Finds where the mean or the distribution of a series changes, by divisive hierarchical estimation
 * with energy statistics.
 *
 *   statistic   Matteson & James, A nonparametric approach for multiple change point analysis of
 *               multivariate data, Journal of the American Statistical Association 109 (2014), with
 *               the exponent α = 1. If a segment is split into m and n values, the statistic is m n
 *               / (m + n) (2 A − B − C). A is the mean distance between values in different parts;
 *               B and C are the mean distances within the two parts. The split with the largest
 *               statistic is tested.
 *   test        A permutation test from the same paper. p is the share of random orders of the
 *               segment's values, including the observed order, that reach the observed statistic.
 *               A significant split divides its segment, and both parts are searched for further
 *               splits.
 *
 * Daly et al., The use of change point detection to identify software performance regressions in a
 * continuous integration system (ICPE 2020), report how well this works for benchmark histories.
 * The random seed is fixed, so the same series always gives the same result.
 */
#ifndef REDSWEEP_ANALYZE_CHANGE_POINTS_H
#define REDSWEEP_ANALYZE_CHANGE_POINTS_H

#include <stddef.h>

struct change_point {
    size_t at; /* the index of the first value after the change */
    double p;
    double before, after; /* the means of the segments on either side */
};

/*
 * Finds the changes at significance `alpha`, writes them to `out` in ascending order, and returns
 * how many there are. `out` needs room for `count` changes. In fewer than eight values, finds no
 * changes, because none could be significant at 5 %: seven values with a step, for example, have 35
 * distinct orders, and at least 2 of these reach the step's statistic.
 */
size_t change_points_find(const double *values, size_t count, double alpha,
                          struct change_point *out);

/*
 * Returns how many values a series must have at least for a change to be significant at `alpha`.
 * The change with the smallest p is a step in the middle, whose statistic only two orders reach:
 * the rising and the falling one.
 */
size_t change_points_fewest(double alpha);

#endif
