/* Writes the rows of a sweep; see rows.h. */
#include "run/rows.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "plan/shards.h"
#include "record/flags.h"

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

static struct sweep_side *side_of(struct sweep *s, uint32_t point)
{
    return &s->sides[s->side_count > 1 ? plan_kernel(s->plan, &s->plan->points[point])->side : 0];
}

bool rows_flush(struct sweep *s, struct error *e)
{
    double since = clock_now_s();
    s->waiting_since_s = 0;
    bool ok = true;
    for (int i = 0; i < s->side_count; i++)
        ok = ok && record_flush(s->sides[i].record, e);
    s->conditions->phases.record_s += clock_now_s() - since;
    return ok;
}

bool rows_flush_late(struct sweep *s, struct error *e)
{
    bool late = s->waiting_since_s > 0 && clock_now_s() - s->waiting_since_s > SWEEP_FLUSH_AFTER_S;
    return !late || rows_flush(s, e);
}

static void add_mark(const char *mark, struct outcome *o)
{
    char reason[sizeof o->reason];
    if (!mark[0])
        return;
    o->flags |= FLAG_RESUMED;
    memcpy(reason, o->reason, sizeof reason);
    text_fit(o->reason, sizeof o->reason, "%.*s%s%s", MARK_SIZE - 1, mark, reason[0] ? "; " : "",
             reason);
}

/*
 * Returns whether the compiler error of a point was printed before, and notes that it has been
 * printed. All points of a variant have the same compiler error, so the message is printed only
 * once.
 */
static bool is_told(struct sweep *s, uint32_t point, const struct outcome *o)
{
    if (o->status != STATUS_COMPILE_ERROR || !s->told)
        return false;
    bool *told = &s->told[s->plan->points[point].variant], before = *told;
    *told = true;
    return before;
}

bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e)
{
    struct sweep *s = l->sweep;
    add_mark(s->mark, o);
    struct sweep_side *side = side_of(s, point);
    record_from(side->record, l->session);
    if (!record_add(side->record, &s->plan->points[point], o, e))
        return false;
    s->rows[point] = record_added(side->record).times;
    if (s->waiting_since_s == 0)
        s->waiting_since_s = clock_now_s();
    s->result->by_status[o->status]++;
    l->by_status[o->status]++;
    s->result->rows++;
    if (!status_is_good(o->status) && o->status != STATUS_SKIPPED && !is_told(s, point, o)) {
        char label[256];
        progress_clear(&s->progress);
        fprintf(stderr, "%s%s%s: %s: %s\n", side->name, *side->name ? ": " : "",
                status_name(o->status),
                plan_point_label(s->plan, &s->plan->points[point], label, sizeof label), o->reason);
    }
    return true;
}

struct row_added rows_last(struct sweep *s, uint32_t point)
{
    return record_added(side_of(s, point)->record);
}

struct time_left *rows_time_left(struct sweep *s, const struct point *point)
{
    return &s->time_left[plan_kernel(s->plan, point)->backend == BACKEND_CPU];
}

void rows_left(struct sweep *s, const struct point *point, double points)
{
    if (!point->skip)
        time_left_add(rows_time_left(s, point), plan_point_bytes(point), points);
}

bool rows_drop(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    struct recorded points = {0};
    for (uint32_t i = 0; i < l->batch.points.count; i++)
        if (l->done[i]) {
            vec_push(&points.ids, s->plan->points[l->batch.points.items[i]].id);
            s->rows[l->batch.points.items[i]].status = STATUS_COUNT;
            rows_left(s, &s->plan->points[l->batch.points.items[i]], 1);
        }
    recorded_sort(&points);
    bool ok = rows_flush(s, e) && record_drop(s->sides[0].record, &points, e);
    for (int status = 0; ok && status < STATUS_COUNT; status++) {
        s->result->by_status[status] -= l->by_status[status];
        s->result->rows -= l->by_status[status];
    }
    recorded_free(&points);
    return ok;
}

bool sweep_update(struct sweep *s, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < s->side_count; i++)
        ok = record_update(s->sides[i].record, e);
    return ok;
}
