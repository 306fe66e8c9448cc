/*
 * One group of points and the worker that measures it: whatever happens to the worker costs the
 * point that it was working on.
 *
 * A worker that dies or exceeds the point's time limit is replaced. When a single point had been
 * begun, that point is blamed, keeps the samples that had come in, and the rest of its group goes
 * on; when a batch was running, the rest of the group is measured one point a request, so that the
 * culprit shows itself. After three points in a row that cost a worker, without a right result
 * between them, the run stops.
 *
 * What a request brought is on disk, written and synced, before the next one is sent.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/sweep_state.h"
#include "base/clock.h"

#define FLUSH_AFTER_S 0.1 /* how long a row may wait for its place on disk */

enum {
    LOST_IN_A_ROW_MOST = 3,
    REQUEST_MOST = 1024,   /* points measured together: what a loss can cost, at most */
    BATCH_LIMIT_MOST = 30, /* a batch has the time of its points, but of so many at most */
    REOPEN_WAIT_US = 500 * 1000
};

static struct pending *pending_of(struct sweep *s, uint32_t point)
{
    const struct group *g = &s->plan->groups[s->group];
    if (point < g->first || point - g->first >= g->count)
        return NULL;
    return &s->pending[point - g->first];
}

static void pending_clear(struct pending *p)
{
    free(p->samples);
    free(p->metrics);
    p->samples = p->metrics = NULL;
    p->sample_count = p->sample_capacity = 0;
}

static void add_mark(const char *mark, struct outcome *o)
{
    char reason[sizeof o->reason];
    if (!mark[0])
        return;
    memcpy(reason, o->reason, sizeof reason);
    snprintf(o->reason, sizeof o->reason, "%.400s%s%.600s", mark, reason[0] ? "; " : "", reason);
}

bool sweep_flush(struct sweep *s, struct error *e)
{
    double since = clock_now_s();
    s->waiting_since_s = 0;
    bool ok = record_flush(s->record, e);
    s->conditions.phases.record_s += clock_now_s() - since;
    return ok;
}

/* Puts rows on disk that have waited long enough for others. */
static bool flush_late(struct sweep *s, struct error *e)
{
    bool late = s->waiting_since_s > 0 && clock_now_s() - s->waiting_since_s > FLUSH_AFTER_S;
    return !late || sweep_flush(s, e);
}

/* One row; it waits a little for others that go to disk with it. */
static bool record_point(struct sweep *s, uint32_t point, struct outcome *o, struct error *e)
{
    struct pending *p = pending_of(s, point);
    o->samples = p->samples;
    o->sample_count = p->sample_count;
    o->metrics = p->metrics;
    add_mark(s->mark, o);
    if (!record_add(s->record, &s->plan->points[point], o, e))
        return false;
    if (s->waiting_since_s == 0)
        s->waiting_since_s = clock_now_s();
    s->result->by_status[o->status]++;
    s->result->rows++;
    if (o->status == STATUS_OK)
        s->lost_in_a_row = 0;
    else if (o->status != STATUS_SKIPPED) {
        char label[256];
        progress_clear(&s->progress);
        fprintf(stderr, "%s: %s: %s\n", status_name(o->status),
                plan_point_label(s->plan, &s->plan->points[point], label, sizeof label), o->reason);
    }
    pending_clear(p);
    p->recorded = true;
    return true;
}

/* A row for a point that the worker could not report on, with the samples that it had sent. */
static bool record_failure(struct sweep *s, uint32_t point, enum status status, const char *reason,
                           struct error *e)
{
    struct outcome o;
    memset(&o, 0, sizeof o);
    o.grid = o.dynamic_smem = o.static_smem = o.registers = o.workspace = -1;
    o.repeat = pending_of(s, point)->sample_count ? 1 : -1;
    o.rel_error = o.sampled_share = NAN;
    o.status = status;
    snprintf(o.reason, sizeof o.reason, "%.1023s", reason);
    return record_point(s, point, &o, e);
}

static bool record_skipped(struct sweep *s, struct error *e)
{
    const struct group *g = &s->plan->groups[s->group];
    for (uint32_t i = g->first; i < g->first + g->count; i++) {
        const struct point *point = &s->plan->points[i];
        if (point->skip && !pending_of(s, i)->recorded &&
            !record_failure(s, i, STATUS_SKIPPED, s->plan->reasons[point->skip], e))
            return false;
    }
    return true;
}

