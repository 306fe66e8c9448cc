/*
 * Finds how far the other points of a problem moved between two processes.
 *
 * Two processes differ by more than one offset: the placement of memory and code changes single points by several
 * percent and in both directions (results/reference/h200-aa/README.md). Two runs cannot separate that from a change
 * of one point, but there may be evidence: if other points of the problem have moved as well, a point's allowance
 * grows by twice the longest of their movements. Such movements have heavy tails: among a few points, the one that
 * moved furthest often moved much further than the second, but a point that moved more than twice as far as any
 * other has been changed.
 *
 *   moved    A movement is ln(b / a) without the group's offset. Points of other kernels count by their
 *            distance from their kernel's weighted mean, so that a kernel that changed as a whole adds
 *            nothing. Of the same kernel, only points that moved the other way count, by their distance
 *            from the group's offset, so that a change of several points does not hide itself.
 *   test     Cochran's Q of these movements, with their inflated standard errors, is compared with the
 *            chi-squared distribution (The combination of estimates from different experiments,
 *            Biometrics 10, 1954).
 *
 * Comparing b with a gives the same as a with b.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/* Sets out[i] to twice the longest movement of the points around pair i, a logarithm; 0 if they do not
 * move, at this error rate, or if there are none. `offsets` has an entry for each group. */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
