/*
 * The parent's loop: groups are sent to the worker, rows come back and go to disk, and whatever
 * happens to the worker costs the point that it was working on.
 *
 * A worker that dies or exceeds the point's time limit is replaced. When a single point had been
 * begun, that point is blamed and the rest of its group goes on; when a batch was running, the rest
 * of the group is measured again one point at a time, so that the culprit shows itself. After three
 * workers were lost in a row without a good point the run stops.
 */
#include "run/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/folder.h"
#include "run/progress.h"
#include "run/provenance.h"

enum { LOST_IN_A_ROW_MOST = 3, SLICE_MS = 200 };

/* What has come in for a point that is not recorded yet. */
struct pending {
    double *samples;
    size_t sample_count, sample_capacity;
    double *metrics; /* NULL: none came */
    bool recorded;
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    struct supervisor supervisor;
    struct plan *plan;
    struct metric_plan metrics;
    struct provenance provenance;
    struct record *record;
    struct progress progress;
    struct pending *pending; /* of the group at hand, by position in the group */
    uint32_t group;
    uint32_t begun; /* the point that the worker is at; POINT_BATCH: none in particular */
    int lost_in_a_row;
    int lock;
};

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal; /* no SA_RESTART: poll must return */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

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
    memset(p, 0, sizeof *p);
}

/* Puts one row on disk. */
static bool record_point(struct sweep *s, uint32_t point, struct outcome *o, struct error *e)
{
    struct pending *p = pending_of(s, point);
    o->samples = p->samples;
    o->sample_count = p->sample_count;
    o->metrics = p->metrics;
    if (!record_row(s->record, &s->plan->points[point], o, e))
        return false;
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

/* A row for a point that the worker could not report on. */
static bool record_failure(struct sweep *s, uint32_t point, enum status status, const char *reason,
                           struct error *e)
{
    struct outcome o;
    memset(&o, 0, sizeof o);
    o.grid = o.dynamic_smem = o.static_smem = o.registers = o.workspace = -1;
    o.repeat = -1;
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
        if (point->skip && !record_failure(s, i, STATUS_SKIPPED, s->plan->reasons[point->skip], e))
            return false;
    }
    return true;
}

static bool take_samples(struct pending *p, const struct point_values *v, struct error *e)
{
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

/* One message of a running group; `ended` becomes true with the group's end. */
static bool take_message(struct sweep *s, const struct message *m, bool *ended,
                         struct refusal *group_error, struct error *e)
{
    const struct point_values *v = (const struct point_values *)m->payload;
    if (m->type == MESSAGE_GROUP_END || m->type == MESSAGE_REFUSED) {
        memcpy(group_error, m->payload, sizeof *group_error);
        *ended = true;
        return true;
    }
    if (m->type == MESSAGE_BEGIN) {
        s->begun = v->point;
        return true;
    }
    struct point_done *d = (struct point_done *)m->payload;
    struct pending *p = pending_of(s, m->type == MESSAGE_DONE ? d->point : v->point);
    if (!p || p->recorded)
        return FAIL(e, ERROR_INTERNAL, "the worker reported on a point that it was not given");
    switch (m->type) {
    case MESSAGE_SAMPLES:
        return take_samples(p, v, e);
    case MESSAGE_METRICS:
        return take_metrics(s, p, v, e);
    case MESSAGE_DONE: {
        char label[256];
        bool ok = record_point(s, d->point, &d->outcome, e);
        progress_show(&s->progress, s->result->rows,
                      plan_point_label(s->plan, &s->plan->points[d->point], label, sizeof label));
        return ok;
    }
    default:
        return FAIL(e, ERROR_INTERNAL, "the worker sent a message of type %d", (int)m->type);
    }
}

/* How listening to the worker ended. */
enum group_end { GROUP_ENDED, GROUP_LOST, GROUP_TIMEOUT, GROUP_STOPPED, GROUP_BROKEN };

static enum group_end listen_to_group(struct sweep *s, struct refusal *group_error, struct error *e)
{
    double limit_ms = s->options->setup.config->timing.point_limit_s * 1e3;
    double waited_ms = 0;
    bool ended = false;
    while (!ended) {
        struct message m;
        enum received received = message_receive(s->supervisor.from_worker, SLICE_MS, &m);
        if (stop_signal) {
            if (received == RECEIVED_MESSAGE)
                message_free(&m);
            return GROUP_STOPPED;
        }
        if (received == RECEIVED_TIMEOUT && (waited_ms += SLICE_MS) >= limit_ms)
            return GROUP_TIMEOUT;
        if (received == RECEIVED_END)
            return GROUP_LOST;
        if (received != RECEIVED_MESSAGE)
            continue;
        waited_ms = 0;
        bool ok = take_message(s, &m, &ended, group_error, e);
        message_free(&m);
        if (!ok)
            return GROUP_BROKEN;
    }
    return GROUP_ENDED;
}

/* The points of the group that have no row yet. */
static struct group_request *remaining_points(struct sweep *s, bool solo)
{
    const struct group *g = &s->plan->groups[s->group];
    struct group_request *r = calloc(1, sizeof *r + g->count * sizeof r->points[0]);
    if (!r)
        return NULL;
    r->solo = solo;
    for (uint32_t i = 0; i < g->count; i++)
        if (!s->pending[i].recorded) {
            pending_clear(&s->pending[i]); /* what a lost worker had sent is measured again */
            r->points[r->count++] = g->first + i;
        }
    return r;
}

static bool send_group(struct sweep *s, const struct group_request *r, struct error *e)
{
    if (s->supervisor.worker == 0 && !supervisor_start(&s->supervisor, e))
        return false;
    size_t length = sizeof *r + r->count * sizeof r->points[0];
    s->begun = POINT_BATCH;
    /* A failed write means a worker that just died: listening will find out. */
    (void)message_send(s->supervisor.to_worker, MESSAGE_GROUP, r, (uint32_t)length, NULL);
    return true;
}

static bool fail_remaining(struct sweep *s, const struct group_request *r, enum status status,
                           const char *reason, struct error *e)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (!pending_of(s, r->points[i])->recorded &&
            !record_failure(s, r->points[i], status, reason, e))
            return false;
    return true;
}

