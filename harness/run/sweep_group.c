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

#define STOP_LIMIT_S 10.0 /* how long a group may take to end after SIGTERM */
#define FLUSH_AFTER_S 0.1 /* how long a row may wait for its place on disk */

enum { PRINTED_LINES_MAX = 100 /* of a point */ };
enum {
    LOST_IN_A_ROW_MAX = 3,
    REQUEST_MAX = 1024,   /* points measured together: what a loss can cost, at most */
    BATCH_LIMIT_MAX = 30, /* a batch has the time of its points, but of so many at most */
    REOPEN_WAIT_US = 500 * 1000
};

/* A point's position in the group at hand. */
static uint32_t place_of(const struct sweep *s, uint32_t point)
{
    return point - s->plan->groups[s->group].first;
}

static void pending_clear(struct pending *p)
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
static bool flush_late(struct sweep *s, struct error *e)
{
    bool late = s->waiting_since_s > 0 && clock_now_s() - s->waiting_since_s > FLUSH_AFTER_S;
    return !late || sweep_flush(s, e);
}

/* One row; it waits a little for others that go to disk with it. */
static bool record_point(struct sweep *s, uint32_t point, struct outcome *o, struct error *e)
{
    struct pending *p = &s->pending[place_of(s, point)];
    o->samples = p->samples.items;
    o->sample_count = p->samples.count;
    o->metrics = p->metrics;
    add_mark(s->mark, o);
    struct sweep_side *side = sweep_side_of(s, point);
    if (!record_add(side->record, &s->plan->points[point], o, e))
        return false;
    if (s->waiting_since_s == 0)
        s->waiting_since_s = clock_now_s();
    give_up_note(s, point, o->status);
    s->result->by_status[o->status]++;
    s->result->rows++;
    if (status_is_good(o->status))
        s->lost_in_a_row = 0;
    else if (o->status != STATUS_SKIPPED) {
        char label[256];
        progress_clear(&s->progress);
        const char *name = sweep_side_name(s, side);
        fprintf(stderr, "%s%s%s: %s: %s\n", name, *name ? ": " : "", status_name(o->status),
                plan_point_label(s->plan, &s->plan->points[point], label, sizeof label), o->reason);
    }
    pending_clear(p);
    s->done[place_of(s, point)] = true;
    return true;
}

/* A row for a point that the worker could not report on, with the samples that it had sent. */
static bool record_failure(struct sweep *s, uint32_t point, enum status status, const char *reason,
                           struct error *e)
{
    struct outcome o;
    outcome_clear(&o);
    o.status = status;
    snprintf(o.reason, sizeof o.reason, "%.1023s", reason);
    return record_point(s, point, &o, e);
}

/* The rows of points that are not measured: skipped ones, those without code, and those of kernels
 * that were given up. */
