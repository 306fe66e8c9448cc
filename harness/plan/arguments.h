/*
 * Makes the launch of a kernel: its grid, its blocks and its arguments. The fact `parameters` of
 * the kernel lists the arguments. Without this fact, they are input, output, n, workspace and
 * workspace_bytes; a kernel may declare only the first few of these.
 */
#ifndef REDSWEEP_PLAN_ARGUMENTS_H
#define REDSWEEP_PLAN_ARGUMENTS_H

#include "devices/device.h"
#include "plan/plan.h"

struct kernel_arguments {
    uint64_t input, output, workspace; /* the addresses of the buffers */
    uint64_t second;                   /* the second vector's address; 0 if there is none */
    uint64_t n;
    bool wide; /* the kernel's type index_t, which counts elements, has 64 bits */
    enum element_type type;
};

/*
 * Makes the launch of a kernel with this shape. A kernel with the fact `launch: dependent` is
 * itself launched plainly; only the launch after it depends on it (programmatic dependent launch).
 */
struct launch kernel_launch(struct module *module, const struct kernel *k,
                            const struct shape *shape, const struct kernel_arguments *a);

#endif
