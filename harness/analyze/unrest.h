/*
 * Finds, for each point of a problem, how far the times of the problem's other points moved between
 * two processes.
 *
 * Between two processes, times differ by more than an offset that all points of a problem share.
 * The placement of memory and code also changes the times of individual points by several percent,
 * in either direction (results/reference/h200-aa/README.md). With only one process per side, such a
 * movement looks like a change of the kernel at this point. The problem's other points give
 * evidence: if their times moved as well, the point's allowance (times.h) grows by twice the
 * longest of their movements. The factor is two because movements have heavy tails: among a few
 * points, the one that moved furthest often moved much further than the second. Only a point that
 * moved more than twice as far as every other point of its problem counts as changed.
 *
 *   moved    A point's movement is ln(b / a) without the group's offset (problem_offset.h). a and b
 *            are its times in the two runs. From the movements of another kernel's points, their
 *            weighted mean is subtracted, so that a kernel that changed as a whole adds nothing.
 *            Points of the same kernel count only if they moved in the opposite direction.
 *            Otherwise, several points that changed together would raise each other's allowance.
 *   test     The movements count only if they are significant. Cochran's Q, computed from the
 *            movements and their inflated standard errors, is compared with the chi-squared
 *            distribution (The combination of estimates from different experiments, Biometrics 10,
 *            1954).
 *
 * Swapping a and b does not change the result.
 */
#ifndef REDSWEEP_ANALYZE_UNREST_H
#define REDSWEEP_ANALYZE_UNREST_H

#include "analyze/problem_offset.h"

/*
 * Sets out[i] to twice the longest movement of the other points in the problem of pair i, as a
 * logarithm. Sets it to 0 if there are no other points or their movements are not significant at
 * `error_rate`. `offsets` has an entry for each group.
 */
void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out);

#endif
