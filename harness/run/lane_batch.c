/*
 * Measures a batch of points. If a worker is lost, at most the point that it was measuring is lost.
 *
 * A worker that dies or exceeds the point's time limit is replaced. If only one point was running,
 * that point is blamed and keeps the samples that had arrived, and the batch continues with the
 * next point. If several points were running, the remaining points are measured one per request,
 * which shows which of them is at fault. If a lane loses three workers in a row without a right
 * result in between, the lane fails, unless its device then proves that it works (lane.c).
 *
 * The results of a request are written and synced to disk before the next request is sent.
 */
#include "run/lane_batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/awake.h"
#include "base/clock.h"
#include "plan/shards.h"
#include "record/flags.h"
#include "run/give_up.h"
#include "run/request_time.h"
#include "run/rows.h"

#define STOP_LIMIT_S 10.0 /* how long a group may take to end after SIGTERM */

enum {
    LOST_IN_A_ROW_MAX = 3,
    /* most points in a request, all of which a lost worker may leave unmeasured */
    REQUEST_MAX = 1024,
    /* the time limit for several points together is at most that of this many points */
    BATCH_LIMIT_MAX = 30,
    PRINTED_LINES_MAX = 100, /* most lines to print for one point */
    /* for how many seconds a worker may be silent during an expendable batch */
    SILENCE_LIMIT_S = 60
};

static const struct point *point_at(const struct lane *l, uint32_t place)
{
    return &l->batch.plan->points[l->batch.points.items[place]];
}

/* Returns whether the device of the current batch limits how long a launch can run. */
static bool group_is_bounded(const struct lane *l)
{
    const struct hello *h = &l->supervisor.hello;
    bool host =
        h->cpu.backend[0] && plan_kernel(l->batch.plan, point_at(l, 0))->backend == BACKEND_CPU;
    return host ? h->cpu.bounded : h->info.bounded;
}

static void pending_clear(struct pending *p)
{
    vec_free(&p->samples);
    free(p->metrics);
    p->metrics = NULL;
}

/* ---- Outcomes -------------------------------------------------------------------------------- */

/*
 * If a point ran out of memory in a worker with a memory limit, adds the limit and the name of its
 * config key to the point's reason.
 */
static void name_memory_limit(const struct sweep *s, const struct lane *l, struct outcome *o)
{
    if (o->status == STATUS_OOM && group_is_bounded(l))
        outcome_add_reason(o,
                           "the memory limit of the point's process is %d MiB in addition to the "
                           "point's buffers (timing.memory_limit_mib of the config)",
                           s->options->setup.config->timing.memory_limit_mib);
}

/* Passes the outcome of a point to the source of the batch. */
static bool give_outcome(struct lane *l, uint32_t place, struct outcome *o, struct error *e)
{
    struct sweep *s = l->sweep;
    struct pending *p = &l->pending[place];
    struct source *source = l->batch.source;
    o->samples = p->samples.items;
    o->sample_count = p->samples.count;
    o->metrics = p->metrics;
    name_memory_limit(s, l, o);
    if (!source->kind->take(source, l, l->batch.points.items[place], o, e))
        return false;
    const struct point *point = point_at(l, place);
    if (!l->batch.expendable)
        give_up_note(l, point, o->status);
    if (!l->batch.expendable)
        rows_left(s, point, -1);
    if (status_is_good(o->status))
        l->lost_in_a_row = 0;
    pending_clear(p);
    l->done[place] = true;
    l->left--;
    while (l->first < l->batch.points.count && l->done[l->first])
        l->first++;
    return true;
}

/* Passes to the source the outcome of a point without a result, and any samples taken. */
static bool give_failure(struct lane *l, uint32_t place, enum status status, unsigned flags,
                         const char *reason, struct error *e)
{
    struct outcome o;
    outcome_clear(&o);
    o.status = status;
    o.flags = flags;
    snprintf(o.reason, sizeof o.reason, "%.1023s", reason);
    return give_outcome(l, place, &o, e);
}

/*
 * Passes to the source the outcomes of points that will not be measured: skipped points, points
 * whose variant does not compile, and points of kernels that were given up.
 */
