/*
 * The stages of sweeps. A sweep has a lane for each of its devices, and each stage gives jobs to
 * the lanes. When no lane of any sweep has a job left, all sweeps begin the next stage together.
 * Thus, with `--each`, the devices wait for each other.
 *
 * What the lanes do in each stage:
 *
 *   open          all lanes open their devices; the first lane also plans and asks for counters
 *   compile       the first lane compiles all variants, unless the source compiles what it needs
 *   alone         one lane after the other measures its ceilings and anchors
 *   together      all lanes measure their ceilings at the same time, if there are several devices
 *   anchors       all lanes measure their anchors at the same time, if there are several devices
 *   measure       all lanes measure the batches of the sweep's source
 *   last          one lane after the other measures its ceilings and anchors
 */
#include "run/stages.h"

#include <stdlib.h>

#include "base/clock.h"
#include "run/begin.h"
#include "run/job_ceilings.h"
#include "run/job_compile.h"
#include "run/job_open.h"
#include "run/lane_batch.h"
#include "run/loop.h"
#include "run/request_time.h"
#include "run/rows.h"
#include "run/source_anchors.h"

/* Asks the source for the lane's next batch. Begins the batch, if the source returns one. */
static bool next_batch(struct lane *l, struct source *source, struct error *e)
{
    struct sweep *s = l->sweep;
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
    return batch_begin(l, e);
}

/* ---- Compiling ------------------------------------------------------------------------------- */

static void begin_compile(struct sweep *s)
{
    s->uncompiled = xcalloc((size_t)s->plan->variant_count + 1, sizeof *s->uncompiled);
    s->told = xcalloc((size_t)s->plan->variant_count + 1, sizeof *s->told);
    s->stage_since_s = clock_now_s();
}

static bool end_compile(struct sweep *s, struct error *e)
{
    (void)e;
    s->conditions->phases.compile_s = clock_now_s() - s->stage_since_s;
    progress_clear(&s->progress);
    return true;
}

/* ---- Ceilings and anchors -------------------------------------------------------------------- */

static void begin_anchors(struct sweep *s, enum anchor_time when)
{
    if (s->anchors)
        anchors_measure(s->anchors, when);
}

/* Measures the lane's ceilings, if it has a worker, and then its anchors. */
static bool next_ceilings(struct lane *l, struct ceilings *out, bool with_checks, struct error *e)
{
    bool first = l->step++ == 0;
    if (first && l->supervisor.worker)
        ceilings_begin(l, out, with_checks);
    else if (first)
        ceilings_note_missing(out);
    return l->state != LANE_IDLE || next_batch(l, l->sweep->anchors, e);
}

static void begin_alone(struct sweep *s)
{
    begin_anchors(s, ANCHOR_START);
}

/*
 * Measures the lane's ceilings and anchors while all other lanes wait. With a single device, the
 * self-checks run now. With several devices, they run in the next stage, on all devices at the same
 * time, because other devices do not change the results of self-checks.
 */
static bool next_alone(struct lane *l, struct error *e)
{
    return next_ceilings(l, &l->conditions->start, l->sweep->device_count == 1, e);
}

/*
 * If a signal stopped the sweep, records why ceilings are missing, for each lane that had not begun
 * to measure them.
 */
static bool end_alone(struct sweep *s, struct error *e)
{
    (void)e;
    for (int i = 0; i < s->lane_count; i++)
        if (s->lanes[i].step == 0)
            ceilings_note_missing(&s->lanes[i].conditions->start);
    return true;
}

static void begin_together(struct sweep *s)
{
    begin_anchors(s, ANCHOR_TOGETHER);
}

static bool next_together(struct lane *l, struct error *e)
{
    (void)e;
    if (l->sweep->device_count > 1 && l->step++ == 0 && l->supervisor.worker)
        ceilings_begin(l, &l->conditions->together, true);
    return true;
}

static bool next_anchors(struct lane *l, struct error *e)
{
    return l->sweep->device_count == 1 || next_batch(l, l->sweep->anchors, e);
}

static void begin_last(struct sweep *s)
{
    begin_anchors(s, ANCHOR_END);
    s->over = s->result->stopped;
}

static bool next_last(struct lane *l, struct error *e)
{
    return next_ceilings(l, &l->conditions->end, false, e);
}

static bool end_last(struct sweep *s, struct error *e)
{
    (void)e;
    for (int i = 0; i < s->lane_count; i++)
        if (s->lanes[i].step == 0 && s->lanes[i].state != LANE_ENDED)
            ceilings_note_missing(&s->lanes[i].conditions->end);
    return true;
}

/* ---- Points ---------------------------------------------------------------------------------- */

static void begin_points(struct sweep *s)
{
    s->stage_since_s = clock_now_s();
    progress_start(&s->progress, "measuring",
                   s->source->kind->some ? 0 : s->plan->point_count - s->recorded_count,
                   s->options->quiet);
    requests_begin(s);
}

static bool next_points(struct lane *l, struct error *e)
{
    return next_batch(l, l->sweep->source, e);
}

static bool end_points(struct sweep *s, struct error *e)
{
    s->result->stopped = s->result->stopped || sweep_stop_signal;
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        double measured_s = l->measured_until_s - s->stage_since_s;
        l->conditions->phases.measuring_s = measured_s > 0 ? measured_s : 0;
        batch_end(l);
    }
    progress_clear(&s->progress);
    return rows_flush(s, e);
}

static const struct stage stages[] = {
    {NULL, open_next, sweep_begin, .in_turn = false},
    {begin_compile, compile_next, end_compile, .in_turn = false},
    {begin_alone, next_alone, end_alone, .in_turn = true},
    {begin_together, next_together, NULL, .in_turn = false},
    {NULL, next_anchors, sweep_update, .in_turn = false},
    {begin_points, next_points, end_points, .asks = true},
    {begin_last, next_last, end_last, .in_turn = true},
};

void stages_run(struct sweeps *all)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        loop_run(all, &stages[i]);
}
