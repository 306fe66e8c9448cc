/*
 * How far the other points of a problem moved between two processes.
 *
 * Two processes differ by more than one offset: where memory and code lie decides over single
 * points, by several percent and in both directions (results/reference/h200-aa/README.md). Two runs cannot separate
 * that from a change of one point, but it shows: other points of the problem have moved as well.
 * Where they have, a point's allowance grows by twice the longest of their movements: such movements
 * have heavy tails, so that the furthest of a few points is not rarely further than the second, but
 * a point that moved more than twice as far as any other has been changed.
 *
 *   moved    ln(b / a) without the group's offset: of each other kernel's points about their
 *            weighted mean, so that a kernel that changed as a whole counts for nothing; and of
 *            those points of the same kernel that moved the other way, about the group's offset, so
 *            that a change of some of a kernel's points does not hide itself.
 *   test     whether they have: Cochran's Q (The combination of estimates from different
 *            experiments, Biometrics 10, 1954) of these movements with their inflated standard
 *            errors. Chi-squared.
 *
 * b against a gives the same as a against b.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/* out[i]: twice the longest movement of the points around pair i, a logarithm; 0 where they hold
 * still, at this error rate, or there are none. `offsets` has an entry for each group. */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
