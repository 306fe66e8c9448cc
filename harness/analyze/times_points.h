/*
 * Verdicts on times of points, and what these share with those of cells and kernels.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_POINTS_H
#define REDSWEEP_ANALYZE_TIMES_POINTS_H

#include "analyze/times.h"

/* A standard error of a logarithm, and its degrees of freedom. */
struct spread {
    double error, freedom;
};

/* Two independent errors together, with Satterthwaite's degrees of freedom. */
struct spread spread_together(struct spread a, struct spread b);
/* Of Student's t. */
double spread_quantile(double p, double freedom);

/* b / a after b − a is reduced by `us`, half of it on each side, so that a / b is the
 * reciprocal. */
struct estimate pair_ratio_moved(const struct timed_pair *pair, double us);
/* By how much a ratio of the two times moves away from 1, as a logarithm, if the times move apart
 * by `us`. Infinite when that is as long as they are. */
double pair_widening(const struct timed_pair *pair, double us);
/* Degrees of freedom of the pair's standard error. */
double pair_freedom(const struct timed_pair *pair);
/* Several processes show what one process cannot know of itself: whether a point, or a kernel at
 * one problem, moves without a cause. */
bool pair_is_known_by_several(const struct timed_pair *pair);

/* Faster or slower. */
bool time_is_change(enum time_verdict v);

/* Judges all points, whose groups are in `t`, and fills t->points. */
void times_judge_points(struct timed_pairs pairs, const struct times_rule *rule, struct times *t);

#endif
