/*
 * The source that measures all points of the plan, group by group, in the order of the agenda. The
 * points of a group are ranked against each other, so one device must measure all of them. If a
 * lane cannot finish a group, the group's rows are removed, and another lane measures the whole
 * group.
 */
#include "run/source_all.h"

#include <stdlib.h>

#include "run/lane.h"
#include "run/rows.h"
#include "run/sweep_state.h"

void all_begin(struct all_points *a, const struct source_kind *kind, struct sweep *s)
{
    a->source = (struct source){.kind = kind, .sweep = s, .input = -1, .output = -1};
    agenda_make(&a->agenda, s->plan, s->lane_count);
    a->group = xcalloc((size_t)s->lane_count, sizeof *a->group);
}

static struct source *make(struct sweep *s)
{
    struct all_points *a = xcalloc(1, sizeof *a);
    all_begin(a, &source_all, s);
    return &a->source;
}

bool all_next(struct source *source, struct lane *l, struct batch *out, struct error *e)
{
    struct all_points *a = (struct all_points *)source;
    const struct sweep *s = source->sweep;
    uint32_t *group = &a->group[l - s->lanes];
    (void)e;
    while (out->points.count == 0 && agenda_next(&a->agenda, sweep_working(s), group)) {
        const struct group *g = &s->plan->groups[*group];
        for (uint32_t i = g->first; i < g->first + g->count; i++)
            if (!rows_has(s, i))
                vec_push(&out->points, i);
    }
    return true;
}

bool all_take(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
              struct error *e)
{
    (void)source;
    return rows_write(l, point, o, e);
}

bool all_drop(struct source *source, struct lane *l, struct error *e)
{
    struct all_points *a = (struct all_points *)source;
    if (!rows_drop(l, e))
        return false;
    agenda_return(&a->agenda, a->group[l - source->sweep->lanes]);
    return true;
}

void all_free(struct source *source)
{
    struct all_points *a = (struct all_points *)source;
    agenda_free(&a->agenda);
    free(a->group);
    free(a);
}

const struct source_kind source_all = {.name = "exhaustive",
                                       .make = make,
                                       .next = all_next,
                                       .take = all_take,
                                       .drop = all_drop,
                                       .free = all_free};
