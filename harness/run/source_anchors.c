/*
 * The source of the anchors, the points by which cards are compared (record/anchors.h). Every lane
 * measures all of them.
 *
 * The anchors are a few of the sweep's own points: the first and the last point of the group with
 * the smallest input, whose time is mostly that of a launch, and of a larger group, whose time is
 * mostly that of reading memory. Each anchor gets a fixed number of samples, so the anchors take a
 * fraction of a second per card. They are chosen from the plan of the whole sweep, so all shards
 * have the same anchors. A sweep on a single card has no anchors.
 */
#include "run/source_anchors.h"

#include <math.h>
#include <stdlib.h>

#include "base/statistics.h"
#include "plan/shards.h"

#define LARGER_BYTES_MOST (64.0 * 1024 * 1024) /* largest input of the larger group */
enum { ANCHOR_SAMPLES = 20, GROUPS = 2, GROUP_POINTS = ANCHORS_MOST / GROUPS };

struct anchor_source {
    struct source source;
    struct plan plan; /* a plan of only the anchors; the first group has the first GROUP_POINTS
                         points */
    struct group groups[GROUPS];
    struct point points[ANCHORS_MOST];
    struct variant variants[ANCHORS_MOST];
    enum anchor_time when;
};

extern const struct source_kind source_anchors;

static bool is_wanted(const struct sweep *s)
{
    const struct sweep_options *o = s->options;
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    bool several = s->device_count > 1 || o->setup.shard.count > 0;
    return several && !o->gate && info->can_time && !info->no_contents &&
           o->setup.config->timing.max_samples > 0;
}

/*
 * Makes group `to` of the anchors from the first and the last point of `g` that the device can run.
 * Returns false if the device can run no point of `g`, or if the points are CPU functions.
 */
static bool take_ends(struct anchor_source *a, const struct plan *plan, const struct group *g,
                      int to)
{
    const struct point *ends[GROUP_POINTS] = {NULL};
    uint32_t first = (uint32_t)to * GROUP_POINTS, count = 0;
    if (plan_kernel(plan, &plan->points[g->first])->backend == BACKEND_CPU)
        return false;
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        if (!plan->points[i].skip)
            ends[ends[0] != NULL] = &plan->points[i];
    for (; count < GROUP_POINTS && ends[count]; count++) {
        a->points[first + count] = *ends[count];
        a->points[first + count].variant = first + count;
        a->variants[first + count] = plan->variants[ends[count]->variant];
    }
    if (count > 0)
        a->groups[to] = (struct group){first, count};
    return count > 0;
}

static void choose(struct anchor_source *a, const struct plan *plan)
{
    double small = HUGE_VAL, larger = 0;
    for (uint32_t g = 0; g < plan->group_count; g++) {
        double bytes = plan_point_bytes(&plan->points[plan->groups[g].first]);
        if (bytes < small && take_ends(a, plan, &plan->groups[g], 0))
            small = bytes;
        if (bytes > larger && bytes <= LARGER_BYTES_MOST && take_ends(a, plan, &plan->groups[g], 1))
            larger = bytes;
    }
    a->plan.group_count = isinf(small) ? 0 : larger > small ? 2 : 1;
}

static struct source *make(struct sweep *s)
{
    struct anchor_source *a = xcalloc(1, sizeof *a);
    a->source = (struct source){.kind = &source_anchors, .sweep = s, .input = -1, .output = -1};
    a->plan = (struct plan){.config = s->plan->config,
                            .catalogue = s->plan->catalogue,
                            .points = a->points,
                            .variants = a->variants,
                            .groups = a->groups};
    choose(a, s->plan);
    return &a->source;
}

void anchors_make(struct sweep *s)
{
    for (int i = 0; i < s->lane_count; i++)
        for (int when = 0; when < ANCHOR_TIMES; when++)
            for (int k = 0; k < ANCHORS_MOST; k++)
                s->lanes[i].anchor_us[when][k] = NAN;
    if (is_wanted(s))
        s->anchors = make(s);
}

void anchors_measure(struct source *source, enum anchor_time when)
{
    ((struct anchor_source *)source)->when = when;
    for (int i = 0; i < source->sweep->lane_count; i++)
        source->sweep->lanes[i].anchor_groups = 0;
}

static bool next(struct source *source, struct lane *l, struct batch *out, struct error *e)
{
    const struct anchor_source *a = (struct anchor_source *)source;
    (void)e;
    if (l->supervisor.worker == 0 || l->anchor_groups == a->plan.group_count)
        return true;
    const struct group *g = &a->groups[l->anchor_groups++];
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        vec_push(&out->points, i);
    out->plan = &a->plan;
    out->compile = true; /* the variants may not be compiled yet, because this shard may have no
                            points with them */
    out->expendable = true;
    out->sampling.samples = ANCHOR_SAMPLES;
    return true;
}

static bool take(struct source *source, struct lane *l, uint32_t anchor, struct outcome *o,
                 struct error *e)
{
    const struct anchor_source *a = (struct anchor_source *)source;
    struct record *record = source->sweep->sides[0].record;
    record_from(record, l->session);
    if (!record_anchor(record, &a->points[anchor], o, anchor_times[a->when], e))
        return false;
    struct summary times;
    if (status_is_good(o->status) && summarize(o->samples, o->sample_count, &times))
        l->anchor_us[a->when][anchor] = times.median;
    return true;
}

static void release(struct source *source)
{
    free(source);
}

const struct source_kind source_anchors = {
    .name = "anchors", .make = make, .next = next, .take = take, .free = release, .some = true};
