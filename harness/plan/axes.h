/*
 * These functions choose the kernels of a sweep and, for each axis, the values that each kernel
 * allows. This header is private to the folder.
 */
#ifndef REDSWEEP_PLAN_AXES_H
#define REDSWEEP_PLAN_AXES_H

#include "base/text.h"
#include "plan/plan.h"

/* This is one kernel of the sweep, with the values that it uses on each axis. */
struct kernel_axes {
    uint32_t index; /* the index of the kernel in the catalogue */
    const struct kernel *kernel;
    const uint64_t *blocks; /* the block sizes; {1} for a kernel without a block axis */
    int block_count;
    uint64_t unrolls[64]; /* the unroll factors; {1} for a kernel without an unroll factor */
    int unroll_count;     /* 0 if the kernel supports none of the config's factors */
    /* The values of each tunable, in ascending order. Each tunable has at least one value. */
    struct int_list tunables[KERNEL_MAX_TUNABLES];
    enum scope scopes[SCOPE_COUNT];
    int scope_count;
};

/*
 * Chooses the config's kernels in the catalogue's order. Fails with ERROR_CONFIG if an entry of the
 * config matches no kernel, or if its kernels have no points for the chosen row lengths. It is also
 * an error if the config names a tunable that no chosen kernel has, or if a kernel allows none of
 * the values that the config chooses. The caller frees the array with free().
 *
 * A racy kernel is chosen by its name or by a specific glob ("smem_*"). It is not chosen by "*", or
 * by a config that names no kernels, because it is only meant to be studied.
 */
bool axes_choose(const struct config *config, const struct catalogue *catalogue,
                 struct kernel_axes **out, int *count, struct error *e);

/* Lists the tunables of the chosen kernels in lower case, sorted and without duplicates. The caller
 * frees the array and its strings. */
void axes_tunable_names(const struct kernel_axes *axes, int count, char ***names, int *name_count);

/* Appends a line for each unroll factor that the config names but no chosen kernel has. */
void axes_note_unused(const struct config *config, const struct kernel_axes *axes, int count,
                      struct text *notes);

#endif
