/*
 * Looking for data races in a kernel: it runs in a few shapes on a device whose driver can watch
 * the accesses of its threads, and each pair of source lines that races is kept once.
 *
 * The shapes are the smallest and largest of what the facts allow for unroll factors and tunables,
 * three block sizes, and three element counts: one element, some odd number that does not fill
 * its blocks, and enough for several blocks, the last of them not full; where `requires` does not
 * allow one of these, the nearest count that it allows. All of them with the first type and
 * operation that the kernel has, and with float32 variances if it has them: parts of several words.
 * The input's values are those of a sweep; a race that only other values or a larger n would show
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

/* What was found in one kernel. */
struct race_check {
    struct race_found found[MOST_RACES];
    int count;
    bool more;         /* there were more than fit */
    int shapes;        /* that were run */
    char skipped[512]; /* why no shape could be run; "" when some were */
};

/* The type and operation that any kernel is checked with: int32 sums, or the first that it has. */
void race_check_elements(const struct kernel *k, enum element_type *type, enum operation *op);

/*
 * Checks one kernel with a bench of which driver (one that has a check()), device, info and
 * compiler are set. False when it does not compile, or faults in a shape, which the error names;
 * what was found before that is in `out`.
 */
bool race_check_kernel(const struct bench *c, const struct kernel *k, struct race_check *out,
                       struct error *e);

#endif
