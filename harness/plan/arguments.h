/*
 * Makes the launch of a kernel: its shape and its arguments. The fact `parameters` lists the
 * arguments. Without this fact, they are the usual five: input, output, n, workspace and
 * workspace_bytes. A kernel may declare only the first few of these.
 */
#ifndef REDSWEEP_PLAN_ARGUMENTS_H
#define REDSWEEP_PLAN_ARGUMENTS_H

#include "devices/device.h"
#include "plan/plan.h"

struct kernel_arguments {
    uint64_t input, output, workspace; /* the addresses of the buffers */
    uint64_t second;                   /* the address of the second vector; 0 if there is none */
    uint64_t n;
    bool wide; /* whether index_t has 64 bits */
    enum element_type type;
};

/* Makes the launch of a kernel with this shape. The launch of a kernel with the fact `launch:
 * dependent` is a plain launch, because only the launch that follows it is dependent. */
struct launch kernel_launch(struct module *module, const struct kernel *k,
                            const struct shape *shape, const struct kernel_arguments *a);

#endif