static bool take_samples(struct pending *p, const struct point_values *v, struct error *e)
{
    if (v->count == 0) {
        p->sample_count = 0;
        return true;
    }
    size_t needed = p->sample_count + v->count;
    if (needed > p->sample_capacity) {
        size_t capacity = p->sample_capacity ? p->sample_capacity * 2 : 32;
        if (capacity < needed)
            capacity = needed;
        double *samples = realloc(p->samples, capacity * sizeof *samples);
        if (!samples)
            return FAIL(e, ERROR_MEMORY, "out of memory for %zu samples", capacity);
        p->samples = samples;
        p->sample_capacity = capacity;
    }
    memcpy(p->samples + p->sample_count, v->values, v->count * sizeof *v->values);
    p->sample_count = needed;
    return true;
}

static bool take_metrics(struct sweep *s, struct pending *p, const struct point_values *v,
                         struct error *e)
{
    size_t bytes = ((size_t)s->metrics.count + 1) * sizeof *p->metrics;
    free(p->metrics);
    p->metrics = malloc(bytes);
    if (!p->metrics)
        return FAIL(e, ERROR_MEMORY, "out of memory for %zu bytes of metrics", bytes);
    memcpy(p->metrics, v->values, (size_t)v->count * sizeof *v->values);
    return true;
}

/* Whether a message is one that a sound worker could send now: its memory may be damaged. */
static bool is_sound(struct sweep *s, const struct message *m)
{
    const struct point_values *v = (const struct point_values *)m->payload;
    const struct point_done *d = (const struct point_done *)m->payload;
    const struct pending *p;
    switch (m->type) {
    case MESSAGE_GROUP_END:
    case MESSAGE_REFUSED: {
        struct refusal *r = (struct refusal *)m->payload;
        return m->length == sizeof *r && memchr(r->text, '\0', sizeof r->text) != NULL;
    }
    case MESSAGE_PHASES:
        return m->length == sizeof(struct phase_times);
    case MESSAGE_BEGIN:
    case MESSAGE_CHECKED:
    case MESSAGE_SAMPLES:
    case MESSAGE_METRICS:
        if (m->length < sizeof *v || m->length != sizeof *v + (uint64_t)v->count * sizeof(double))
            return false;
        if (m->type == MESSAGE_BEGIN && v->point == POINT_BATCH)
            return true;
        if (m->type == MESSAGE_METRICS && v->count != (uint32_t)s->metrics.count)
            return false;
        p = pending_of(s, v->point);
        return p && !p->recorded;
    case MESSAGE_DONE:
        if (m->length != sizeof *d || (unsigned)d->outcome.status >= STATUS_COUNT ||
            !memchr(d->outcome.reason, '\0', sizeof d->outcome.reason) ||
            !memchr(d->outcome.result, '\0', sizeof d->outcome.result) ||
            !memchr(d->outcome.stopped_by, '\0', sizeof d->outcome.stopped_by))
            return false;
        p = pending_of(s, d->point);
        return p && !p->recorded;
    default:
        return false;
    }
}

static void add_phases(struct phase_times *sum, const struct phase_times *group)
{
    sum->prepare_s += group->prepare_s;
    sum->reference_s += group->reference_s;
    sum->check_s += group->check_s;
    sum->time_s += group->time_s;
    sum->count_s += group->count_s;
    sum->idle_s += group->idle_s;
    sum->busy_s += group->busy_s;
}

/* One sound message of a running group; `ended` becomes true with the group's end. */
static bool take_message(struct sweep *s, const struct message *m, bool *ended,
                         struct refusal *group_error, struct error *e)
{
    const struct point_values *v = (const struct point_values *)m->payload;
    switch (m->type) {
    case MESSAGE_GROUP_END:
    case MESSAGE_REFUSED:
        memcpy(group_error, m->payload, sizeof *group_error);
        *ended = true;
        return true;
    case MESSAGE_PHASES:
        add_phases(&s->conditions.phases, (const struct phase_times *)m->payload);
        return true;
    case MESSAGE_BEGIN:
        s->begun = v->point;
        return true;
    case MESSAGE_CHECKED:
        s->lost_in_a_row = 0;
        return true;
    case MESSAGE_SAMPLES:
        return take_samples(pending_of(s, v->point), v, e);
    case MESSAGE_METRICS:
        return take_metrics(s, pending_of(s, v->point), v, e);
    default: {
        struct point_done *d = (struct point_done *)m->payload;
        char label[256];
        bool ok = record_point(s, d->point, &d->outcome, e);
        progress_show(&s->progress, s->result->rows - s->recorded_count,
                      plan_point_label(s->plan, &s->plan->points[d->point], label, sizeof label));
        return ok;
    }
    }
}

