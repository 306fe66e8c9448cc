/*
 * The axes of a sweep for each kernel: the chosen kernels, and the remaining values of each axis.
 * Private to this room.
 */
#ifndef REDSWEEP_PLAN_AXES_H
#define REDSWEEP_PLAN_AXES_H

#include "base/text.h"
#include "plan/plan.h"

/* One kernel of the sweep with its own share of the axes. */
struct kernel_axes {
    uint32_t index; /* in the catalogue */
    const struct kernel *kernel;
    const uint64_t *blocks; /* {1} for a kernel without a block axis */
    int block_count;
    uint64_t unrolls[64]; /* {1} for a kernel without an unroll factor */
    int unroll_count;     /* 0: the kernel supports none of the config's factors */
    struct int_list tunables[KERNEL_MAX_TUNABLES]; /* ascending; never empty */
    enum scope scopes[SCOPE_COUNT];
    int scope_count;
};

/*
 * Chooses the config's kernels, in the catalogue's order. ERROR_CONFIG for an entry of the config
 * that matches no kernel, for a tunable that no chosen kernel has, for a tunable that has no value
 * left for a kernel that declares it, and for an entry whose kernels have no points at the chosen
 * row lengths. The array is the caller's: free().
 *
 * A racy kernel is chosen by its name or by a specific glob ("smem_*"), never by "*", nor by a
 * config that names no kernels: it exists to be studied, not to compete.
 */
bool axes_choose(const struct config *config, const struct catalogue *catalogue,
                 struct kernel_axes **out, int *count, struct error *e);

/*
 * The tunables of the chosen kernels in lower case, sorted, each once. The array and its texts are
 * the caller's.
 */
void axes_tunable_names(const struct kernel_axes *axes, int count, char ***names, int *name_count);

/* Appends a line for each unroll factor that the config names and no chosen kernel has. */
void axes_note_unused(const struct config *config, const struct kernel_axes *axes, int count,
                      struct text *notes);

#endif
