/*
 * Looks for data races in a kernel. It runs the kernel in a few shapes on a device whose driver can
 * observe the memory accesses of threads. It records each pair of racing source lines only once.
 *
 * The shapes combine three block sizes, three element counts, and the first and last values that
 * the facts list for the unroll factor and the tunables. The counts are one element, an odd number
 * that does not fill its blocks, and enough elements for several blocks, the last of which is
 * partial. If `requires` does not allow a count, the nearest allowed count replaces it. All shapes
 * run with the kernel's first type and operation. If the kernel supports float32 variances, whose
 * accumulators have several words, all shapes also run with float32 variances. The input has the
 * same values as in a sweep. A race that appears only with other values or a larger n is not found.
 */
#ifndef REDSWEEP_MEASURE_RACE_CHECK_H
#define REDSWEEP_MEASURE_RACE_CHECK_H

#include "measure/group.h"
#include "spec/kernel.h"

/* A race and the first shape in which it was observed. */
struct race_found {
    struct race race;
    char shape[160]; /* the shape, such as "int32 sum n=1000 block=64 unroll=2" */
};

/* The races that were found in one kernel. */
struct race_check {
    struct race_found found[MOST_RACES];
    int count;
    bool more;         /* whether there were more races than `found` can hold */
    int shapes;        /* the number of shapes that were run */
    char skipped[512]; /* why no shape could be run, or "" */
};

/* Chooses the type and the operation with which a kernel is checked: int32 sums, or the first pair
 * that it supports. */
void race_check_elements(const struct kernel *k, enum element_type *type, enum operation *op);

/*
 * Checks one kernel. The bench's driver, device, info and compiler must be set, and the driver must
 * have check(). Returns false if the kernel does not compile, or if it faults. The error names the
 * shape in which it faulted. `out` contains the races that were found before the error.
 */
bool race_check_kernel(const struct bench *c, const struct kernel *k, struct race_check *out,
                       struct error *e);

#endif
