/*
 * Judges differences between the times of points. Some of the functions also judge cells and
 * kernels.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_POINTS_H
#define REDSWEEP_ANALYZE_TIMES_POINTS_H

#include "analyze/times.h"

/* The standard error of a logarithm, with its degrees of freedom. */
struct spread {
    double error, freedom;
};

/* Combines two independent errors, with Satterthwaite's degrees of freedom. */
struct spread spread_together(struct spread a, struct spread b);
/* Returns the quantile of Student's t distribution for the two-sided p. */
double spread_quantile(double p, double freedom);

/*
 * Returns b / a after half of `us` is added to a and half is subtracted from b. Swapping a and b
 * and negating `us` gives the reciprocal.
 */
struct estimate pair_ratio_moved(const struct timed_pair *pair, double us);
/*
 * Returns by how much the logarithm of the ratio moves away from 0 if the two times move apart by
 * `us`. Infinite if `us` is at least the sum of the two times.
 */
double pair_widening(const struct timed_pair *pair, double us);
/* Returns the degrees of freedom of a pair's standard error. */
double pair_freedom(const struct timed_pair *pair);
/*
 * Returns whether each side has several processes. Without them, there is no telling whether a
 * point, or a kernel in one problem, moves although the kernel is unchanged.
 */
bool pair_is_known_by_several(const struct timed_pair *pair);

/* Returns whether the verdict is SLOW or FAST. */
bool time_is_change(enum time_verdict v);

/* Judges all points and fills t->points. t->groups must be filled. */
void times_judge_points(struct timed_pairs pairs, const struct times_rule *rule, struct times *t);

#endif
