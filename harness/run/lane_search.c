/*
 * A search by transfer: batches of points of a group, chosen from what the ones before brought, in
 * place of all of its points at once.
 *
 * Groups that differ in n alone make a chain. A lane that takes the first group of a chain searches
 * all of them, in the order of n, each beginning where the one before ended; the chain's other
 * groups are passed over when the agenda gives them.
 *
 * A group's rows are written when its search is over, and then its finding is put into run.json. A
 * search that is resumed begins with the first group that has no finding; rows of such a group are
 * taken out. What it then chooses is what it would have chosen without the interruption.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "run/sweep_state.h"
#include "search/finding.h"

/* The search of a lane's group. */
struct lane_search {
    struct transfer_search transfer;
    struct search_batch batch;
    struct outcome **kept; /* by position in the group: the last outcome of a point that was
                              measured; owned with its metrics */
    double until_s;        /* no descent begins after that, as clock_now_s() */
    uint32_t best;         /* so far, as transfer_best() */
    struct text progress;  /* as in struct search_finding */
};

static const struct config_search *config_of(const struct sweep *s)
{
    return &s->options->setup.config->search;
}

bool sweep_searches(const struct sweep *s)
{
    return config_of(s)->strategy == SEARCH_TRANSFER;
}

/* Whether b is the same problem as a, at another n. */
static bool same_chain(const struct plan *plan, const struct point *a, const struct point *b)
{
    const struct kernel *x = plan_kernel(plan, a), *y = plan_kernel(plan, b);
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if ((i == AXIS_type || i == AXIS_op || i == AXIS_cache || axis_is_run_time(i)) &&
            point_value(a, i) != point_value(b, i))
            return false;
    return x->backend == y->backend && x->workload == y->workload;
}

/* The group of the same problem at the next n in this direction; NO_GROUP: there is none. */
static uint32_t next_in_chain(const struct plan *plan, uint32_t group, bool larger)
{
    const struct point *from = &plan->points[plan->groups[group].first];
    uint32_t found = NO_GROUP;
    for (uint32_t g = 0; g < plan->group_count; g++) {
        const struct point *p = &plan->points[plan->groups[g].first];
        if ((larger ? p->n <= from->n : p->n >= from->n) || !same_chain(plan, from, p))
            continue;
        const struct point *best =
            found == NO_GROUP ? NULL : &plan->points[plan->groups[found].first];
        if (!best || (larger ? p->n < best->n : p->n > best->n))
            found = g;
    }
    return found;
}

/* What an earlier session, or this one, found of a group whose rows are all there; else NULL. */
static const struct search_finding *finding_of(const struct sweep *s, uint32_t group)
{
    char first[17];
    const struct manifest *m = &s->sides[0].manifest;
    snprintf(first, sizeof first, "%016" PRIx64, s->plan->points[s->plan->groups[group].first].id);
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++)
            if (strcmp(m->sessions.items[i].searches.items[k].first, first) == 0)
                return &m->sessions.items[i].searches.items[k];
    return NULL;
}

uint32_t sweep_chain_begin(const struct sweep *s, uint32_t group)
{
    uint32_t before;
    while ((before = next_in_chain(s->plan, group, false)) != NO_GROUP)
        group = before;
    return group;
}

bool sweep_drop_unfinished(struct sweep *s, struct error *e)
{
    struct recorded found, unfinished = {0};
    if (!sweep_searches(s))
        return true;
    bool ok = recorded_find(s->result->folder, &found, e);
    for (uint32_t g = 0; ok && g < s->plan->group_count; g++) {
        const struct group *group = &s->plan->groups[g];
        for (uint32_t i = group->first; i < group->first + group->count && !finding_of(s, g); i++)
            if (recorded_has(&found, s->plan->points[i].id))
                vec_push(&unfinished.ids, s->plan->points[i].id);
    }
    recorded_sort(&unfinished);
    ok = ok && record_take_out_points(s->result->folder, &unfinished, e);
    recorded_free(&unfinished);
    recorded_free(&found);
    return ok;
}

