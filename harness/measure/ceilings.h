/*
 * Measures the best performance of a device, and checks that the harness measures correctly.
 *
 * Ceilings are measured in the same way as points: the caches are cold, the events are queued
 * behind a blocking kernel, and the result is a median. The kernels are
 * kernels/support/{empty,sweep_read,sweep_copy,sweep_write}.cu. The buffer is far larger than the
 * L2 cache, and the fastest of several launch shapes is used.
 */
#ifndef REDSWEEP_MEASURE_CEILINGS_H
#define REDSWEEP_MEASURE_CEILINGS_H

#include "measure/group.h"

/* Measures the ceilings. A value that cannot be measured is NaN, and `missing` then gives the
 * reason. `e` is set only if the device is lost. */
void ceilings_measure(struct bench *b, struct ceilings *out, struct error *e);

/* Compares known results with measured ones, and fills in at most SELF_CHECKS_MOST checks. A check
 * is left out if the device lacks its counters or its clock. */
void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e);

#endif
