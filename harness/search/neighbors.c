/*
 * Neighbors: see neighbors.h.
 */
#include "search/neighbors.h"

#include <string.h>

void kernel_pair_set(struct kernel_pair *pair, const struct plan *plan, uint32_t a, uint32_t b)
{
    const struct kernel *x = plan->catalogue->kernels[a], *y = plan->catalogue->kernels[b];
    pair->a = a;
    pair->b = b;
    for (int i = 0; i < x->tunable_count; i++) {
        pair->position[i] = -1;
        for (int j = 0; j < y->tunable_count; j++)
            if (strcmp(x->tunables[i].name, y->tunables[j].name) == 0)
                pair->position[i] = j;
    }
}

bool points_are_neighbors(const struct plan *plan, const struct kernel_pair *pair,
                          const struct point *a, const struct point *b)
{
    const struct kernel *k = plan_kernel(plan, a), *other = plan_kernel(plan, b);
    bool unrolls = k->unrolls.count && other->unrolls.count; /* else one of them has no choice */
    int different = (a->block != b->block) + (unrolls && a->unroll != b->unroll);
    for (int i = 0; i < k->tunable_count && different < 2; i++)
        if (pair->position[i] >= 0)
            different += a->tunables[i] != b->tunables[pair->position[i]];
    return a->kernel == b->kernel ? different == 1 : different == 0;
}

bool points_are_alike(const struct point *a, const struct point *b)
{
    return a->kernel == b->kernel && a->block == b->block && a->unroll == b->unroll &&
           a->scope == b->scope && memcmp(a->tunables, b->tunables, sizeof a->tunables) == 0;
}
