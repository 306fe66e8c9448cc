/*
 * Verdicts on times of points, and functions that verdicts on cells and kernels use as well.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_POINTS_H
#define REDSWEEP_ANALYZE_TIMES_POINTS_H

#include "analyze/times.h"

/* A standard error of a logarithm, and its degrees of freedom. */
struct spread {
    double error, freedom;
};

/* Returns the sum of two independent errors, with Satterthwaite's degrees of freedom. */
struct spread spread_together(struct spread a, struct spread b);
/* Returns the two-sided quantile of Student's t. */
double spread_quantile(double p, double freedom);

/* Returns b / a after b − a is reduced by `us`, half of it on each side, so that a / b is the
 * reciprocal. */
struct estimate pair_ratio_moved(const struct timed_pair *pair, double us);
/*
 * Returns the logarithm by which the ratio of the two times moves away from 1 if the times move apart by
 * `us`. It is infinite if `us` is as long as the times.
 */
double pair_widening(const struct timed_pair *pair, double us);
/* Returns the degrees of freedom of the pair's standard error. */
double pair_freedom(const struct timed_pair *pair);
/*
 * Returns whether each side has several processes, which show what a single process cannot show: whether a
 * point, or a kernel at one problem, moves without a cause.
 */
bool pair_is_known_by_several(const struct timed_pair *pair);

/* Returns whether the verdict is SLOW or FAST. */
bool time_is_change(enum time_verdict v);

/* Judges all points, whose groups are in `t`, and fills t->points. */
void times_judge_points(struct timed_pairs pairs, const struct times_rule *rule, struct times *t);

#endif
