/* Handles two versions of the same kernels in one plan. Also defines plan_side() of plan.h. */
#include "plan/sides.h"
#include "plan/shards.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

void sides_pair(const struct plan *plan, struct point *points, uint32_t count)
{
    uint32_t used = 0, single = 0;
    struct point *paired = xcalloc(count, sizeof *paired), *alone = xcalloc(count, sizeof *alone);
    bool *taken = xcalloc(count, sizeof *taken);
    for (uint32_t i = 0; i < count; i++) {
        if (taken[i])
            continue;
        uint32_t other = i + 1;
        /* A kernel's versions are neighbors, so the search is short. */
        while (other < count && points[other].id != points[i].id &&
               strcmp(plan_kernel(plan, &points[other])->name,
                      plan_kernel(plan, &points[i])->name) == 0)
            other++;
        if (other < count && points[other].id == points[i].id) {
            paired[used++] = points[i];
            paired[used++] = points[other];
            taken[other] = true;
        } else {
            alone[single++] = points[i];
        }
    }
    memcpy(points, paired, used * sizeof *points);
    memcpy(points + used, alone, single * sizeof *points);
    free(paired);
    free(alone);
    free(taken);
}

void plan_keep(struct plan *p, const uint64_t *ids, size_t count)
{
    uint32_t points = 0, groups = 0;
    for (uint32_t g = 0; g < p->group_count; g++) {
        struct group kept = {points, 0};
        for (uint32_t i = 0; i < p->groups[g].count; i++) {
            const struct point *point = &p->points[p->groups[g].first + i];
            if (sorted_has(ids, count, point->id))
                p->points[points++] = *point;
        }
        kept.count = points - kept.first;
        if (kept.count)
            p->groups[groups++] = kept;
    }
    p->point_count = points;
    p->group_count = groups;
    plan_keep_used_variants(p);
}

void plan_side(const struct plan *p, int side, struct plan *out)
{
    *out = *p;
    out->groups = NULL;
    out->group_count = out->point_count = 0;
    out->excluded = p->excluded_of[side];
    out->points = xcalloc(p->point_count, sizeof *out->points);
    for (uint32_t i = 0; i < p->point_count; i++)
        if (plan_kernel(p, &p->points[i])->side == side)
            out->points[out->point_count++] = p->points[i];
}
