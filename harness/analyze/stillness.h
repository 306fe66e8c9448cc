/*
 * Whether the other points of a problem hold still.
 *
 * Two processes differ by more than one offset: where memory and code lie decides over single
 * points, by several percent and in both directions (docs/comparing.md). Two runs cannot separate
 * that from a change of one point, but it shows: other points of the problem have moved as well. So
 * a point is judged by itself only where they have not.
 *
 *   test   Cochran's Q (The combination of estimates from different experiments, Biometrics 10,
 *          1954) of b − a with its standard errors, inflated: of each other kernel's points about
 *          their weighted mean, so that a kernel that changed as a whole counts for nothing; and of
 *          those points of the same kernel that moved the other way, about the group's offset, so
 *          that a change of some of a kernel's points does not hide itself. Chi-squared.
 *
 * b against a gives the same p as a against b.
 */
#ifndef REDSWEEP_ANALYZE_STILLNESS_H
#define REDSWEEP_ANALYZE_STILLNESS_H

#include "analyze/problem_offset.h"

/* p[i]: of "only what samples vary by moved the points around pair i"; 1 where there are none.
 * `offsets` has an entry for each group. */
void stillness_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                         const struct run_margins *margins, double *p);

#endif
