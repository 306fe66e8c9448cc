/*
 * The arguments of a kernel's launch: by its fact `parameters`, or the five that every kernel of a
 * sweep and host code are given, of which a kernel may take fewer.
 */
#ifndef REDSWEEP_PLAN_ARGUMENTS_H
#define REDSWEEP_PLAN_ARGUMENTS_H

#include "devices/device.h"
#include "plan/plan.h"

struct kernel_arguments {
    uint64_t input, output, workspace; /* addresses */
    uint64_t n;
    bool wide; /* index_t has 64 bits */
    enum element_type type;
};

/* Replaces the launch's arguments. `shape` has the scalars and the workspace's bytes. */
void arguments_set(struct launch *l, const struct kernel *k, const struct shape *shape,
                   const struct kernel_arguments *a);

#endif
