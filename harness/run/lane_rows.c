/*
 * What a lane's worker reports, as rows: samples, counts and outcomes of the points of its group,
 * and a row for each point that is not measured or that nobody could report on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/sweep_state.h"

enum { PRINTED_LINES_MAX = 100 /* of a point */ };

uint32_t lane_place(const struct sweep *s, const struct lane *l, uint32_t point)
{
    return point - s->plan->groups[l->group].first;
}

void pending_clear(struct pending *p)
{
    vec_free(&p->samples);
    free(p->metrics);
    p->metrics = NULL;
}

static void add_mark(const char *mark, struct outcome *o)
{
    char reason[sizeof o->reason];
    if (!mark[0])
        return;
    memcpy(reason, o->reason, sizeof reason);
    snprintf(o->reason, sizeof o->reason, "%.400s%s%.600s", mark, reason[0] ? "; " : "", reason);
}

void rows_begin(struct sweep *s)
{
    s->rows = xcalloc((size_t)s->plan->point_count + 1, sizeof *s->rows);
    for (uint32_t i = 0; i < s->plan->point_count; i++)
        s->rows[i].status = STATUS_COUNT;
}

void rows_take_earlier(struct sweep *s, const struct recorded *found)
{
    for (uint32_t i = 0; i < s->plan->point_count; i++) {
        const struct row_times *times = recorded_times(found, s->plan->points[i].id);
        if (!times)
            continue;
        s->rows[i] = *times;
        s->recorded_count++;
    }
}

bool rows_has(const struct sweep *s, uint32_t point)
{
    return s->rows[point].status != STATUS_COUNT;
}

bool sweep_flush(struct sweep *s, struct error *e)
{
    double since = clock_now_s();
    s->waiting_since_s = 0;
    bool ok = true;
    for (int i = 0; i < s->side_count; i++)
        ok = ok && record_flush(s->sides[i].record, e);
    s->conditions->phases.record_s += clock_now_s() - since;
    return ok;
}

/* Puts rows on disk that have waited long enough for others. */
bool sweep_flush_late(struct sweep *s, struct error *e)
{
    bool late = s->waiting_since_s > 0 && clock_now_s() - s->waiting_since_s > SWEEP_FLUSH_AFTER_S;
    return !late || sweep_flush(s, e);
}

bool lane_write_row(struct sweep *s, struct lane *l, uint32_t point, struct outcome *o,
                    struct error *e)
{
    add_mark(s->mark, o);
    struct sweep_side *side = sweep_side_of(s, point);
    record_from(side->record, l->session);
    if (!record_add(side->record, &s->plan->points[point], o, e))
        return false;
    const struct row_added added = record_added(side->record);
    s->rows[point] = added.times;
    if (s->answers)
        s->answers[point] = xstrndup(added.line, added.length);
    if (s->waiting_since_s == 0)
        s->waiting_since_s = clock_now_s();
    s->result->by_status[o->status]++;
    l->by_status[o->status]++;
    s->result->rows++;
    if (!status_is_good(o->status) && o->status != STATUS_SKIPPED) {
        char label[256];
        progress_clear(&s->progress);
        const char *name = sweep_side_name(s, side);
        fprintf(stderr, "%s%s%s: %s: %s\n", name, *name ? ": " : "", status_name(o->status),
                plan_point_label(s->plan, &s->plan->points[point], label, sizeof label), o->reason);
    }
    return true;
}

/* What became of a point: its row, or, in a search, what the search goes on with. */
static bool record_point(struct sweep *s, struct lane *l, uint32_t point, struct outcome *o,
                         struct error *e)
{
    uint32_t place = lane_place(s, l, point);
    struct pending *p = &l->pending[place];
    o->samples = p->samples.items;
    o->sample_count = p->samples.count;
    o->metrics = p->metrics;
    if (l->search) {
        lane_search_keep(l, place, o, p);
        p->metrics = NULL;
    } else if (!lane_write_row(s, l, point, o, e)) {
        return false;
    }
    give_up_note(s, l, point, o->status);
    if (status_is_good(o->status))
        l->lost_in_a_row = 0;
    pending_clear(p);
    l->done[place] = true;
    return true;
}