static bool give_unmeasured(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    l->given_up_seen = s->given_up_count;
    for (uint32_t i = l->first; i < l->batch.points.count; i++) {
        const struct point *point = point_at(l, i);
        if (l->done[i])
            continue;
        const char *uncompiled = point->skip ? NULL : s->uncompiled[point->variant];
        const char *given_up = give_up_reason(s, point->kernel);
        bool ok = true;
        if (point->skip)
            ok = give_failure(l, i, STATUS_SKIPPED, 0, s->plan->reasons[point->skip], e);
        else if (uncompiled)
            ok = give_failure(l, i, STATUS_COMPILE_ERROR, 0, uncompiled, e);
        else if (given_up)
            ok = give_failure(l, i, STATUS_SKIPPED, flag_of_given_up(s->given_up[point->kernel]),
                              given_up, e);
        if (!ok)
            return false;
    }
    return true;
}

bool batch_begin(struct lane *l, struct error *e)
{
    size_t count = l->batch.points.count;
    l->solo = false;
    l->first = 0;
    l->left = (uint32_t)count;
    memset(l->by_status, 0, sizeof l->by_status);
    l->pending = xcalloc(count, sizeof *l->pending);
    l->done = xcalloc(count, sizeof *l->done);
    return l->batch.expendable || give_unmeasured(l, e);
}

