/*
 * Finds how far the other points of a problem moved between two processes.
 *
 * Two processes differ by more than an offset: the placement of memory and code changes the times
 * of individual points by several percent, in either direction
 * (results/reference/h200-aa/README.md). Two runs alone cannot tell this from a change of one
 * point. The other points of the problem give evidence: if they moved as well, a point's allowance
 * grows by twice the longest of their movements. Twice, because these movements have heavy tails:
 * among a few points, the one that moved furthest often moved much further than the second. A point
 * that moved more than twice as far as any other counts as changed.
 *
 *   moved    A movement is ln(b / a) without the group's offset. Points of another kernel are
 *            measured from that kernel's weighted mean, so that a kernel that changed as a whole
 *            adds nothing. Points of the same kernel are measured from the group's offset, and
 *            count only if they moved in the opposite direction. Otherwise, a change of several
 *            points would raise its own allowance.
 *   test     Cochran's Q of these movements, with inflated standard errors, is compared with the
 *            chi-squared distribution (The combination of estimates from different experiments,
 *            Biometrics 10, 1954).
 *
 * Swapping a and b does not change the result.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/*
 * Sets out[i] to twice the longest movement, as a logarithm, of the other points in pair i's
 * problem, or to 0 if there are no other points or their movement is not significant at
 * `error_rate`. `offsets` has an entry for each group.
 */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
