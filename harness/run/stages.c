/*
 * The stages of a sweep. Each is a function that gives an idle lane its next job; the loop runs
 * until no lane has one.
 *
 *   compile       the first lane: all variants, unless the source compiles what it needs
 *   alone         one lane after the other: ceilings, anchors
 *   together      where several devices work at the same time: the same, on all of them
 *   measure       the batches of the sweep's source
 *   end           one lane after the other: ceilings, anchors
 */
#include "run/stages.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "plan/shards.h"
#include "run/dry_run.h"
#include "run/job_ceilings.h"
#include "run/job_compile.h"
#include "run/lane_batch.h"
#include "run/loop.h"
#include "run/party.h"
#include "run/rows.h"
#include "run/source_anchors.h"

/* The lane's next batch of a source, if it has one now. */
static bool next_batch(struct sweep *s, struct lane *l, struct source *source, struct error *e)
{
    struct batch *b = &l->batch;
    b->plan = s->plan;
    b->sampling = (struct sampling){0};
    b->compile = b->expendable = false;
    b->points.count = 0;
    if (!source || !source->kind->next(source, l, b, e))
        return source == NULL;
    if (b->points.count == 0)
        return true;
    b->source = source;
    return batch_begin(s, l, e);
}

static bool begin_ceilings(struct sweep *s, struct lane *l, struct ceilings *out, bool with_checks)
{
    if (l->supervisor.worker)
        ceilings_begin(s, l, out, with_checks);
    else
        ceilings_note_missing(out);
    return true;
}

static bool is_together(const struct sweep *s)
{
    const struct party *party = s->options->party;
    return s->lane_count > 1 || (party && party->most > 1);
}

/* What is checked does not depend on other devices: where there are some, all check at the same
 * time. */
static bool next_alone(struct sweep *s, struct lane *l, struct error *e)
{
    if (l->step++ == 0 && begin_ceilings(s, l, &l->conditions->start, !is_together(s)) &&
        l->state != LANE_IDLE)
        return true;
    return next_batch(s, l, s->anchors, e);
}

static bool next_together(struct sweep *s, struct lane *l, struct error *e)
{
    (void)e;
    if (l->step++ == 0 && l->supervisor.worker)
        ceilings_begin(s, l, &l->conditions->together, true);
    return true;
}

static bool next_anchors(struct sweep *s, struct lane *l, struct error *e)
{
    return next_batch(s, l, s->anchors, e);
}

static bool next_points(struct sweep *s, struct lane *l, struct error *e)
{
    return next_batch(s, l, s->source, e);
}

static bool next_end(struct sweep *s, struct lane *l, struct error *e)
{
    if (l->step++ == 0 && begin_ceilings(s, l, &l->conditions->end, false) && l->state != LANE_IDLE)
        return true;
    return next_batch(s, l, s->anchors, e);
}

static bool run_stage(struct sweep *s, lane_next *next, bool in_turn, enum anchor_time when,
                      struct error *e)
{
    for (int i = 0; i < s->lane_count; i++)
        s->lanes[i].step = 0;
    if (s->anchors)
        anchors_measure(s->anchors, when);
    return loop_run(s, next, in_turn, NULL, e);
}

static bool compile_all(struct sweep *s, struct error *e)
{
    double since = clock_now_s();
    s->uncompiled = xcalloc((size_t)s->plan->variant_count + 1, sizeof *s->uncompiled);
    bool ok = loop_run(s, compile_next, false, NULL, e);
    s->conditions->phases.compile_s = clock_now_s() - since;
    progress_end(&s->progress);
    return ok;
}

/* Before the points. A lane that a signal has kept from measuring its ceilings says so. */
static bool measure_ceilings(struct sweep *s, struct error *e)
{
    bool ok = run_stage(s, next_alone, true, ANCHOR_START, e);
    for (int i = 0; i < s->lane_count; i++)
        if (s->lanes[i].step == 0)
            ceilings_note_missing(&s->lanes[i].conditions->start);
    party_meet(s->options->party, PARTY_ALONE);
    if (is_together(s))
        ok = ok && run_stage(s, next_together, false, ANCHOR_TOGETHER, e) &&
             run_stage(s, next_anchors, false, ANCHOR_TOGETHER, e);
    return ok;
}

/* Of the points that have no row yet. */
static void begin_time_left(struct sweep *s)
{
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    time_left_begin(&s->time_left, plan_point_cost(&s->options->setup.config->timing, info, 0));
    for (uint32_t i = 0; i < s->plan->point_count; i++)
        if (!rows_has(s, i) && !s->plan->points[i].skip)
            time_left_add(&s->time_left, plan_point_bytes(&s->plan->points[i]));
}

static bool measure_points(struct sweep *s, struct error *e)
{
    double since = clock_now_s();
    progress_start(&s->progress, "measuring",
                   s->source->kind->some ? 0 : s->plan->point_count - s->recorded_count,
                   s->options->quiet);
    begin_time_left(s);
    bool ok = loop_run(s, next_points, false, s->source, e);
    if (sweep_stop_signal)
        s->result->stopped = true;
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        double until = l->measured_until_s;
        l->conditions->phases.measuring_s = until > since ? until - since : 0;
        batch_end(l);
        free(l->request);
        l->request = NULL;
    }
    ok = ok && rows_flush(s, e);
    progress_end(&s->progress);
    return ok;
}

bool stages_run(struct sweep *s, struct error *e)
{
    const struct party *party = s->options->party;
    if (!compile_all(s, e))
        return false;
    party_meet(party, PARTY_COMPILED);
    bool ok = measure_ceilings(s, e);
    ok = ok && sweep_update(s, e) && measure_points(s, e);
    party_meet(party, PARTY_MEASURED);
    if (ok && !s->result->stopped) {
        ok = run_stage(s, next_end, true, ANCHOR_END, e);
        for (int i = 0; i < s->lane_count; i++)
            if (s->lanes[i].step == 0 && s->lanes[i].state != LANE_ENDED)
                ceilings_note_missing(&s->lanes[i].conditions->end);
    }
    if (s->source->kind->end)
        s->source->kind->end(s);
    return ok;
}
