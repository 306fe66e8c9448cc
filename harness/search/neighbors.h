/*
 * Which points of a group are near each other: what a descent looks at next.
 */
#ifndef REDSWEEP_SEARCH_NEIGHBORS_H
#define REDSWEEP_SEARCH_NEIGHBORS_H

#include <stdbool.h>

#include "plan/plan.h"

/* Of two kernels: where the tunables of one are in the other. */
struct kernel_pair {
    uint32_t a, b;                     /* index into the catalogue */
    int position[KERNEL_MAX_TUNABLES]; /* of a's tunable among b's; −1: b has none of that name */
};

void kernel_pair_set(struct kernel_pair *pair, const struct plan *plan, uint32_t a, uint32_t b);

/*
 * Whether two points of one group are neighbors: of one kernel, and block, unroll or one tunable
 * differs; or of two kernels, and all that both have is equal. `pair` is of their kernels.
 */
bool points_are_neighbors(const struct plan *plan, const struct kernel_pair *pair,
                          const struct point *a, const struct point *b);

/* Whether two points, of any n, have the same kernel, block, unroll, tunables and scope. */
bool points_are_alike(const struct point *a, const struct point *b);

#endif