void batch_end(struct lane *l)
{
    for (uint32_t i = 0; l->pending && i < l->batch.points.count; i++)
        pending_clear(&l->pending[i]);
    free(l->pending);
    free(l->done);
    l->pending = NULL;
    l->done = NULL;
    l->batch.source = NULL;
    l->batch.points.count = 0;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/*
 * Makes a request for up to REQUEST_MAX points without an outcome, or for one point if l->solo is
 * set, and sets *length to its size in bytes. The caller frees the request with free().
 */
static struct group_request *next_request(struct lane *l, size_t *length)
{
    const struct sweep *s = l->sweep;
    const struct batch *b = &l->batch;
    uint32_t most = l->solo ? 1 : l->left < REQUEST_MAX ? l->left : REQUEST_MAX;
    size_t names = b->expendable ? 0 : s->counter_names.length;
    struct group_request *r = xcalloc(1, sizeof *r + most * sizeof r->points[0] + names);
    r->solo = l->solo;
    r->compile = b->compile;
    r->energy = !b->expendable && s->options->setup.config->timing.energy_s > 0;
    r->sampling = b->sampling;
    /* Copy the members one by one, so that padding in the message stays zero. */
    const struct input input = plan_input(b->plan, point_at(l, 0));
    r->input.type = input.type;
    r->input.op = input.op;
    r->input.n = input.n;
    r->input.seed = input.seed;
    r->input.kind = input.kind;
    r->input.second = input.second;
    for (uint32_t i = l->first; i < b->points.count && r->count < most; i++) {
        const struct point *point = point_at(l, i);
        if (l->done[i])
            continue;
        /* Discard samples that a lost worker sent, because the point is measured again. */
        pending_clear(&l->pending[i]);
        r->points[r->count++] = (struct task_point){
            .index = i, .point = *point, .variant = b->plan->variants[point->variant]};
    }
    *length = sizeof *r + r->count * sizeof r->points[0] + names;
    if (names)
        memcpy(r->points + r->count, s->counter_names.bytes, names);
    return r;
}

void batch_send(struct lane *l)
{
    struct sweep *s = l->sweep;
    size_t length;
    l->request = next_request(l, &length);
    l->state = LANE_MEASURING;
    l->begun = POINT_BATCH;
    l->began_s = clock_now_s();
    memset(&l->reports, 0, sizeof l->reports);
    l->heard_cpu_s = supervisor_cpu_s(&l->supervisor);
    l->stop_asked_s = 0;
    l->supervisor.asked =
        (struct asked){.count = (uint32_t)l->batch.points.count,
                       .done = l->done,
                       .counter_count = l->batch.expendable ? 0 : s->metrics.counter_count};
    supervisor_request(&l->supervisor, MESSAGE_GROUP, l->request, length);
}

/* How a request can end. */
enum group_end {
    GROUP_GOES_ON,
    GROUP_ENDED,
    GROUP_LOST,
    GROUP_TIMEOUT,
    GROUP_MALFORMED, /* the worker sent a message that an intact worker never sends */
    GROUP_STOPPED,
    GROUP_GIVEN_UP, /* the request has more points of a kernel that will be given up */
    GROUP_BROKEN    /* rows can no longer be recorded; the error says why */
};

/*
 * Returns how many points the worker is measuring, at most BATCH_LIMIT_MAX. The worker's time limit
 * is this number times a point's limit, because it may report only when all of them are done.
 */
static double points_at_work(const struct lane *l)
{
    uint32_t points = l->begun == POINT_BATCH ? l->request->count : 1;
    return points < BATCH_LIMIT_MAX ? points : BATCH_LIMIT_MAX;
}

double batch_silence_limit_s(const struct lane *l)
{
    const struct sweep *s = l->sweep;
    if (l->batch.expendable)
        return SILENCE_LIMIT_S;
    if (group_is_bounded(l))
        return INFINITY;
    return s->options->setup.config->timing.point_limit_s * points_at_work(l);
}

bool batch_exceeds_cpu(const struct lane *l)
{
    return !l->batch.expendable && group_is_bounded(l) &&
           supervisor_cpu_s(&l->supervisor) - l->heard_cpu_s >=
               l->sweep->options->setup.config->timing.cpu_limit_s * points_at_work(l);
}

/*
 * Returns, after a signal asked the run to end, whether the worker may still complete the group.
 * Batch systems send SIGTERM some time before they kill a job. After a SIGTERM, the worker
 * therefore completes the current round of timing, and points with samples are kept (stop_timing()
 * in measure/rounds.c). Any other signal, or a second SIGTERM, ends the group immediately.
 */
static bool let_group_end(struct lane *l)
{
    if (sweep_stop_signal != SIGTERM || sweep_stop_count > 1)
        return false;
    if (l->stop_asked_s == 0) {
        l->stop_asked_s = clock_now_s();
        return kill(l->supervisor.worker, WORKER_STOP_SIGNAL) == 0;
    }
    return clock_now_s() - l->stop_asked_s < STOP_LIMIT_S;
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

static void show_progress(const struct lane *l, uint32_t place)
{
    struct sweep *s = l->sweep;
    char label[256];
    if (l->batch.expendable || !progress_due(&s->progress))
        return;
    struct source *source = l->batch.source;
    s->progress.left_s = source->kind->left_s ? source->kind->left_s(source)
                         : source->kind->some ? 0
                                              : requests_left_s(s);
    progress_show(&s->progress, s->result->rows - s->recorded_count,
                  plan_point_label(l->batch.plan, point_at(l, place), label, sizeof label));
}

void batch_show_progress(const struct lane *l)
{
    if (l->left > 0)
        show_progress(l, l->first);
}

static bool take_outcome(struct lane *l, const struct report *r, struct error *e)
{
    struct outcome o = *r->outcome;
    if (!give_outcome(l, r->point, &o, e))
        return false;
    show_progress(l, r->point);
    return true;
}

static bool take_report(struct lane *l, const struct report *r, struct error *e)
{
    struct sweep *s = l->sweep;
    request_heard(l, r);
    switch (r->type) {
    case REPORT_BEGIN:
        l->begun = r->point;
        return true;
    case REPORT_CHECKED:
        l->lost_in_a_row = 0;
        if (!l->batch.expendable)
            give_up_passed(l, point_at(l, r->point));
        return true;
    case REPORT_SAMPLES:
        take_samples(&l->pending[r->point], r);
        return true;
    case REPORT_COUNTS:
        take_counts(s, &l->pending[r->point], r);
        return true;
    default:
        return take_outcome(l, r, e);
    }
}

/*
 * Shows a line that a kernel printed. The point's first line is preceded by the point's name. Shows
 * at most PRINTED_LINES_MAX lines per point.
 */
static void show_printed(struct lane *l, const char *line)
{
    struct sweep *s = l->sweep;
    char label[256] = "a kernel";
    uint64_t id = l->begun == POINT_BATCH ? 1 : point_at(l, l->begun)->id;
    bool new = l->printed_by != id;
    if (new) {
        l->printed_by = id;
        l->printed_lines = 0;
    }
    if (++l->printed_lines > PRINTED_LINES_MAX + 1)
        return;
    progress_clear(&s->progress);
    if (new && l->begun != POINT_BATCH)
        plan_point_label(l->batch.plan, point_at(l, l->begun), label, sizeof label);
    if (new)
        fprintf(stderr, "%s printed:\n", label);
    if (l->printed_lines <= PRINTED_LINES_MAX)
        print_safely(stderr, "    %s\n", line);
    else
        fprintf(stderr, "    … the other lines of this point are not shown\n");
}

/* Handles a valid message. If it is the group's last one, sets *ended and *group_error. */
static bool take_message(struct lane *l, const struct message *m, bool *ended,
                         struct refusal *group_error, struct error *e)
{
    if (m->type == MESSAGE_REPORT) {
        struct report r = message_report(m);
        return take_report(l, &r, e);
    }
    if (m->type == MESSAGE_PRINTED) {
        show_printed(l, m->payload);
        return true;
    }
    if (m->type == MESSAGE_PHASES) {
        phase_times_add(&l->conditions->phases, (const struct phase_times *)m->payload);
        return true;
    }
    memcpy(group_error, m->payload, sizeof *group_error); /* of GROUP_END or REFUSED */
    *ended = true;
    return true;
}

/* Returns whether the request has more points of a kernel that will be given up. */
static bool wastes_time(const struct lane *l, const struct group_request *r)
{
    for (uint32_t i = 0; l->failing_kernel != NO_KERNEL && i < r->count; i++)
        if (r->points[i].point.kernel == l->failing_kernel && !l->done[r->points[i].index])
            return true;
    return false;
}

/*
 * Handles a message from the worker, or its silence, and returns whether the group has ended and
 * how. If it ended with an error, stores the error in `why`.
 */
static enum group_end hear(struct lane *l, enum received received, const struct message *m,
                           struct refusal *why, struct error *e)
{
    bool ended = false;
    if (sweep_stop_signal && !let_group_end(l))
        return GROUP_STOPPED;
    if (received == RECEIVED_INTERRUPT)
        return GROUP_GOES_ON;
    if (received == RECEIVED_END)
        return sweep_stop_signal ? GROUP_STOPPED : GROUP_LOST;
    if (received == RECEIVED_MALFORMED)
        return GROUP_MALFORMED;
    if (received != RECEIVED_MESSAGE)
        return GROUP_TIMEOUT;
    if (!take_message(l, m, &ended, why, e))
        return GROUP_BROKEN;
    l->heard_cpu_s = supervisor_cpu_s(&l->supervisor);
    if (!ended)
        return wastes_time(l, l->request) ? GROUP_GIVEN_UP : GROUP_GOES_ON;
    /* If the worker was asked to stop, no point is blamed for an error. */
    return l->stop_asked_s > 0 && why->kind != ERROR_NONE ? GROUP_STOPPED : GROUP_ENDED;
}

void lane_count_loss(struct lane *l, const char *why)
{
    if (++l->lost_in_a_row < LOST_IN_A_ROW_MAX)
        return;
    snprintf(l->lost_why, sizeof l->lost_why, "%.300s", why);
    if (l->supervisor.hello.info.bounded || !l->conditions->start.missing[0])
        l->doubted = true;
    else if (l->failing_kernel != NO_KERNEL)
        l->lost_in_a_row = 0;
    else
        l->failed = true;
}

/*
 * Finds the point to blame when a worker is lost or a group ends with an error: the only point of
 * the request, or the point whose measurement had begun. Returns false if several points were being
 * measured or the point already has an outcome.
 */
static bool find_blamed(const struct lane *l, const struct group_request *r, uint32_t *blamed)
{
    *blamed = r->count == 1 ? r->points[0].index : l->begun;
    return *blamed != POINT_BATCH && !l->done[*blamed];
}

/* Returns the status for a point that is blamed for a lost worker, and writes the reason. */
static enum status judge_loss(const struct sweep *s, const struct lane *l, enum group_end how,
                              char reason[512])
{
    const struct worker_end *end = &l->supervisor.end;
    const struct config_timing *timing = &s->options->setup.config->timing;
    if (how == GROUP_TIMEOUT) {
        if (group_is_bounded(l))
            snprintf(
                reason, 512,
                "the point did not end within %g s of CPU time (timing.cpu_limit_s of the config)",
                timing->cpu_limit_s);
        else
            snprintf(reason, 512,
                     "the point did not end within %g s (timing.point_limit_s of the config)",
                     timing->point_limit_s);
        return STATUS_TIMEOUT;
    }
    if (end->out_of_memory) {
        int used = snprintf(reason, 512, "the point's process ran out of host memory");
        if (end->bytes)
            snprintf(reason + used, 512 - (size_t)used, " when it requested %" PRIu64 " bytes",
                     end->bytes);
        return STATUS_OOM;
    }
    if (how == GROUP_MALFORMED)
        snprintf(reason, 512, "the point's process sent a malformed message");
    else
        snprintf(reason, 512, "the point's process ended unexpectedly: %s",
                 end->how[0] ? end->how : "it left no exit status");
    return STATUS_CRASHED;
}

/*
 * Handles a worker that ended, hangs, or sends malformed messages. If one point can be blamed, that
 * point fails. Otherwise, the remaining points will be requested one by one.
 */
static bool handle_loss(struct lane *l, const struct group_request *r, enum group_end how,
                        struct error *e)
{
    struct sweep *s = l->sweep;
    char reason[512];
    supervisor_kill(&l->supervisor);
    if (l->batch.expendable)
        return true;
    enum status status = judge_loss(s, l, how, reason);
    uint32_t blamed;
    if (!find_blamed(l, r, &blamed)) {
        l->solo = r->count > 1;
        return true;
    }
    if (!give_failure(l, blamed, status, 0, reason, e))
        return false;
    lane_count_loss(l, reason);
    return true;
}

/* Handles a group without errors. Points that lack an outcome are retried alone, or fail. */
static bool handle_success(struct lane *l, const struct group_request *r, struct error *e)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (l->done[r->points[i].index])
            continue;
        if (r->count == 1)
            return give_failure(l, r->points[0].index, STATUS_CRASHED, 0,
                                "the point's process returned no result", e);
        l->solo = true;
    }
    return true;
}

