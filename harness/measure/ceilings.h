/*
 * Measures a device's ceilings (the best bandwidths and the shortest launch time that it achieves),
 * and checks that the harness measures correctly.
 *
 * Ceilings are measured like points: with cold caches, between events that are queued behind a
 * blocking kernel. A ceiling is the median of several samples. The kernels are
 * kernels/support/{empty,sweep_read,sweep_copy,sweep_write}.cu. The buffer is far larger than the
 * L2 cache. Several launch shapes are tried, and the fastest one is reported.
 */
#ifndef REDSWEEP_MEASURE_CEILINGS_H
#define REDSWEEP_MEASURE_CEILINGS_H

#include "measure/group.h"

/* Measures the ceilings. A value that cannot be measured is NaN, and `missing` says why. Sets `e`
 * only if the device is lost. */
void ceilings_measure(struct bench *b, struct ceilings *out, struct error *e);

/*
 * Measures things whose correct result is known in advance, and compares the results. Fills in at
 * most SELF_CHECKS_MOST checks. Leaves out checks for which the device lacks counters or a clock.
 */
void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e);

#endif
