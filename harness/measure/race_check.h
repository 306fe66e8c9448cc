/*
 * Looks for data races in a kernel: runs it in a few shapes on a device whose driver can observe
 * the accesses of its threads, and keeps each pair of source lines that races once.
 *
 * The shapes combine the smallest and largest unroll factors and tunables that the facts allow,
 * three block sizes, and three element counts: one element, an odd number that does not fill its
 * blocks, and enough for several blocks, the last of them partial; if `requires` does not allow one
 * of these, the nearest allowed count. All shapes run with the first type and operation of the
 * kernel, and also with float32 variances if it has them, whose accumulators have several words.
 * The input's values are those of a sweep; a race that appears only with other values or a larger n
 * is not found.
 */
#ifndef REDSWEEP_MEASURE_RACE_CHECK_H
#define REDSWEEP_MEASURE_RACE_CHECK_H

#include "measure/group.h"
#include "spec/kernel.h"

/* A race, and the first shape that showed it. */
struct race_found {
    struct race race;
    char shape[160]; /* "int32 sum n=1000 block=64 unroll=2" */
};

/* The races found in one kernel. */
struct race_check {
    struct race_found found[MOST_RACES];
    int count;
    bool more;         /* there were more than fit */
    int shapes;        /* that were run */
    char skipped[512]; /* why no shape could be run; "" if some were */
};

/* The type and operation with which a kernel is checked: int32 sums, or the first that it
 * supports. */
void race_check_elements(const struct kernel *k, enum element_type *type, enum operation *op);

/*
 * Checks one kernel; the bench's driver (one that has a check()), device, info and compiler must be
 * set. Returns false if it does not compile, or faults in a shape, which the error names; races
 * found before that are in `out`.
 */
bool race_check_kernel(const struct bench *c, const struct kernel *k, struct race_check *out,
                       struct error *e);

#endif