/* Handles the end of a group. If it ended with an error, `why` contains the error. */
static bool handle_end(struct lane *l, const struct group_request *r, const struct refusal *why,
                       struct error *e)
{
    if (l->batch.expendable && why->device_lost)
        supervisor_kill(&l->supervisor);
    if (l->batch.expendable)
        return true;
    if (why->kind == ERROR_NONE)
        return handle_success(l, r, e);
    if (why->kind == ERROR_PROCESS)
        return FAIL_LINES(e, why->kind, "%s", why->text);
    uint32_t blamed;
    bool alone = r->count == 1, known = find_blamed(l, r, &blamed);
    uint32_t last = alone ? r->points[0].index : l->begun;
    bool reported = last != POINT_BATCH && l->done[last];
    if (why->device_lost) /* the worker then ends by itself */
        supervisor_kill(&l->supervisor);
    bool blame = known && (alone || why->device_lost);
    struct error cause = {.kind = why->kind};
    if (blame && !give_failure(l, blamed, status_of_error(&cause), 0, why->text, e))
        return false;
    if (why->device_lost && (known || reported))
        lane_count_loss(l, why->text);
    if (!blame && !reported)
        l->solo = true;
    return true;
}

bool batch_hear(struct lane *l, enum received received, const struct message *m, struct error *e)
{
    struct sweep *s = l->sweep;
    struct refusal why = {0};
    enum group_end end = hear(l, received, m, &why, e);
    if (end == GROUP_GOES_ON)
        return true;
    struct group_request *r = l->request;
    bool ok = end != GROUP_BROKEN;
    l->request = NULL;
    l->state = LANE_IDLE;
    l->measured_until_s = clock_now_s();
    if (sweep_stop_signal)
        s->result->stopped = true;
    if (end == GROUP_ENDED)
        request_ended(l, r);
    if (end == GROUP_ENDED)
        ok = handle_end(l, r, &why, e);
    else if (end == GROUP_GIVEN_UP)
        supervisor_kill(&l->supervisor);
    else if (ok && end != GROUP_STOPPED)
        ok = handle_loss(l, r, end, e);
    free(r);
    if (l->batch.expendable)
        l->left = 0; /* the remaining points are not measured */
    return ok && batch_settle(l, e);
}

bool batch_settle(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    if (l->batch.source && !l->batch.expendable && !l->doubted && !s->result->stopped) {
        give_up_settle(l);
        if (l->given_up_seen != s->given_up_count && !give_unmeasured(l, e))
            return false;
    }
    return rows_flush(s, e);
}
