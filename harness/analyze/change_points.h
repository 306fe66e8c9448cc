/*
 * Finds where the mean or the distribution of a series changes: divisive hierarchical estimation with energy
 * statistics.
 *
 *   statistic   Matteson & James, A nonparametric approach for multiple change point analysis of multivariate data,
 *               Journal of the American Statistical Association 109 (2014), with the exponent 1: of a segment split
 *               at t into m and n values, m n / (m + n) (2 A − B − C), A the mean distance between values of the two
 *               parts, B and C within each. The split with the largest one is the candidate.
 *   test        theirs: the same statistic of random orders of the segment's values; p is the share of orders that
 *               reach the observed one, itself included. A significant split divides its segment, and both parts are
 *               searched again.
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
    double before, after; /* means of the segments beside it, once all changes are found */
};

/*
 * Fills `out` (room for `count`) with the changes at significance `alpha`, ascending; returns their number. Fewer
 * than eight values never have a change: at least 2 of 35 orders reach a step among seven.
 */
size_t change_points_find(const double *values, size_t count, double alpha,
                          struct change_point *out);

/*
 * The number of values needed to show a change at significance `alpha`: at least two of their orders, one from
 * either end, reach a step in the middle.
 */
size_t change_points_fewest(double alpha);

#endif