/* The worker is gone or hangs: blame the begun point, or measure the rest one by one. */
static bool handle_loss(struct sweep *s, const struct group_request *r, enum group_end end,
                        bool *solo, struct error *e)
{
    char how[128], reason[512];
    supervisor_kill(&s->supervisor, how);
    s->lost_in_a_row++;
    if (end == GROUP_TIMEOUT)
        snprintf(reason, sizeof reason,
                 "did not end within %g s (timing.point_limit_s of the config)",
                 s->options->setup.config->timing.point_limit_s);
    else
        snprintf(reason, sizeof reason, "its process ended unexpectedly: %s",
                 how[0] ? how : "without a word");
    enum status status = end == GROUP_TIMEOUT ? STATUS_TIMEOUT : STATUS_CRASHED;
    struct pending *blamed = s->begun == POINT_BATCH ? NULL : pending_of(s, s->begun);
    if (blamed && !blamed->recorded) {
        if (!record_failure(s, s->begun, status, reason, e))
            return false;
    } else if (!*solo) {
        *solo = true;
    } else if (!fail_remaining(s, r, status, reason, e)) {
        return false;
    }
    if (s->lost_in_a_row >= LOST_IN_A_ROW_MOST) {
        s->result->stopped = true;
        snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
                 "the device's process was lost %d times in a row without a good point between "
                 "them; the last time: %.300s",
                 s->lost_in_a_row, reason);
    }
    return true;
}

/* The group ended, perhaps with an error that no point could be blamed for. */
static bool handle_end(struct sweep *s, const struct group_request *r, const struct refusal *why,
                       bool *solo, struct error *e)
{
    if (why->kind == ERROR_NONE)
        return true;
    if (why->device_lost) { /* the worker ends itself; the culprit has its row already */
        supervisor_kill(&s->supervisor, NULL);
        if (++s->lost_in_a_row >= LOST_IN_A_ROW_MOST) {
            s->result->stopped = true;
            snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
                     "the device was lost %d times in a row without a good point between them; "
                     "the last time: %.300s",
                     s->lost_in_a_row, why->text);
        }
    }
    if (!*solo) {
        *solo = !why->device_lost || s->begun == POINT_BATCH;
        return true;
    }
    if (why->device_lost && s->begun != POINT_BATCH)
        return true;
    return fail_remaining(s, r, STATUS_LAUNCH_ERROR, why->text, e);
}

static bool run_group(struct sweep *s, struct error *e)
{
    bool solo = false;
    while (!s->result->stopped) {
        struct group_request *r = remaining_points(s, solo);
        if (!r)
            return FAIL(e, ERROR_MEMORY, "out of memory for a group");
        if (r->count == 0) {
            free(r);
            return true;
        }
        struct refusal why = {0};
        bool ok = send_group(s, r, e);
        enum group_end end = ok ? listen_to_group(s, &why, e) : GROUP_BROKEN;
        if (end == GROUP_ENDED)
            ok = handle_end(s, r, &why, &solo, e);
        else if (end == GROUP_LOST || end == GROUP_TIMEOUT)
            ok = handle_loss(s, r, end, &solo, e);
        else if (end == GROUP_STOPPED)
            s->result->stopped = true;
        free(r);
        if (!ok || end == GROUP_BROKEN)
            return false;
    }
    return true;
}

