/*
 * The parent's work, from the plan to the last row: signals, the run's folder, compiling, and the
 * loop over groups. What happens inside a group is sweep_group.c's.
 */
#include "run/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/folder.h"
#include "run/provenance.h"
#include "run/sweep_state.h"

/* A compiler that says nothing for so long hangs: the worker reports ten times a second. */
enum { COMPILE_SILENCE_MS = 120 * 1000, CEILINGS_LIMIT_MS = 60 * 1000, START_TRIES = 3 };

volatile sig_atomic_t sweep_stop_signal;

static void on_signal(int number)
{
    sweep_stop_signal = number;
}

enum { SIGNAL_COUNT = 6 };
static const int signals[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD};

/*
 * Three signals ask for an end, unless whoever started us had them ignored (nohup). A closed pipe
 * and a file that grew too large are errors of the write, and children are waited for, whatever was
 * inherited.
 */
static void catch_signals(struct sigaction before[SIGNAL_COUNT])
{
    struct sigaction action;
    memset(&action, 0, sizeof action); /* no SA_RESTART: poll returns */
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(signals[i], NULL, &before[i]);
        action.sa_handler = i < 3 ? on_signal : signals[i] == SIGCHLD ? SIG_DFL : SIG_IGN;
        if (action.sa_handler != on_signal || before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

static void restore_signals(const struct sigaction before[SIGNAL_COUNT])
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i], &before[i], NULL);
}

static bool run_groups(struct sweep *s, struct error *e)
{
    progress_start(&s->progress, "measuring", s->plan->point_count - s->recorded_count);
    bool ok = true;
    double since = clock_now_s();
    for (s->group = 0; ok && !s->result->stopped && s->group < s->plan->group_count; s->group++)
        ok = sweep_run_group(s, e);
    s->conditions.phases.measuring_s = clock_now_s() - since;
    ok = ok && sweep_flush(s, e);
    progress_end(&s->progress);
    return ok;
}

/* What the worker says while it compiles; `done` becomes true with its last word. */
static bool take_compile_message(struct sweep *s, const struct message *m, bool *done,
                                 struct error *e)
{
    if (m->type == MESSAGE_PROGRESS && m->length == sizeof(struct progress_report))
        progress_show(&s->progress, ((const struct progress_report *)m->payload)->done, "");
    *done = m->type == MESSAGE_COMPILED;
    if (m->type != MESSAGE_REFUSED || m->length != sizeof(struct refusal))
        return true;
    const struct refusal *r = (const struct refusal *)m->payload;
    return FAIL(e, r->kind, "%s", r->text);
}

/*
 * Ceilings, at the run's beginning and end, and self-checks at its beginning. A run goes on without
 * them: a worker that dies of it is replaced when the next group comes.
 */
static void measure_ceilings(struct sweep *s, struct ceilings *out, bool with_checks)
{
    struct conditions *c = &s->conditions;
    struct ceilings_request request = {with_checks};
    double since = clock_now_s();
    struct message m = {0};
    enum received received = RECEIVED_END;
    if (s->supervisor.worker != 0 && !sweep_stop_signal) {
        (void)message_send(s->supervisor.to_worker, MESSAGE_CEILINGS, &request, sizeof request,
                           NULL);
        received = supervisor_await(&s->supervisor, CEILINGS_LIMIT_MS, &m);
    }
    if (received == RECEIVED_MESSAGE) {
        const struct ceilings_report *r = (const struct ceilings_report *)m.payload;
        bool sound = m.type == MESSAGE_CEILINGS && m.length == sizeof *r && r->check_count >= 0 &&
                     r->check_count <= SELF_CHECKS_MOST;
        if (sound)
            *out = r->ceilings;
        if (sound && with_checks) {
            memcpy(c->checks, r->checks, sizeof c->checks);
            c->check_count = r->check_count;
        }
        message_free(&m);
    } else {
        supervisor_kill(&s->supervisor, NULL);
        snprintf(out->missing, sizeof out->missing, "%s",
                 sweep_stop_signal ? "the run was stopped"
                                   : "the device's process was lost while they were measured");
    }
    c->phases.ceilings_s += clock_now_s() - since;
}

