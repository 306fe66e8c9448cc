/*
 * Measures a device's best performance, and checks that the harness measures correctly.
 *
 * Ceilings are measured like points: with cold caches, with events queued behind a blocking kernel,
 * and as a median. The kernels are kernels/support/{empty,sweep_read,sweep_copy,sweep_write}.cu.
 * The buffer is far larger than the L2 cache, and the fastest of several launch shapes counts.
 */
#ifndef REDSWEEP_MEASURE_CEILINGS_H
#define REDSWEEP_MEASURE_CEILINGS_H

#include "measure/group.h"

/* Measures the ceilings. A value that cannot be measured is NaN, and `missing` says why. Sets `e`
 * only if the device is lost. */
void ceilings_measure(struct bench *b, struct ceilings *out, struct error *e);

/* Compares known results with measured ones. Fills in at most SELF_CHECKS_MOST checks, without
 * those for which the device lacks counters or a clock. */
void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e);

#endif