/* The finalists of a group that is finished, best first; how many. */
static uint32_t read_tops(const struct sweep *s, uint32_t group, uint32_t *tops)
{
    const struct group *g = &s->plan->groups[group];
    const char *at = finding_of(s, group)->tops;
    uint32_t count = 0, most = (uint32_t)config_of(s)->finalists;
    for (char *end; *at && count < most; at = end + (*end == ' ')) {
        uint64_t id = strtoull(at, &end, 16);
        if (end == at)
            break;
        for (uint32_t i = g->first; i < g->first + g->count && count < most; i++)
            if (s->plan->points[i].id == id)
                tops[count++] = i;
    }
    return count;
}

/* When the descent of a group has to end: each group that is left has an equal share
 * of the rest. */
static double time_limit(struct sweep *s)
{
    double limit = config_of(s)->time_limit_s, now = clock_now_s();
    uint32_t left = 0;
    if (s->search_since_s == 0)
        s->search_since_s = now;
    for (uint32_t g = 0; g < s->plan->group_count; g++)
        left += !finding_of(s, g);
    return limit > 0 && left > 0 ? now + (s->search_since_s + limit - now) / left : INFINITY;
}

/* What was measured of a group that is finished, in this session or an earlier one. */
static void observe_rows(const struct sweep *s, uint32_t group, struct observations *out)
{
    const struct group *g = &s->plan->groups[group];
    for (uint32_t i = g->first; i < g->first + g->count; i++) {
        const struct row_times *t = &s->rows[i];
        if (rows_has(s, i) && t->median > 0 && t->samples > 0)
            vec_push(&out->list, (struct observed){i, t->median, t->stdev, t->samples});
    }
}

static void begin(struct sweep *s, struct lane *l, uint32_t group, const uint32_t *tops,
                  uint32_t count, const struct observations *before)
{
    lane_begin_group(s, l, group);
    const struct group *g = &s->plan->groups[group];
    for (uint32_t i = 0; i < g->count; i++)
        l->done[i] = true; /* until it is asked for */
    l->search = xcalloc(1, sizeof *l->search);
    l->search->kept = xcalloc(g->count, sizeof *l->search->kept);
    l->search->until_s = time_limit(s);
    l->search->best = UINT32_MAX;
    transfer_begin(&l->search->transfer, s->plan, group, config_of(s), tops, count, before);
}

/* Begins with the group behind `last`, which is finished (NO_GROUP: with `at`); none may be. */
static void go_on(struct sweep *s, struct lane *l, uint32_t last, uint32_t at)
{
    uint32_t *tops = xcalloc((size_t)config_of(s)->finalists, sizeof *tops), count = 0;
    struct observations before = {0};
    if (last != NO_GROUP && at != NO_GROUP) {
        count = read_tops(s, last, tops);
        observe_rows(s, last, &before);
    }
    if (at != NO_GROUP)
        begin(s, l, at, tops, count, &before);
    vec_free(&before.list);
    free(tops);
}

void lane_search_begin(struct sweep *s, struct lane *l, uint32_t group)
{
    uint32_t last = NO_GROUP;
    if (next_in_chain(s->plan, group, false) != NO_GROUP)
        return;
    while (group != NO_GROUP && finding_of(s, group)) {
        last = group;
        group = next_in_chain(s->plan, group, true);
    }
    go_on(s, l, last, group);
}

void lane_search_keep(struct lane *l, uint32_t place, const struct outcome *o,
                      const struct pending *p)
{
    struct lane_search *search = l->search;
    struct outcome **kept = &search->kept[place];
    uint32_t point = search->transfer.group.first + place;
    if (*kept)
        free((double *)(*kept)->metrics);
    free(*kept);
    *kept = xmalloc(sizeof **kept);
    **kept = *o;
    (*kept)->metrics = p->metrics;
    transfer_take(&search->transfer, point, p->samples.items,
                  status_is_good(o->status) ? p->samples.count : 0);
}

