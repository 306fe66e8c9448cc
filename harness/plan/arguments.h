/*
 * Makes a kernel's launch: its shape and its arguments. The fact `parameters` lists the arguments.
 * Without it, they are the usual five (input, output, n, workspace and workspace_bytes), of which a
 * kernel may declare only the first few.
 */
#ifndef REDSWEEP_PLAN_ARGUMENTS_H
#define REDSWEEP_PLAN_ARGUMENTS_H

#include "devices/device.h"
#include "plan/plan.h"

struct kernel_arguments {
    uint64_t input, output, workspace; /* the addresses of the buffers */
    uint64_t second;                   /* the second vector's address; 0 if there is none */
    uint64_t n;
    bool wide; /* index_t has 64 bits */
    enum element_type type;
};

/* Makes the launch of a kernel with this shape. With `launch: dependent`, the kernel itself is
 * launched plainly; only the launch after it is dependent. */
struct launch kernel_launch(struct module *module, const struct kernel *k,
                            const struct shape *shape, const struct kernel_arguments *a);

#endif