/* Fills the compile cache. A worker that dies of it is not fatal: points compile again later. */
static bool compile_all(struct sweep *s, struct error *e)
{
    progress_start(&s->progress, "compiling", s->plan->variant_count);
    double since = clock_now_s();
    /* A failed write means a worker that just died: listening will find out. */
    (void)message_send(s->supervisor.to_worker, MESSAGE_COMPILE, NULL, 0, NULL);
    bool done = false, ok = true;
    for (int silent = 0; ok && !done && !sweep_stop_signal;) {
        struct message m;
        enum received received = message_receive(s->supervisor.from_worker, SWEEP_SLICE_MS, &m);
        silent = received == RECEIVED_TIMEOUT ? silent + SWEEP_SLICE_MS : 0;
        if (received == RECEIVED_END || silent >= COMPILE_SILENCE_MS) {
            supervisor_kill(&s->supervisor, NULL);
            break;
        }
        if (received != RECEIVED_MESSAGE)
            continue;
        ok = take_compile_message(s, &m, &done, e);
        message_free(&m);
    }
    s->conditions.phases.compile_s = clock_now_s() - since;
    progress_end(&s->progress);
    return ok;
}

static bool is_missing(const struct metric_choice *m)
{
    return m->formula < 0 && m->reason[0];
}

/* "a, b have no value here: reason": metric i and those after it that lack for the same reason. */
static void describe_missing(const struct metric_plan *p, int i, struct text *line)
{
    const char *reason = p->choices[i].reason;
    int names = 0;
    for (int j = i; j < p->count; j++)
        if (is_missing(&p->choices[j]) && strcmp(p->choices[j].reason, reason) == 0)
            text_append(line, "%s%s", names++ ? ", " : "", p->choices[j].name);
    text_append(line, " %s no value here: %s\n", names > 1 ? "have" : "has", reason);
}

static void note_missing_metrics(struct sweep *s)
{
    const struct metric_plan *p = &s->metrics;
    struct text lines = {0};
    for (int i = 0; i < p->count; i++) {
        bool told = false;
        for (int j = 0; j < i; j++)
            told = told || (is_missing(&p->choices[j]) &&
                            strcmp(p->choices[j].reason, p->choices[i].reason) == 0);
        if (is_missing(&p->choices[i]) && !told)
            describe_missing(p, i, &lines);
    }
    if (lines.length)
        snprintf(s->result->missing_metrics, sizeof s->result->missing_metrics, "%s", lines.bytes);
    text_free(&lines);
}

/* The device and the plan for it. A worker that ends while it is asked is replaced, twice. */
static bool make_plans(struct sweep *s, struct error *e)
{
    const struct run_setup *setup = &s->options->setup;
    const struct device_info *info = &s->supervisor.hello.info;
    for (int tries = 0; tries < START_TRIES; tries++) {
        s->supervisor.lost = false;
        if (!sweep_start_worker(s, e) ||
            !plan_build(setup->config, setup->catalogue, &info->limits, &s->plan, e) ||
            !metrics_resolve((const char *const *)setup->config->metrics.names,
                             setup->config->metrics.count, info->chip, supervisor_has_counter,
                             &s->supervisor, NULL, &s->metrics, e))
            return false;
        if (!s->supervisor.lost)
            return true;
        supervisor_kill(&s->supervisor, NULL);
        metric_plan_free(&s->metrics);
        plan_free(s->plan);
        s->plan = NULL;
        if (sweep_stop_signal)
            break;
    }
    return FAIL(e, ERROR_DEVICE, "the device's process ended while it was asked for its counters");
}

