/*
 * The device's best performance, and whether the harness measures it correctly.
 *
 * Ceilings are measured on the path that every point takes: cold caches, events behind a blocking
 * kernel, the median. The kernels are kernels/support/{empty,sweep_read,sweep_copy,sweep_write}.cu,
 * the buffer is far larger than the L2 cache, and of several launch shapes the fastest counts.
 */
#ifndef REDSWEEP_MEASURE_CEILINGS_H
#define REDSWEEP_MEASURE_CEILINGS_H

#include "measure/group.h"

/*
 * Measures the ceilings. A value that cannot be measured is NaN, with the reason in `missing`. `e`
 * is only filled if the device is lost.
 */
void ceilings_measure(struct bench *b, struct ceilings *out, struct error *e);

/*
 * Compares known results with counted ones, on one read of a buffer; fills up to SELF_CHECKS_MOST
 * checks. A check whose counters the device lacks is left out.
 */
void self_check(struct bench *b, const struct ceilings *ceilings, struct self_check *checks,
                int *count, struct error *e);

#endif
