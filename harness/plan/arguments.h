/*
 * A kernel's launch: its shape, and its arguments. The fact `parameters` lists them; otherwise they
 * are the five that every kernel of a sweep and host code get, of which a kernel may take fewer.
 */
#ifndef REDSWEEP_PLAN_ARGUMENTS_H
#define REDSWEEP_PLAN_ARGUMENTS_H

#include "devices/device.h"
#include "plan/plan.h"

struct kernel_arguments {
    uint64_t input, output, workspace; /* addresses */
    uint64_t second;                   /* the same for the second vector; 0: there is none */
    uint64_t n;
    bool wide; /* index_t has 64 bits */
    enum element_type type;
};

/*
 * The launch of a kernel of this shape. A kernel with the fact `launch: dependent` is a plain
 * launch: it is the launch after it that depends on it.
 */
struct launch kernel_launch(struct module *module, const struct kernel *k,
                            const struct shape *shape, const struct kernel_arguments *a);

#endif