void lane_search_free(struct lane *l)
{
    struct lane_search *search = l->search;
    if (!search)
        return;
    for (uint32_t i = 0; i < search->transfer.group.count; i++) {
        if (search->kept[i])
            free((double *)search->kept[i]->metrics);
        free(search->kept[i]);
    }
    free(search->kept);
    transfer_end(&search->transfer);
    vec_free(&search->batch.points);
    text_free(&search->progress);
    free(search);
    l->search = NULL;
}

const struct sampling *lane_search_sampling(const struct lane *l)
{
    return &l->search->batch.sampling;
}

/* The rows of all points that were measured, then the finding. */
static bool record_group(struct sweep *s, struct lane *l, struct error *e)
{
    const struct transfer_search *t = &l->search->transfer;
    for (uint32_t i = 0; i < t->group.count; i++) {
        struct outcome *o = l->search->kept[i];
        if (!o)
            continue;
        o->samples = t->points[i].samples.items;
        o->sample_count = t->points[i].samples.count;
        if (status_is_good(o->status) && !t->points[i].finalist)
            snprintf(o->stopped_by, sizeof o->stopped_by, RECORD_RACED);
        if (!lane_write_row(s, l, t->group.first + i, o, e))
            return false;
    }
    if (!sweep_flush(s, e))
        return false;
    struct search_finding finding;
    finding_make(t, l->supervisor.hello.info.time_step_us, &finding);
    member_set(&finding.progress, l->search->progress.bytes);
    vec_push(&l->conditions->searches, finding);
    return sweep_update(s, e);
}

/* After a batch: what the search would answer now, if that is something else than before, and after
 * the final. */
static void note_progress(struct lane_search *search)
{
    char now[32];
    uint32_t best = transfer_best(&search->transfer);
    if (best == UINT32_MAX || (best == search->best && search->transfer.phase != TRANSFER_DONE))
        return;
    search->best = best;
    text_append(&search->progress, "%s%s %016" PRIx64, search->progress.length ? " " : "",
                clock_utc_now(now), search->transfer.plan->points[best].id);
}

bool lane_search_step(struct sweep *s, struct lane *l, struct error *e)
{
    struct lane_search *search = l->search;
    struct transfer_search *t = &search->transfer;
    l->solo = false;
    note_progress(search);
    t->hurry = clock_now_s() > search->until_s;
    if (transfer_next(t, &search->batch)) {
        for (size_t i = 0; i < search->batch.points.count; i++)
            l->done[search->batch.points.items[i] - t->group.first] = false;
        return lane_record_unmeasured(s, l, e);
    }
    if (!record_group(s, l, e))
        return false;
    uint32_t last = l->group;
    lane_end_group(s, l);
    go_on(s, l, last, next_in_chain(s->plan, last, true));
    return true;
}

void sweep_summarize_search(const struct sweep *s, char *out, size_t size)
{
    const struct manifest *m = &s->sides[0].manifest;
    int64_t problems = 0, points = 0, measured = 0, probes = 0, within = 0;
    double share = 0;
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++) {
            const struct search_finding *f = &m->sessions.items[i].searches.items[k];
            problems++;
            points += f->points;
            measured += f->measured;
            probes += f->probes;
            within += f->within > 0 ? f->within : 0;
            share = fmax(share, f->better_share);
        }
    if (problems > 0)
        snprintf(out, size,
                 "search: %" PRId64 " of %" PRId64 " points measured; of %" PRId64
                 " random ones %" PRId64 " were within 1 %% of the best of their n. From these "
                 "alone, with a confidence of 95 %%: at each n at most %.2g %% of the points are "
                 "faster than what was found",
                 measured, points, probes, within, 100 * share);
}
