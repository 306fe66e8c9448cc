/*
 * Chooses the kernels of a sweep and, for each axis, the values that each kernel allows. Private to
 * this folder.
 */
#ifndef REDSWEEP_PLAN_AXES_H
#define REDSWEEP_PLAN_AXES_H

#include "base/text.h"
#include "plan/plan.h"

/* A kernel in the sweep, and its values on each axis. */
struct kernel_axes {
    uint32_t index; /* the kernel's index in the catalogue */
    const struct kernel *kernel;
    const uint64_t *blocks; /* the block sizes; {1} for a kernel without a block axis */
    int block_count;
    uint64_t unrolls[64]; /* {1} for a kernel without unroll factors */
    int unroll_count;     /* 0 if the kernel supports none of the config's factors */
    /* The values of each tunable in ascending order; at least one value each. */
    struct int_list tunables[KERNEL_MAX_TUNABLES];
    enum scope scopes[SCOPE_COUNT];
    int scope_count;
};

/*
 * Chooses the config's kernels in the catalogue's order. Fails with ERROR_CONFIG if
 *
 *   - an entry of the config's `kernels` matches no kernel,
 *   - the kernels that an entry matches have no points at the chosen row lengths,
 *   - the config names a tunable that no chosen kernel has, or
 *   - a kernel allows none of the values that the config chooses for an axis.
 *
 * The caller frees the array with free().
 *
 * A racy kernel, which has a data race and is kept for study, is chosen only by its name or by a
 * specific glob ("smem_*"). "*" and a config that names no kernels do not choose it.
 */
bool axes_choose(const struct config *config, const struct catalogue *catalogue,
                 struct kernel_axes **out, int *count, struct error *e);

/* Lists the chosen kernels' tunables in lower case, sorted and without duplicates. The caller frees
 * the array and its strings. */
void axes_tunable_names(const struct kernel_axes *axes, int count, char ***names, int *name_count);

/* Appends a line for each unroll factor in the config that no chosen kernel has. */
void axes_note_unused(const struct config *config, const struct kernel_axes *axes, int count,
                      struct text *notes);

#endif