static bool describe_run(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    const struct hello *hello = &s->supervisor.hello;
    struct provenance *p = &s->provenance;
    provenance_fill(p, &hello->info, hello->compiler, o->setup.config, o->command);
    /* A text without a file, and a file that is gone by now, keep the name that they had. */
    if (!realpath(o->setup.config->path, s->config_path))
        snprintf(s->config_path, sizeof s->config_path, "%s", o->setup.config->path);
    p->config_path = s->config_path;
    p->cpu = hello->cpu;
    p->conditions = &s->conditions;
    p->device_option = o->setup.device_name;
    p->more_kernels = o->more_kernels;
    return provenance_hash_sources(p, &o->setup, s->plan, e);
}

static bool create_record(struct sweep *s, struct error *e)
{
    if (!folder_make(s->options->out, s->options->setup.config->name, s->supervisor.hello.info.slug,
                     s->result->folder, sizeof s->result->folder, e) ||
        !folder_lock(s->result->folder, &s->lock, e))
        return false;
    if (!record_create(s->result->folder, s->plan, &s->metrics, &s->provenance, &s->record, e)) {
        folder_unlock(s->result->folder, s->lock);
        s->lock = -1;
        (void)rmdir(s->result->folder); /* nothing is in it, unless it was not ours */
        return false;
    }
    return folder_set_latest(s->result->folder, e);
}

/* Refuses what has changed since, or lets every row say so. */
static bool check_changes(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    struct resumption *session = &o->earlier->sessions[o->earlier->session_count];
    struct text changes = {0};
    earlier_compare(o->earlier, &s->provenance, s->plan, &changes);
    bool ok = true;
    if (changes.failed)
        ok = FAIL(e, ERROR_MEMORY, "out of memory");
    else if (changes.length && !o->anyway)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s was made with something else than there is now:\n%sRows of both would not be "
                  "comparable: start a new run, or go on with --anyway, which says so in the "
                  "reason of each further row",
                  o->out, changes.bytes);
    else if (changes.length)
        for (size_t i = 0; i < changes.length; i++)
            if (changes.bytes[i] == '\n')
                changes.bytes[i] = i + 1 < changes.length ? ';' : '\0';
    provenance_now(session->at);
    if (ok && changes.length)
        snprintf(session->changes, sizeof session->changes, "resumed after a change:%.480s",
                 changes.bytes + 1);
    s->mark = session->changes;
    text_free(&changes);
    return ok;
}

/* Which points have a row; a row of no point means that the plan is another one. */
static bool find_recorded(struct sweep *s, const struct recorded *found, struct error *e)
{
    s->recorded = calloc((size_t)s->plan->point_count + 1, sizeof *s->recorded);
    if (!s->recorded)
        return FAIL(e, ERROR_MEMORY, "out of memory for %u points", s->plan->point_count);
    for (uint32_t i = 0; i < s->plan->point_count; i++) {
        s->recorded[i] = recorded_has(found, s->plan->points[i].id);
        s->recorded_count += s->recorded[i];
    }
    s->result->rows = s->recorded_count;
    memcpy(s->result->by_status, found->by_status, sizeof found->by_status);
    return s->recorded_count == found->count ||
           FAIL(e, ERROR_CONFIG,
                "%s/results.csv has %zu rows, of which only %llu are points of its config; start "
                "a new run",
                s->result->folder, found->count, (unsigned long long)s->recorded_count);
}

static bool reopen_record(struct sweep *s, struct error *e)
{
    const struct earlier *earlier = s->options->earlier;
    struct provenance *p = &s->provenance;
    if (!check_changes(s, e))
        return false;
    snprintf(p->command, sizeof p->command, "%s", earlier->command ? earlier->command : "");
    snprintf(p->started, sizeof p->started, "%s", earlier->started ? earlier->started : "");
    p->sessions = earlier->sessions;
    p->session_count = earlier->session_count + 1;
    if (!earlier_conditions(earlier, &s->earlier_conditions))
        return FAIL(e, ERROR_MEMORY, "out of memory");
    s->conditions.earlier = s->earlier_conditions.bytes;
    struct recorded found;
    size_t taken;
    if (!record_take_out(s->result->folder, s->options->retry, &taken, e) ||
        !record_open(s->result->folder, s->plan, &s->metrics, p, &s->record, &found, e))
        return false;
    bool ok = find_recorded(s, &found, e);
    recorded_free(&found);
    return ok;
}

