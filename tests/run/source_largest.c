/* A complete search strategy, which docs/internals.md explains. It measures all points, starting
 * with the largest n. */
#include <stdlib.h>

#include "run/source_all.h"
#include "run/sweep_state.h"

extern const struct source_kind source_largest;

/* The agenda returns its last group first. */
static int by_n(const void *a, const void *b, void *context)
{
    const struct plan *plan = context;
    uint64_t x = plan->points[plan->groups[*(const uint32_t *)a].first].n;
    uint64_t y = plan->points[plan->groups[*(const uint32_t *)b].first].n;
    return (x > y) - (x < y);
}

static struct source *make(struct sweep *s)
{
    struct all_points *a = xcalloc(1, sizeof *a);
    all_begin(a, &source_largest, s);
    if (a->agenda.left.count > 0)
        qsort_r(a->agenda.left.items, a->agenda.left.count, sizeof *a->agenda.left.items, by_n,
                s->plan);
    return &a->source;
}

const struct source_kind source_largest = {.name = "largest",
                                           .make = make,
                                           .next = all_next,
                                           .take = all_take,
                                           .drop = all_drop,
                                           .free = all_free};
