/* Two tests run every kernel on the simulator: devices/sim/test_kernels.c, and gpu/kernels.c with
 * its awkward sizes. Both check the pairs of type and plain operation, except in kernels that
 * reduce rows. All other pairs are divided between the two tests, so that each pair of each kernel
 * is checked by one of them. On a GPU, gpu/kernels.c checks all pairs. */
#ifndef REDSWEEP_TESTS_PAIR_TURNS_H
#define REDSWEEP_TESTS_PAIR_TURNS_H

#include "spec/kernel.h"
#include "workloads/workload.h"

/* Returns whether only test_kernels checks the pair. `number` is the kernel's number in the
 * catalogue. */
static inline bool pair_is_test_kernels(const struct kernel *k, int number, int type, int op)
{
    if (k->workload->by_rows)
        return (type + op + number) % 3 == 0;
    return !operation_is_plain((enum operation)op, (enum element_type)type) &&
           (type + op + number) % 2 == 0;
}

/* Returns whether only gpu/kernels.c, with its awkward sizes, checks the pair. */
static inline bool pair_is_awkward(const struct kernel *k, int number, int type, int op)
{
    return !pair_is_test_kernels(k, number, type, op) &&
           (k->workload->by_rows ||
            !operation_is_plain((enum operation)op, (enum element_type)type));
}

#endif