static bool close_record(struct sweep *s, bool ok, struct error *e)
{
    if (!s->record)
        return ok;
    char ended[32];
    provenance_now(ended);
    const char *status = !ok                               ? "failed"
                         : s->result->stopped              ? "stopped"
                         : conditions_hold(&s->conditions) ? "complete"
                                                           : "doubtful";
    struct error ignored;
    return record_close(s->record, status, ended, ok ? e : &ignored) && ok;
}

/* What a failed self-check or a drift means for a reader is said at the end. */
static void note_conditions(struct sweep *s)
{
    const struct conditions *c = &s->conditions;
    struct sweep_result *r = s->result;
    r->drift_pct = conditions_drift_pct(c);
    for (int i = 0; i < c->check_count; i++)
        if (!c->checks[i].ok) {
            snprintf(r->doubt, sizeof r->doubt,
                     "self-check %s failed: %s should be %.6g and was %.6g", c->checks[i].name,
                     c->checks[i].meaning, c->checks[i].expected, c->checks[i].found);
            return;
        }
}

static bool measure_all(struct sweep *s, struct error *e)
{
    if (!compile_all(s, e))
        return false;
    measure_ceilings(s, &s->conditions.start, true);
    bool ok = record_update(s->record, e) && run_groups(s, e);
    if (ok && !s->result->stopped)
        measure_ceilings(s, &s->conditions.end, false);
    note_conditions(s);
    return ok;
}

/* A run that is gone on with is locked before a device is opened for it. */
static bool lock_earlier(struct sweep *s, struct error *e)
{
    if (!s->options->earlier)
        return true;
    snprintf(s->result->folder, sizeof s->result->folder, "%.4000s", s->options->out);
    return folder_lock(s->result->folder, &s->lock, e);
}

static bool run_all(struct sweep *s, struct error *e)
{
    if (!lock_earlier(s, e) || !make_plans(s, e) || !describe_run(s, e) ||
        !(s->options->earlier ? reopen_record(s, e) : create_record(s, e)))
        return false;
    note_missing_metrics(s);
    return s->recorded_count == s->plan->point_count || measure_all(s, e);
}

bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e)
{
    struct sigaction before[SIGNAL_COUNT];
    memset(result, 0, sizeof *result);
    struct sweep s = {.options = options, .result = result, .lock = -1, .mark = ""};
    s.supervisor.setup = &options->setup;
    s.supervisor.stop = &sweep_stop_signal;
    conditions_clear(&s.conditions);
    sweep_stop_signal = 0;
    catch_signals(before);
    bool ok = run_all(&s, e);
    result->recorded = s.record != NULL;
    if (sweep_stop_signal) {
        result->stopped = true;
        snprintf(result->stopped_why, sizeof result->stopped_why, "%s",
                 strsignal(sweep_stop_signal));
        if (!ok && !result->recorded)
            FAIL(e, ERROR_SYSTEM, "stopped (%s) before the first point: nothing was measured",
                 result->stopped_why);
    }
    if (result->stopped)
        supervisor_kill(&s.supervisor, NULL);
    else
        supervisor_stop(&s.supervisor);
    ok = close_record(&s, ok, e);
    if (s.lock >= 0)
        folder_unlock(result->folder, s.lock);
    free(s.recorded);
    text_free(&s.earlier_conditions);
    metric_plan_free(&s.metrics);
    plan_free(s.plan);
    restore_signals(before);
    return ok;
}
