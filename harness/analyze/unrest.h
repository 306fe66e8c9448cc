/*
 * Finds how far the other points of a problem moved between two processes.
 *
 * Two processes differ by more than one offset, because the placement of memory and code changes
 * the times of individual points by several percent and in both directions
 * (results/reference/h200-aa/README.md). From two runs alone, this cannot be distinguished from a
 * change of one point. The other points of the problem give evidence: if they have moved as well, a
 * point's allowance grows by twice the longest of their movements. The factor is 2 because these
 * movements have heavy tails. Among a few points, the one that moved furthest often moved much
 * further than the second. A point that moved more than twice as far as any other, however, is
 * considered changed.
 *
 *   moved    A movement is ln(b / a) without the group's offset. For a point of another kernel, the
 *            movement is measured from that kernel's weighted mean, so that a kernel that changed
 *            as a whole adds nothing. For a point of the same kernel, the movement is measured from
 *            the group's offset. Only points of this kernel that moved in the opposite direction
 *            are used. Otherwise, a change of several points would raise its own allowance.
 *   test     Cochran's Q of these movements, with their inflated standard errors, is compared with
 *            the chi-squared distribution (The combination of estimates from different experiments,
 *            Biometrics 10, 1954).
 *
 * Comparing b with a gives the same result as comparing a with b.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/*
 * Sets out[i] to twice the longest movement, as a logarithm, of the other points in the problem of
 * pair i. It is 0 if there are no other points, or if their movement is not significant at
 * `error_rate`. `offsets` contains an entry for each group.
 */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
