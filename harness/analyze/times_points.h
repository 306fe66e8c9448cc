/*
 * Judges differences between the times of points, and provides the statistics that times.c also
 * needs for cells and kernels. times.h defines these levels and states the rules.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_POINTS_H
#define REDSWEEP_ANALYZE_TIMES_POINTS_H

#include "analyze/times.h"

/* The standard error of ln(b / a), with its degrees of freedom. */
struct spread {
    double error, freedom;
};

/* Combines two independent errors. The degrees of freedom of the result are Satterthwaite's. */
struct spread spread_together(struct spread a, struct spread b);
/*
 * Returns the quantile of Student's t distribution with `freedom` degrees of freedom for the
 * two-sided p.
 */
double spread_quantile(double p, double freedom);

/*
 * Returns the ratio b / a of a pair after half of `us` is added to a and half is subtracted from b.
 * Swapping a and b and negating `us` gives the reciprocal.
 */
struct estimate pair_ratio_moved(const struct timed_pair *pair, double us);
/*
 * Converts a difference between the times of a pair from µs to a difference of ln(b / a). Returns
 * infinity if `us` is at least the sum of the two times.
 */
double pair_widening(const struct timed_pair *pair, double us);
/* Returns the degrees of freedom of a pair's standard error. */
double pair_freedom(const struct timed_pair *pair);
/*
 * Returns whether each side of a pair was measured by several processes. One process per side
 * cannot show how far a point, or a kernel in one problem, moves although the kernel is unchanged.
 */
bool pair_is_known_by_several(const struct timed_pair *pair);

/* Returns whether the verdict is SLOW or FAST. */
bool time_is_change(enum time_verdict v);

/* Judges all points and fills t->points. The caller must have filled t->groups. */
void times_judge_points(struct timed_pairs pairs, const struct times_rule *rule, struct times *t);

#endif