static bool record_unmeasured(struct sweep *s, struct error *e)
{
    const struct group *g = &s->plan->groups[s->group];
    for (uint32_t i = g->first; i < g->first + g->count; i++) {
        const struct point *point = &s->plan->points[i];
        if (s->done[i - g->first])
            continue;
        const char *uncompiled = point->skip ? NULL : s->uncompiled[point->variant];
        const char *given_up = give_up_reason(s, i);
        if (point->skip && !record_failure(s, i, STATUS_SKIPPED, s->plan->reasons[point->skip], e))
            return false;
        if (uncompiled && !record_failure(s, i, STATUS_COMPILE_ERROR, uncompiled, e))
            return false;
        if (given_up && !point->skip && !uncompiled &&
            !record_failure(s, i, STATUS_SKIPPED, given_up, e))
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

static bool take_outcome(struct sweep *s, const struct report *r, struct error *e)
{
    struct outcome o = *r->outcome;
    char label[256];
    bool ok = record_point(s, r->point, &o, e);
    progress_show(&s->progress, s->result->rows - s->recorded_count,
                  plan_point_label(s->plan, &s->plan->points[r->point], label, sizeof label));
    return ok;
}

static bool take_report(struct sweep *s, const struct report *r, struct error *e)
{
    switch (r->type) {
    case REPORT_BEGIN:
        s->begun = r->point;
        return true;
    case REPORT_CHECKED:
        s->lost_in_a_row = 0;
        give_up_passed(s, r->point);
        return true;
    case REPORT_SAMPLES:
        take_samples(&s->pending[place_of(s, r->point)], r);
        return true;
    case REPORT_COUNTS:
        take_counts(s, &s->pending[place_of(s, r->point)], r);
        return true;
    default:
        return take_outcome(s, r, e);
    }
}

/* What a kernel prints is told once for each point, as far as it is of use. */
static void show_printed(struct sweep *s, const char *line)
{
    char label[256] = "a kernel";
    bool new = s->printed_by != s->begun + 1ull;
    if (new) {
        s->printed_by = s->begun + 1ull;
        s->printed_lines = 0;
    }
    if (++s->printed_lines > PRINTED_LINES_MAX + 1)
        return;
    progress_clear(&s->progress);
    if (new && s->begun != POINT_BATCH)
        plan_point_label(s->plan, &s->plan->points[s->begun], label, sizeof label);
    if (new)
        fprintf(stderr, "printed by %s:\n", label);
    if (s->printed_lines <= PRINTED_LINES_MAX)
        fprintf(stderr, "    %s\n", line);
    else
        fprintf(stderr, "    … further lines of this point are not shown\n");
}

/* One valid message of a running group; `ended` becomes true with the group's end. */
static bool take_message(struct sweep *s, const struct message *m, bool *ended,
                         struct refusal *group_error, struct error *e)
{
    if (m->type == MESSAGE_REPORT) {
        struct report r = message_report(m);
        return take_report(s, &r, e);
    }
    if (m->type == MESSAGE_PRINTED) {
        show_printed(s, m->payload);
        return true;
    }
    if (m->type == MESSAGE_PHASES) {
        phase_times_add(&s->conditions->phases, (const struct phase_times *)m->payload);
        return true;
    }
    memcpy(group_error, m->payload, sizeof *group_error); /* GROUP_END or REFUSED */
    *ended = true;
    return true;
}

/* How listening to the worker ended. */
enum group_end {
    GROUP_ENDED,
    GROUP_LOST,
    GROUP_TIMEOUT,
    GROUP_MALFORMED, /* a message that no working worker sends */
    GROUP_STOPPED,
    GROUP_GIVEN_UP, /* a kernel is given up that the request has more points of */
    GROUP_BROKEN    /* nothing can be recorded any more: the error says why */
};

/* Whether the device of the group at hand ends each launch itself. */
static bool group_is_bounded(const struct sweep *s)
{
    const struct hello *h = &s->supervisor.hello;
    const struct point *first = &s->plan->points[s->plan->groups[s->group].first];
    bool host = h->cpu.backend[0] && plan_kernel(s->plan, first)->backend == BACKEND_CPU;
    return host ? h->cpu.bounded : h->info.bounded;
}

/* How long the worker may be silent: a batch speaks only when all of it is done. */
static double silence_limit_s(const struct sweep *s, uint32_t points)
{
    if (group_is_bounded(s))
        return INFINITY;
    double limit = s->options->setup.config->timing.point_limit_s;
    if (s->begun != POINT_BATCH)
        return limit;
    return limit * (points < BATCH_LIMIT_MAX ? points : BATCH_LIMIT_MAX);
}

/*
 * SIGTERM, as batch systems send it before they kill, lets the round that runs end: points that
 * have their samples are kept, see stop_timing() in measure/rounds.c. Any other signal, and a
 * second one, end the group at once. `*since_s`: when the worker was asked; 0: not yet. False: end
 * now.
 */
static bool let_group_end(struct sweep *s, double *since_s)
{
    if (sweep_stop_signal != SIGTERM || sweep_stop_count > 1)
        return false;
    if (*since_s == 0) {
        *since_s = clock_now_s();
        return kill(s->supervisor.worker, WORKER_STOP_SIGNAL) == 0;
    }
    return clock_now_s() - *since_s < STOP_LIMIT_S;
}

/* The worker would try the request's other points of a kernel that is given up. */
static bool wastes_time(const struct sweep *s, const struct group_request *r)
{
    for (uint32_t i = 0; s->failing_kernel != POINT_BATCH && i < r->count; i++)
        if (r->points[i].point.kernel == s->failing_kernel &&
            !s->done[place_of(s, r->points[i].index)])
            return true;
    return false;
}

static enum group_end listen_to_group(struct sweep *s, const struct group_request *r,
                                      struct refusal *group_error, struct error *e)
{
    double heard_s = clock_now_s();
    double asked_s = 0;
    bool ended = false;
    while (!ended) {
        struct message m;
        double now = clock_now_s();
        double left_ms = (heard_s + silence_limit_s(s, r->count) - now) * 1e3;
        if (left_ms <= 0)
            return GROUP_TIMEOUT;
        /* The worker measures at the same time: nothing waits for the disk. */
        if (!flush_late(s, e))
            return GROUP_BROKEN;
        if (s->waiting_since_s > 0 && left_ms > FLUSH_AFTER_S * 1e3)
            left_ms = FLUSH_AFTER_S * 1e3;
        enum received received = supervisor_receive(
            &s->supervisor, left_ms < SWEEP_SLICE_MS ? (int)left_ms + 1 : SWEEP_SLICE_MS, &m);
        if (sweep_stop_signal && !let_group_end(s, &asked_s)) {
            if (received == RECEIVED_MESSAGE)
                message_free(&m);
            return GROUP_STOPPED;
        }
        if (received == RECEIVED_END)
            return sweep_stop_signal ? GROUP_STOPPED : GROUP_LOST;
        if (received == RECEIVED_MALFORMED)
            return GROUP_MALFORMED;
        if (received != RECEIVED_MESSAGE)
            continue;
        bool ok = take_message(s, &m, &ended, group_error, e);
        message_free(&m);
        if (!ok)
            return GROUP_BROKEN;
        if (!ended && wastes_time(s, r))
            return GROUP_GIVEN_UP;
        heard_s = clock_now_s();
    }
    /* The worker gave up what it could not end: no point is to blame. */
    return asked_s > 0 && group_error->kind != ERROR_NONE ? GROUP_STOPPED : GROUP_ENDED;
}

/*
 * The points of the group that have no row yet, REQUEST_MAX at most; one of them when each is
 * measured alone. The request is the caller's: free().
 */
static struct group_request *next_request(struct sweep *s, bool solo, size_t *length)
{
    const struct group *g = &s->plan->groups[s->group];
    uint32_t most = solo ? 1 : g->count < REQUEST_MAX ? g->count : REQUEST_MAX;
    struct group_request *r =
        xcalloc(1, sizeof *r + most * sizeof r->points[0] + s->counter_names.length);
    r->solo = solo;
    r->input = plan_input(s->plan, &s->plan->points[g->first]);
    for (uint32_t i = 0; i < g->count && r->count < most; i++) {
        const struct point *point = &s->plan->points[g->first + i];
        if (s->done[i])
            continue;
        pending_clear(&s->pending[i]); /* what a lost worker had sent is measured again */
        r->points[r->count++] = (struct task_point){
            .index = g->first + i, .point = *point, .variant = s->plan->variants[point->variant]};
    }
    *length = sizeof *r + r->count * sizeof r->points[0] + s->counter_names.length;
    if (s->counter_names.length)
        memcpy(r->points + r->count, s->counter_names.bytes, s->counter_names.length);
    return r;
}

/*
 * Counts a lost worker; too many in a row end the run, unless the device still runs what is known
 * to be right, or nothing but one kernel, which is given up, has cost them all.
 */
static void count_loss(struct sweep *s, const char *why)
{
    if (++s->lost_in_a_row < LOST_IN_A_ROW_MAX)
        return;
    bool can_tell = s->supervisor.hello.info.bounded || !s->conditions->start.missing[0];
    if (can_tell ? sweep_device_works(s) : s->failing_kernel != POINT_BATCH) {
        s->lost_in_a_row = 0;
        return;
    }
    s->result->stopped = true;
    snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
             "the device's process was lost %d times in a row without a right result between them; "
             "the last time: %.300s",
             s->lost_in_a_row, why);
}

bool sweep_start_worker(struct sweep *s, struct error *e)
{
    const struct device_info *info = &s->supervisor.hello.info;
    sweep_forget_process(s);
    if (!supervisor_start(&s->supervisor, e))
        return false;
    conditions_launch(s->conditions, info->contexts, info->time_step_us, info->launch_us,
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

static void send_group(struct sweep *s, const struct group_request *r, size_t length)
{
    const struct group *g = &s->plan->groups[s->group];
    s->begun = POINT_BATCH;
    s->supervisor.asked = (struct asked){.first = g->first,
                                         .count = g->count,
                                         .done = s->done,
                                         .counter_count = s->metrics.counter_count};
    supervisor_request(&s->supervisor, MESSAGE_GROUP, r, length);
}

/*
 * Who is to blame for what happened last: the point that had been begun, or the only one that was
 * sent. False: no point in particular.
 */
static bool find_blamed(struct sweep *s, const struct group_request *r, uint32_t *blamed)
{
    *blamed = r->count == 1 ? r->points[0].index : s->begun;
    return *blamed != POINT_BATCH && !s->done[place_of(s, *blamed)];
}

/* The status and reason of the point that a lost worker is blamed on. */
static enum status judge_loss(const struct sweep *s, enum group_end how,
                              const struct worker_end *end, char reason[512])
{
    if (how == GROUP_TIMEOUT) {
        snprintf(reason, 512, "did not end within %g s (timing.point_limit_s of the config)",
                 s->options->setup.config->timing.point_limit_s);
        return STATUS_TIMEOUT;
    }
    if (end->out_of_memory) {
        int used = snprintf(reason, 512, "its process ran out of host memory");
        if (end->bytes)
            snprintf(reason + used, 512 - (size_t)used, ": %" PRIu64 " bytes requested",
                     end->bytes);
        return STATUS_OOM;
    }
    if (how == GROUP_MALFORMED)
        snprintf(reason, 512, "its process sent a malformed message");
    else
        snprintf(reason, 512, "its process ended unexpectedly: %s",
                 end->how[0] ? end->how : "no exit status");
    return STATUS_CRASHED;
}

/* The worker is gone, hangs or sends malformed messages: blame a point, or measure the rest one by
 * one. */
static bool handle_loss(struct sweep *s, const struct group_request *r, enum group_end how,
                        bool *solo, struct error *e)
{
    struct worker_end end = {0};
    char reason[512];
    supervisor_kill(&s->supervisor, how == GROUP_LOST ? &end : NULL);
    enum status status = judge_loss(s, how, &end, reason);
    uint32_t blamed;
    if (!find_blamed(s, r, &blamed)) {
        *solo = r->count > 1;
        return true;
    }
    if (!record_failure(s, blamed, status, reason, e))
        return false;
    count_loss(s, reason);
    return true;
}

/* A worker that says that all went well has to have reported on every point. */
static bool handle_success(struct sweep *s, const struct group_request *r, bool *solo,
                           struct error *e)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (s->done[place_of(s, r->points[i].index)])
            continue;
        if (r->count == 1)
            return record_failure(s, r->points[0].index, STATUS_CRASHED,
                                  "the worker returned no result", e);
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
    uint32_t last = alone ? r->points[0].index : s->begun;
    bool reported = last != POINT_BATCH && s->done[place_of(s, last)];
    if (why->device_lost) /* the worker ends itself */
        supervisor_kill(&s->supervisor, NULL);
    bool blame = known && (alone || why->device_lost);
    struct error cause = {.kind = why->kind};
    if (blame && !record_failure(s, blamed, status_of_error(&cause), why->text, e))
        return false;
    if (why->device_lost && (known || reported))
        count_loss(s, why->text);
    if (!blame && !reported)
        *solo = true;
    return true;
}

static bool run_points(struct sweep *s, struct error *e)
{
    bool solo = false;
    while (!s->result->stopped) {
        if (sweep_stop_signal) {
            s->result->stopped = true;
            break;
        }
        size_t length;
        struct group_request *r = next_request(s, solo, &length);
        if (r->count == 0) {
            free(r);
            return true;
        }
        if (!have_worker(s)) {
            free(r);
            continue;
        }
        struct refusal why = {0};
        send_group(s, r, length);
        enum group_end end = listen_to_group(s, r, &why, e);
        bool ok = end != GROUP_BROKEN;
        if (sweep_stop_signal)
            s->result->stopped = true;
        if (end == GROUP_ENDED)
            ok = handle_end(s, r, &why, &solo, e);
        else if (end == GROUP_GIVEN_UP)
            supervisor_kill(&s->supervisor, NULL);
        else if (ok && end != GROUP_STOPPED)
            ok = handle_loss(s, r, end, &solo, e);
        free(r);
        if (ok && !s->result->stopped) {
            give_up_settle(s);
            ok = record_unmeasured(s, e);
        }
        if (!ok || !sweep_flush(s, e))
            return false;
    }
    return true;
}

bool sweep_run_group(struct sweep *s, struct error *e)
{
    const struct group *g = &s->plan->groups[s->group];
    s->pending = xcalloc(g->count, sizeof *s->pending);
    s->done = xcalloc(g->count, sizeof *s->done);
    for (uint32_t i = 0; s->recorded && i < g->count; i++)
        s->done[i] = s->recorded[g->first + i];
    bool ok = record_unmeasured(s, e) && run_points(s, e) && flush_late(s, e);
    for (uint32_t i = 0; i < g->count; i++)
        pending_clear(&s->pending[i]);
    free(s->pending);
    free(s->done);
    s->pending = NULL;
    s->done = NULL;
    return ok;
}
