/*
 * Looks for data races in a kernel. Runs the kernel in a few shapes on a device whose driver can
 * observe the memory accesses of threads. Each pair of source lines that race is recorded once.
 *
 * The shapes combine three block sizes, three element counts, and the first and last values that
 * the facts list for the unroll factor and the tunables. The counts are one element, an odd number
 * that does not fill its blocks, and enough elements for several blocks, the last of them partial.
 * Where `requires` forbids a count, the nearest allowed one replaces it. All shapes run with one
 * type and operation (race_check_elements()). They run again with float32 variances, whose
 * accumulators have several words, if the kernel supports them. The input has the same values as in
 * a sweep. Races that appear only with other values or a larger n are not found.
 */
#ifndef REDSWEEP_MEASURE_RACE_CHECK_H
#define REDSWEEP_MEASURE_RACE_CHECK_H

#include "measure/group.h"
#include "spec/kernel.h"

/* A race, and the first shape in which it was observed. */
struct race_found {
    struct race race;
    char shape[160]; /* such as "int32 sum n=1000 block=64 unroll=2" */
};

/* The races found in one kernel. */
struct race_check {
    struct race_found found[MOST_RACES];
    int count;
    bool more;         /* there were more races than fit into `found` */
    int shapes;        /* how many shapes were run */
    char skipped[512]; /* why no shape could be run, or "" */
};

/* Chooses the type and operation for checking a kernel: int32 sums, or the first pair that it
 * supports. */
void race_check_elements(const struct kernel *k, enum element_type *type, enum operation *op);

/*
 * Checks one kernel. In the bench, the members driver (with a function check()), device, info and
 * compiler must be set. Returns false if the kernel does not compile or faults. The error names the
 * shape in which the kernel faulted; `out` then contains the races found before the error.
 */
bool race_check_kernel(const struct bench *c, const struct kernel *k, struct race_check *out,
                       struct error *e);

#endif
