/*
 * Finds where the mean or the distribution of a series changes: divisive hierarchical estimation with energy
 * statistics.
 *
 *   statistic   Matteson & James, A nonparametric approach for multiple change point analysis of multivariate data,
 *               Journal of the American Statistical Association 109 (2014), with the exponent 1. If a segment is split
 *               into m and n values, it is m n / (m + n) (2 A − B − C), where A is the mean distance between values of
 *               different parts, B and C those within each. The split with the largest statistic is the candidate.
 *   test        as in that paper: the same statistic of random orders of the segment's values. p is the share of
 *               orders, including the observed one, that reach the observed statistic. A significant split divides
 *               its segment, and both parts are searched again.
 *
 * Daly et al., The use of change point detection to identify software performance regressions in a continuous
 * integration system (ICPE 2020), report how well it works for histories of benchmarks. Random orders come from a
 * fixed seed, so that the same series always gives the same answer.
 */
#ifndef REDSWEEP_ANALYZE_CHANGE_POINTS_H
#define REDSWEEP_ANALYZE_CHANGE_POINTS_H

#include <stddef.h>

struct change_point {
    size_t at; /* the first value after the change */
    double p;
    double before, after; /* means of the final segments on its two sides */
};

/*
 * Fills `out` (room for `count`) with the changes at significance `alpha`, ascending; returns their number. Fewer
 * than eight values never have a change: of seven values, at least 2 of 35 orders reach the statistic of a step.
 */
size_t change_points_find(const double *values, size_t count, double alpha,
                          struct change_point *out);

/*
 * Returns the number of values needed to show a change at significance `alpha`: at least two of their orders,
 * rising and falling, reach the statistic of a step in the middle.
 */
size_t change_points_fewest(double alpha);

#endif