/* A row for a point that the worker could not report on, with the samples that it had sent. */
bool lane_record_failure(struct sweep *s, struct lane *l, uint32_t point, enum status status,
                         const char *reason, struct error *e)
{
    struct outcome o;
    outcome_clear(&o);
    o.status = status;
    snprintf(o.reason, sizeof o.reason, "%.1023s", reason);
    return record_point(s, l, point, &o, e);
}

/* The rows of points that are not measured: skipped ones, those without code, and those of kernels
 * that were given up. */
bool lane_record_unmeasured(struct sweep *s, struct lane *l, struct error *e)
{
    const struct group *g = &s->plan->groups[l->group];
    for (uint32_t i = g->first; i < g->first + g->count; i++) {
        const struct point *point = &s->plan->points[i];
        if (l->done[i - g->first])
            continue;
        const char *uncompiled = point->skip ? NULL : s->uncompiled[point->variant];
        const char *given_up = give_up_reason(s, i);
        if (point->skip &&
            !lane_record_failure(s, l, i, STATUS_SKIPPED, s->plan->reasons[point->skip], e))
            return false;
        if (uncompiled && !lane_record_failure(s, l, i, STATUS_COMPILE_ERROR, uncompiled, e))
            return false;
        if (given_up && !point->skip && !uncompiled &&
            !lane_record_failure(s, l, i, STATUS_SKIPPED, given_up, e))
            return false;
    }
    return true;
}

static void take_samples(struct pending *p, const struct report *r)
{
    if (r->count == 0) {
        p->samples.count = 0;
        return;
    }
    vec_reserve(&p->samples, p->samples.count + r->count);
    memcpy(p->samples.items + p->samples.count, r->values, r->count * sizeof *r->values);
    p->samples.count += r->count;
}

static void take_counts(struct sweep *s, struct pending *p, const struct report *r)
{
    free(p->metrics);
    p->metrics = xcalloc((size_t)s->metrics.count, sizeof *p->metrics);
    for (int i = 0; i < s->metrics.count; i++)
        p->metrics[i] = metric_value(&s->metrics, i, r->values);
}

static bool take_outcome(struct sweep *s, struct lane *l, const struct report *r, struct error *e)
{
    struct outcome o = *r->outcome;
    char label[256];
    bool ok = record_point(s, l, r->point, &o, e);
    progress_show(&s->progress, s->result->rows - s->recorded_count,
                  plan_point_label(s->plan, &s->plan->points[r->point], label, sizeof label));
    return ok;
}

bool lane_take_report(struct sweep *s, struct lane *l, const struct report *r, struct error *e)
{
    switch (r->type) {
    case REPORT_BEGIN:
        l->begun = r->point;
        return true;
    case REPORT_CHECKED:
        l->lost_in_a_row = 0;
        give_up_passed(s, l, r->point);
        return true;
    case REPORT_SAMPLES:
        take_samples(&l->pending[lane_place(s, l, r->point)], r);
        return true;
    case REPORT_COUNTS:
        take_counts(s, &l->pending[lane_place(s, l, r->point)], r);
        return true;
    default:
        return take_outcome(s, l, r, e);
    }
}

/* What a kernel prints is told once for each point, as far as it is of use. */
void lane_show_printed(struct sweep *s, struct lane *l, const char *line)
{
    char label[256] = "a kernel";
    bool new = l->printed_by != l->begun + 1ull;
    if (new) {
        l->printed_by = l->begun + 1ull;
        l->printed_lines = 0;
    }
    if (++l->printed_lines > PRINTED_LINES_MAX + 1)
        return;
    progress_clear(&s->progress);
    if (new && l->begun != POINT_BATCH)
        plan_point_label(s->plan, &s->plan->points[l->begun], label, sizeof label);
    if (new)
        fprintf(stderr, "printed by %s:\n", label);
    if (l->printed_lines <= PRINTED_LINES_MAX)
        fprintf(stderr, "    %s\n", line);
    else
        fprintf(stderr, "    … further lines of this point are not shown\n");
}