static bool run_groups(struct sweep *s, struct error *e)
{
    progress_start(&s->progress, "measuring", s->plan->point_count);
    bool ok = true;
    for (s->group = 0; ok && !s->result->stopped && s->group < s->plan->group_count; s->group++) {
        uint32_t count = s->plan->groups[s->group].count;
        s->pending = calloc(count, sizeof *s->pending);
        ok = s->pending ? record_skipped(s, e) && run_group(s, e)
                        : FAIL(e, ERROR_MEMORY, "out of memory for a group of %u points", count);
        for (uint32_t i = 0; s->pending && i < count; i++)
            pending_clear(&s->pending[i]);
        free(s->pending);
        s->pending = NULL;
    }
    progress_end(&s->progress);
    return ok;
}

/* Fills the compile cache. A worker that dies of it is not fatal: points compile again later. */
static bool compile_all(struct sweep *s, struct error *e)
{
    if (!message_send(s->supervisor.to_worker, MESSAGE_COMPILE, NULL, 0, e))
        return false;
    progress_start(&s->progress, "compiling", s->plan->variant_count);
    bool compiled = false;
    while (!compiled && !stop_signal) {
        struct message m;
        enum received received = message_receive(s->supervisor.from_worker, SLICE_MS, &m);
        if (received == RECEIVED_END) {
            supervisor_kill(&s->supervisor, NULL);
            break;
        }
        if (received != RECEIVED_MESSAGE)
            continue;
        compiled = m.type == MESSAGE_COMPILED;
        bool refused = m.type == MESSAGE_REFUSED;
        if (m.type == MESSAGE_PROGRESS)
            progress_show(&s->progress, ((const struct progress_report *)m.payload)->done, "");
        if (refused) {
            const struct refusal *r = (const struct refusal *)m.payload;
            FAIL(e, r->kind, "%s", r->text);
        }
        message_free(&m);
        if (refused)
            return false;
    }
    progress_end(&s->progress);
    return true;
}

static void note_missing_metrics(struct sweep *s)
{
    for (int i = 0; i < s->metrics.count; i++)
        if (s->metrics.choices[i].formula < 0 && s->metrics.choices[i].reason[0]) {
            snprintf(s->result->warning, sizeof s->result->warning,
                     "%.120s has no value here: %.255s", s->metrics.choices[i].name,
                     s->metrics.choices[i].reason);
            return;
        }
}

static bool make_plans(struct sweep *s, struct error *e)
{
    const struct run_setup *setup = &s->options->setup;
    const struct device_info *info = &s->supervisor.hello.info;
    return plan_build(setup->config, setup->catalogue, &info->limits, &s->plan, e) &&
           metrics_resolve((const char *const *)setup->config->metrics.names,
                           setup->config->metrics.count, info->chip, supervisor_has_counter,
                           &s->supervisor, NULL, &s->metrics, e);
}

static bool open_record(struct sweep *s, struct error *e)
{
    const struct hello *hello = &s->supervisor.hello;
    const char *config_name = s->options->setup.config->name;
    if (!folder_make(s->options->out, config_name, hello->info.slug, s->result->folder,
                     sizeof s->result->folder, e) ||
        !folder_lock(s->result->folder, &s->lock, e))
        return false;
    provenance_fill(&s->provenance, &hello->info, hello->compiler, s->options->setup.config,
                    s->options->command);
    if (!record_create(s->result->folder, s->plan, &s->metrics, &s->provenance, &s->record, e))
        return false;
    return folder_set_latest(s->result->folder, e);
}

static bool close_record(struct sweep *s, bool ok, struct error *e)
{
    if (!s->record)
        return ok;
    char ended[32];
    provenance_now(ended);
    const char *status = !ok ? "failed" : s->result->stopped ? "stopped" : "complete";
    struct error ignored;
    return record_close(s->record, status, ended, ok ? e : &ignored) && ok;
}

bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e)
{
    memset(result, 0, sizeof *result);
    struct sweep s = {.options = options, .result = result, .lock = -1};
    s.supervisor.setup = &options->setup;
    stop_signal = 0;
    catch_signals();
    bool ok = supervisor_start(&s.supervisor, e) && make_plans(&s, e) && open_record(&s, e);
    if (ok) {
        note_missing_metrics(&s);
        ok = compile_all(&s, e) && run_groups(&s, e);
    }
    if (stop_signal) {
        result->stopped = true;
        snprintf(result->stopped_why, sizeof result->stopped_why, "%s", strsignal(stop_signal));
    }
    if (result->stopped)
        supervisor_kill(&s.supervisor, NULL);
    else
        supervisor_stop(&s.supervisor);
    ok = close_record(&s, ok, e);
    if (s.lock >= 0)
        close(s.lock);
    metric_plan_free(&s.metrics);
    plan_free(s.plan);
    return ok;
}
