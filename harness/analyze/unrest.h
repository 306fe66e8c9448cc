/*
 * How far the other points of a problem moved between two processes.
 *
 * Two processes differ by more than one offset: the placement of memory and code changes single points by several
 * percent and in both directions (results/reference/h200-aa/README.md). Two runs cannot separate that from a change
 * of one point, but there is evidence: other points of the problem have moved as well. If they have, a point's
 * allowance grows by twice the longest of their movements. Such movements have heavy tails: the furthest of a few
 * points is often further than the second, but a point that moved more than twice as far as any other has been
 * changed.
 *
 *   moved    ln(b / a) without the group's offset: of each other kernel's points about their
 *            weighted mean, so that a kernel that changed as a whole counts for nothing; and of
 *            those points of the same kernel that moved the other way, about the group's offset, so
 *            that a change of some of a kernel's points does not hide itself.
 *   test     whether they have: Cochran's Q (The combination of estimates from different
 *            experiments, Biometrics 10, 1954) of these movements with their inflated standard
 *            errors. Chi-squared.
 *
 * Comparing b with a gives the same as a with b.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/* out[i]: twice the longest movement of the points around pair i, a logarithm; 0 if they do not
 * move, at this error rate, or if there are none. `offsets` has an entry for each group. */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