/* How listening to the worker ended. */
enum group_end {
    GROUP_ENDED,
    GROUP_LOST,
    GROUP_TIMEOUT,
    GROUP_NONSENSE, /* a message that no sound worker sends */
    GROUP_STOPPED,
    GROUP_BROKEN /* nothing can be recorded any more: the error says why */
};

/* How long the worker may be silent: a batch speaks only when all of it is done. */
static double silence_limit_s(const struct sweep *s, uint32_t points)
{
    double limit = s->options->setup.config->timing.point_limit_s;
    if (s->begun != POINT_BATCH)
        return limit;
    return limit * (points < BATCH_LIMIT_MOST ? points : BATCH_LIMIT_MOST);
}

static enum group_end listen_to_group(struct sweep *s, uint32_t points, struct refusal *group_error,
                                      struct error *e)
{
    double heard_s = clock_now_s();
    bool ended = false;
    while (!ended) {
        struct message m;
        double now = clock_now_s();
        double left_ms = (heard_s + silence_limit_s(s, points) - now) * 1e3;
        if (left_ms <= 0)
            return GROUP_TIMEOUT;
        /* The worker is measuring meanwhile: nobody waits for the disk. */
        if (!flush_late(s, e))
            return GROUP_BROKEN;
        if (s->waiting_since_s > 0 && left_ms > FLUSH_AFTER_S * 1e3)
            left_ms = FLUSH_AFTER_S * 1e3;
        enum received received =
            message_receive(s->supervisor.from_worker,
                            left_ms < SWEEP_SLICE_MS ? (int)left_ms + 1 : SWEEP_SLICE_MS, &m);
        if (sweep_stop_signal) {
            if (received == RECEIVED_MESSAGE)
                message_free(&m);
            return GROUP_STOPPED;
        }
        if (received == RECEIVED_END)
            return GROUP_LOST;
        if (received != RECEIVED_MESSAGE)
            continue;
        bool sound = is_sound(s, &m);
        bool ok = sound && take_message(s, &m, &ended, group_error, e);
        message_free(&m);
        if (!ok)
            return sound ? GROUP_BROKEN : GROUP_NONSENSE;
        heard_s = clock_now_s();
    }
    return GROUP_ENDED;
}

/* The points of the group that have no row yet; one of them when each is measured alone. */
static struct group_request *next_request(struct sweep *s, bool solo)
{
    const struct group *g = &s->plan->groups[s->group];
    uint32_t most = solo ? 1 : g->count < REQUEST_MOST ? g->count : REQUEST_MOST;
    struct group_request *r = calloc(1, sizeof *r + most * sizeof r->points[0]);
    if (!r)
        return NULL;
    r->solo = solo;
    for (uint32_t i = 0; i < g->count && r->count < most; i++)
        if (!s->pending[i].recorded) {
            pending_clear(&s->pending[i]); /* what a lost worker had sent is measured again */
            r->points[r->count++] = g->first + i;
        }
    return r;
}

/* Counts a lost worker; too many in a row end the run. */
static void count_loss(struct sweep *s, const char *why)
{
    if (++s->lost_in_a_row < LOST_IN_A_ROW_MOST)
        return;
    s->result->stopped = true;
    snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
             "the device's process was lost %d times in a row without a right result between them; "
             "the last time: %.300s",
             s->lost_in_a_row, why);
}

bool sweep_start_worker(struct sweep *s, struct error *e)
{
    const struct device_info *info = &s->supervisor.hello.info;
    if (!supervisor_start(&s->supervisor, e))
        return false;
    conditions_launch(&s->conditions, info->contexts, info->time_step_us, info->launch_us,
                      info->launch_most_us);
    return true;
}

/* A fresh worker where there is none; a device that does not open again counts as a loss. */
static bool have_worker(struct sweep *s)
{
    struct error why = {0};
    if (s->supervisor.worker != 0 || sweep_start_worker(s, &why))
        return true;
    if (sweep_stop_signal) {
        s->result->stopped = true;
        return false;
    }
    progress_clear(&s->progress);
    fprintf(stderr, "the device does not open again: %s\n", why.text);
    count_loss(s, why.text);
    if (!s->result->stopped)
        usleep(REOPEN_WAIT_US);
    return false;
}

static void send_group(struct sweep *s, const struct group_request *r)
{
    size_t length = sizeof *r + r->count * sizeof r->points[0];
    s->begun = POINT_BATCH;
    /* A failed write means a worker that just died: listening will find out. */
    (void)message_send(s->supervisor.to_worker, MESSAGE_GROUP, r, (uint32_t)length, NULL);
}

