/* Decides in which order the lanes measure the groups; see agenda.h. */
#include "run/agenda.h"

#include <stdlib.h>

#include "plan/shards.h"

/* A group and the keys by which groups are sorted. */
struct entry {
    uint32_t group;
    bool host;
    double cost;
};

static bool runs_on_host(const struct plan *plan, uint32_t group)
{
    return plan_kernel(plan, &plan->points[plan->groups[group].first])->backend == BACKEND_CPU;
}

static int by_cost(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->host != y->host)
        return x->host ? 1 : -1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->group < y->group ? -1 : x->group > y->group;
}

void agenda_make(struct agenda *a, const struct plan *plan, int lanes)
{
    uint32_t count = plan->group_count;
    struct entry *entries = xcalloc((size_t)count + 1, sizeof *entries);
    for (uint32_t g = 0; g < count; g++)
        entries[g] =
            (struct entry){g, runs_on_host(plan, g), plan_group_cost(plan, &plan->groups[g])};
    if (lanes > 1)
        qsort(entries, count, sizeof *entries, by_cost);
    *a = (struct agenda){.plan = plan};
    for (uint32_t i = count; i > 0; i--)
        vec_push(&a->left, entries[i - 1].group);
    free(entries);
}

void agenda_free(struct agenda *a)
{
    vec_free(&a->left);
}

bool agenda_next(struct agenda *a, int working, uint32_t *group)
{
    if (a->left.count == 0 || (working > 0 && a->exclusive))
        return false;
    *group = a->left.items[a->left.count - 1];
    bool host = runs_on_host(a->plan, *group);
    if (working > 0 && host)
        return false;
    a->exclusive = host;
    a->left.count--;
    return true;
}

void agenda_return(struct agenda *a, uint32_t group)
{
    vec_push(&a->left, group);
}