/*
 * Who is to blame for what happened last: the point that had been begun, or the only one that was
 * sent. False: nobody in particular.
 */
static bool find_blamed(struct sweep *s, const struct group_request *r, uint32_t *blamed)
{
    *blamed = r->count == 1 ? r->points[0] : s->begun;
    const struct pending *p = *blamed == POINT_BATCH ? NULL : pending_of(s, *blamed);
    return p && !p->recorded;
}

/* The worker is gone, hangs or talks nonsense: blame a point, or measure the rest one by one. */
static bool handle_loss(struct sweep *s, const struct group_request *r, enum group_end end,
                        bool *solo, struct error *e)
{
    char how[128] = "", reason[512];
    supervisor_kill(&s->supervisor, end == GROUP_LOST ? how : NULL);
    if (end == GROUP_TIMEOUT)
        snprintf(reason, sizeof reason,
                 "did not end within %g s (timing.point_limit_s of the config)",
                 s->options->setup.config->timing.point_limit_s);
    else if (end == GROUP_NONSENSE)
        snprintf(reason, sizeof reason, "its process sent a damaged message");
    else
        snprintf(reason, sizeof reason, "its process ended unexpectedly: %s",
                 how[0] ? how : "without a word");
    uint32_t blamed;
    if (!find_blamed(s, r, &blamed)) {
        *solo = r->count > 1;
        return true;
    }
    count_loss(s, reason);
    return record_failure(s, blamed, end == GROUP_TIMEOUT ? STATUS_TIMEOUT : STATUS_CRASHED, reason,
                          e);
}

/* A worker that says that all went well has to have reported on every point. */
static bool handle_success(struct sweep *s, const struct group_request *r, bool *solo,
                           struct error *e)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (pending_of(s, r->points[i])->recorded)
            continue;
        if (r->count == 1)
            return record_failure(s, r->points[0], STATUS_CRASHED,
                                  "its process said nothing about it", e);
        *solo = true;
    }
    return true;
}

/* The group ended, perhaps with an error that the worker could not put into a point's row. */
static bool handle_end(struct sweep *s, const struct group_request *r, const struct refusal *why,
                       bool *solo, struct error *e)
{
    if (why->kind == ERROR_NONE)
        return handle_success(s, r, solo, e);
    uint32_t blamed;
    bool alone = r->count == 1, known = find_blamed(s, r, &blamed);
    uint32_t last = alone ? r->points[0] : s->begun;
    bool reported = last != POINT_BATCH && pending_of(s, last)->recorded;
    if (why->device_lost) { /* the worker ends itself */
        supervisor_kill(&s->supervisor, NULL);
        if (known || reported)
            count_loss(s, why->text);
    }
    if (known && (alone || why->device_lost)) {
        struct error cause = {.kind = why->kind};
        return record_failure(s, blamed, status_of_error(&cause), why->text, e);
    }
    if (!reported)
        *solo = true;
    return true;
}

static bool run_points(struct sweep *s, struct error *e)
{
    bool solo = false;
    while (!s->result->stopped) {
        struct group_request *r = next_request(s, solo);
        if (!r)
            return FAIL(e, ERROR_MEMORY, "out of memory for a group");
        if (r->count == 0) {
            free(r);
            return true;
        }
        if (!have_worker(s)) {
            free(r);
            continue;
        }
        struct refusal why = {0};
        send_group(s, r);
        enum group_end end = listen_to_group(s, r->count, &why, e);
        bool ok = end != GROUP_BROKEN;
        if (end == GROUP_ENDED)
            ok = handle_end(s, r, &why, &solo, e);
        else if (end == GROUP_STOPPED)
            s->result->stopped = true;
        else if (ok)
            ok = handle_loss(s, r, end, &solo, e);
        free(r);
        if (!ok || !sweep_flush(s, e))
            return false;
    }
    return true;
}

bool sweep_run_group(struct sweep *s, struct error *e)
{
    const struct group *g = &s->plan->groups[s->group];
    s->pending = calloc(g->count, sizeof *s->pending);
    if (!s->pending)
        return FAIL(e, ERROR_MEMORY, "out of memory for a group of %" PRIu32 " points", g->count);
    for (uint32_t i = 0; s->recorded && i < g->count; i++)
        s->pending[i].recorded = s->recorded[g->first + i];
    bool ok = record_skipped(s, e) && run_points(s, e) && flush_late(s, e);
    for (uint32_t i = 0; i < g->count; i++)
        pending_clear(&s->pending[i]);
    free(s->pending);
    s->pending = NULL;
    return ok;
}
