/*
 * The parent's work, from the plan to the last row: signals, compiling, and the loop over groups.
 * What happens inside a group is sweep_group.c's; the folders that are written, sweep_sides.c's.
 */
#include "run/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/memory.h"
#include "record/lock.h"
#include "run/folder.h"
#include "run/earlier.h"
#include "run/provenance.h"
#include "run/sweep_state.h"

/* A compiler that says nothing for so long hangs: the worker reports ten times a second. */
enum { COMPILE_SILENCE_MS = 120 * 1000, CEILINGS_LIMIT_MS = 60 * 1000, START_TRIES = 3 };
enum { COMPILE_REQUEST_MAX = 1 << 16 }; /* variants; keeps messages short */

volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

static void on_signal(int number)
{
    sweep_stop_signal = number;
    sweep_stop_count++;
}

enum { SIGNAL_COUNT = 6 };
static const int signals[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD};

/*
 * Three signals end the run, unless they were ignored when we started (nohup). A closed pipe
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

/* The run's folder (of a gate, the candidate's) once there is one: its rows outlive this process.
 */
static const char *folder_on_disk;
static bool can_resume;

/* For base/memory.h, in the parent. The worker ends with its parent. */
static void end_out_of_memory(size_t bytes)
{
    dprintf(STDERR_FILENO, "\nredsweep: out of memory (%zu bytes requested)\n", bytes);
    if (!folder_on_disk)
        _exit(EXIT_REFUSED);
    dprintf(STDERR_FILENO, "%s/results.csv holds every row that was written to disk\n",
            folder_on_disk);
    if (can_resume)
        dprintf(STDERR_FILENO, "to resume: redsweep resume '%s'\n", folder_on_disk);
    _exit(EXIT_STOPPED);
}

static bool run_groups(struct sweep *s, struct error *e)
{
    progress_start(&s->progress, "measuring", s->plan->point_count - s->recorded_count,
                   s->options->quiet);
    bool ok = true;
    double since = clock_now_s();
    for (s->group = 0; ok && !s->result->stopped && s->group < s->plan->group_count; s->group++)
        ok = sweep_run_group(s, e);
    s->conditions->phases.measuring_s = clock_now_s() - since;
    ok = ok && sweep_flush(s, e);
    progress_end(&s->progress);
    return ok;
}

/*
 * One message of compiling; `ended` becomes true with the last. `variants`: the numbers in the plan
 * of those asked for; `before`: how many were done earlier.
 */
static bool take_compile_message(struct sweep *s, const struct message *m, const uint32_t *variants,
                                 size_t before, bool *ended, struct error *e)
{
    if (m->type == MESSAGE_PROGRESS)
        progress_show(&s->progress, before + ((const struct progress_report *)m->payload)->done,
                      "");
    if (m->type == MESSAGE_UNCOMPILED) {
        const struct uncompiled *u = (const struct uncompiled *)m->payload;
        char **why = &s->uncompiled[variants[u->variant]];
        free(*why);
        *why = xstrdup(u->why);
    }
    *ended = m->type == MESSAGE_COMPILED;
    if (m->type != MESSAGE_REFUSED)
        return true;
    const struct refusal *r = (const struct refusal *)m->payload;
    return FAIL(e, r->kind, "%s", r->text);
}

static void record_position(struct conditions *c, const struct launch_position *p)
{
    c->position = (struct position_seen){.period = p->period,
                                         .samples = p->samples,
                                         .p_shorter = p->p_shorter,
                                         .p_longer = p->p_longer,
                                         .margin_us = isfinite(p->margin_us) ? p->margin_us : NAN,
                                         .unseen_us = p->unseen_us,
                                         .profiles = p->profiles,
                                         .located = p->located,
                                         .batches = (int64_t)p->batches,
                                         .repeated = (int64_t)p->repeated,
                                         .unverified = (int64_t)p->unverified,
                                         .sentinels = (int64_t)p->sentinels};
}

static enum received ask_ceilings(struct sweep *s, bool with_checks, struct message *m)
{
    /* A run that counts nothing need not open the counters. */
    struct ceilings_request request = {with_checks, s->metrics.counter_count > 0};
    if (s->supervisor.worker == 0 || sweep_stop_signal)
        return RECEIVED_END;
    supervisor_request(&s->supervisor, MESSAGE_CEILINGS, &request, sizeof request);
    return supervisor_await(&s->supervisor, CEILINGS_LIMIT_MS, m);
}

/*
 * Kernels of our own tell a device that is broken from kernels that are: the ceilings' kernels run
 * once more. Where they never ran, nothing is known, and false is the answer; but a device that
 * bounds its own work is software, which works when it opens.
 */
bool sweep_device_works(struct sweep *s)
{
    struct message m = {0};
    const struct device_info *info = &s->supervisor.hello.info;
    if (s->supervisor.worker == 0 && !sweep_start_worker(s, NULL))
        return false;
    if (info->bounded)
        return true;
    if (s->conditions->start.missing[0])
        return false;
    bool works = ask_ceilings(s, false, &m) == RECEIVED_MESSAGE && m.type == MESSAGE_CEILINGS &&
                 !((const struct ceilings_report *)m.payload)->ceilings.missing[0];
    message_free(&m);
    if (!works)
        supervisor_kill(&s->supervisor, NULL);
    return works;
}

/*
 * Ceilings, at the run's beginning and end, and self-checks at its beginning. A run continues
 * without them: a worker that dies of it is replaced when the next group comes.
 */
static void measure_ceilings(struct sweep *s, struct ceilings *out, bool with_checks)
{
    struct conditions *c = s->conditions;
    double since = clock_now_s();
    struct message m = {0};
    enum received received = ask_ceilings(s, with_checks, &m);
    if (received == RECEIVED_MESSAGE) {
        const struct ceilings_report *r = (const struct ceilings_report *)m.payload;
        bool measured = m.type == MESSAGE_CEILINGS;
        if (measured)
            *out = r->ceilings;
        if (measured && r->position.period > 0)
            record_position(c, &r->position);
        for (int i = 0; measured && with_checks && i < r->check_count; i++)
            vec_push(&c->checks, r->checks[i]);
        message_free(&m);
    } else {
        supervisor_kill(&s->supervisor, NULL);
        snprintf(out->missing, sizeof out->missing, "%s",
                 sweep_stop_signal ? "the run was stopped"
                                   : "the device's process was lost while they were measured");
    }
    c->phases.ceilings_s += clock_now_s() - since;
}

/* Compiles these variants of the plan; false only where nothing can be compiled at all. */
static bool compile_some(struct sweep *s, const uint32_t *variants, uint32_t count, size_t before,
                         struct error *e)
{
    struct variant *request = xcalloc(count, sizeof *request);
    for (uint32_t i = 0; i < count; i++)
        request[i] = s->plan->variants[variants[i]];
    s->supervisor.asked = (struct asked){.count = count};
    supervisor_request(&s->supervisor, MESSAGE_COMPILE, request, count * sizeof *request);
    free(request);
    bool ended = false, ok = true;
    for (int silent = 0; ok && !ended && !sweep_stop_signal;) {
        struct message m;
        enum received received = supervisor_receive(&s->supervisor, SWEEP_SLICE_MS, &m);
        silent = received == RECEIVED_TIMEOUT ? silent + SWEEP_SLICE_MS : 0;
        if (received == RECEIVED_END || received == RECEIVED_MALFORMED ||
            silent >= COMPILE_SILENCE_MS) {
            supervisor_kill(&s->supervisor, NULL);
            break;
        }
        if (received != RECEIVED_MESSAGE)
            continue;
        ok = take_compile_message(s, &m, variants, before, &ended, e);
        message_free(&m);
    }
    return ok;
}

/* The variants of points that have no row yet, ascending; how many. The list is the caller's. */
static size_t wanted_variants(const struct sweep *s, uint32_t **list)
{
    const struct plan *plan = s->plan;
    bool *wanted = xcalloc(plan->variant_count, sizeof *wanted);
    size_t count = 0;
    for (uint32_t i = 0; i < plan->point_count; i++)
        if (!plan->points[i].skip && !(s->recorded && s->recorded[i]))
            wanted[plan->points[i].variant] = true;
    *list = xcalloc(plan->variant_count, sizeof **list);
    for (uint32_t v = 0; v < plan->variant_count; v++)
        if (wanted[v])
            (*list)[count++] = v;
    free(wanted);
    return count;
}

/* Fills the compile cache. A worker that dies of it is not fatal: points compile again later. */
static bool compile_all(struct sweep *s, struct error *e)
{
    uint32_t *variants;
    size_t count = wanted_variants(s, &variants);
    s->uncompiled = xcalloc(s->plan->variant_count, sizeof *s->uncompiled);
    progress_start(&s->progress, "compiling", count, s->options->quiet);
    double since = clock_now_s();
    bool ok = true;
    for (size_t done = 0, some; ok && done < count; done += some) {
        some = count - done < COMPILE_REQUEST_MAX ? count - done : COMPILE_REQUEST_MAX;
        if (s->supervisor.worker == 0 || sweep_stop_signal)
            break;
        ok = compile_some(s, &variants[done], (uint32_t)some, done, e);
    }
    free(variants);
    s->conditions->phases.compile_s = clock_now_s() - since;
    progress_end(&s->progress);
    return ok;
}

static bool is_missing(const struct metric_choice *m)
{
    return m->formula < 0 && m->reason[0];
}

/* "a, b not available: reason": metric i and those after it that are missing for the same reason.
 */
static void describe_missing(const struct metric_plan *p, int i, struct text *line)
{
    const char *reason = p->choices[i].reason;
    int names = 0;
    for (int j = i; j < p->count; j++)
        if (is_missing(&p->choices[j]) && strcmp(p->choices[j].reason, reason) == 0)
            text_append(line, "%s%s", names++ ? ", " : "", p->choices[j].name);
    text_append(line, " not available: %s\n", reason);
}

static void note_missing_metrics(struct sweep *s)
{
    const struct metric_plan *p = &s->metrics;
    struct text lines = {0};
    for (int i = 0; i < p->count; i++) {
        bool reported = false;
        for (int j = 0; j < i; j++)
            reported = reported || (is_missing(&p->choices[j]) &&
                                    strcmp(p->choices[j].reason, p->choices[i].reason) == 0);
        if (is_missing(&p->choices[i]) && !reported)
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
        if (!s->supervisor.lost) {
            if (s->options->gate && s->options->gate->only)
                plan_keep(s->plan, s->options->gate->only, s->options->gate->only_count);
            request_append_names(&s->counter_names, s->metrics.counters, s->metrics.counter_count);
            return true;
        }
        supervisor_kill(&s->supervisor, NULL);
        metric_plan_free(&s->metrics);
        plan_free(s->plan);
        s->plan = NULL;
        if (sweep_stop_signal)
            break;
    }
    return FAIL(e, ERROR_DEVICE, "the device's process ended while it was asked for its counters");
}

/* The first line of a run: what it is on, and what `auto` would have preferred; then notes. */
static void say_beginning(const struct sweep *s)
{
    const struct hello *hello = &s->supervisor.hello;
    const char *uuid = hello->info.uuid;
    if (s->options->quiet)
        return;
    fprintf(stderr, "device: %s%s%s%s%s\n", hello->info.name, *uuid ? ", " : "", uuid,
            *hello->passed_over ? "; not " : "", hello->passed_over);
    plan_print_notes(s->plan, stderr);
}

/* Refuses what has changed since, or lets every row say so. */
static bool check_changes(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    struct conditions *session = s->conditions;
    struct text changes = {0};
    earlier_compare(&o->earlier->provenance, &s->sides[0].manifest.provenance, s->plan, &changes);
    bool ok = true;
    if (changes.length && !o->anyway)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s was made under other conditions:\n%sOld and new rows would not be "
                  "comparable: start a new run, or resume with --anyway, which records the "
                  "change in the reason of each new row",
                  o->out, changes.bytes);
    else if (changes.length)
        for (size_t i = 0; i < changes.length; i++)
            if (changes.bytes[i] == '\n')
                changes.bytes[i] = i + 1 < changes.length ? ';' : '\0';
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
    s->recorded = xcalloc(s->plan->point_count, sizeof *s->recorded);
    for (uint32_t i = 0; i < s->plan->point_count; i++) {
        s->recorded[i] = recorded_has(found, s->plan->points[i].id);
        s->recorded_count += s->recorded[i];
    }
    for (size_t i = 0; i < found->given_up.count; i++)
        give_up_again(s, found->given_up.items[i].kernel, found->given_up.items[i].status);
    s->result->rows = s->result->earlier_rows = s->recorded_count;
    memcpy(s->result->by_status, found->by_status, sizeof found->by_status);
    return s->recorded_count == found->ids.count ||
           FAIL(e, ERROR_CONFIG,
                "%s/results.csv has %zu rows, of which only %llu are points of its config; start "
                "a new run",
                s->result->folder, found->ids.count, (unsigned long long)s->recorded_count);
}

/*
 * Points that are ranked against each other are measured by one card: when a shard continues on
 * another one, the groups that the last card has only a part of begin again.
 */
static bool drop_partial_groups(struct sweep *s, struct error *e)
{
    const struct provenance *was = &s->options->earlier->provenance;
    if (strcmp(was->device.uuid, s->sides[0].manifest.provenance.device.uuid) == 0)
        return true;
    struct recorded found, partial = {0};
    bool ok = recorded_find(s->result->folder, &found, e);
    for (uint32_t g = 0; ok && g < s->plan->group_count; g++) {
        const struct group *group = &s->plan->groups[g];
        size_t before = partial.ids.count;
        for (uint32_t i = group->first; i < group->first + group->count; i++)
            if (recorded_has(&found, s->plan->points[i].id))
                vec_push(&partial.ids, s->plan->points[i].id);
        if (partial.ids.count - before == group->count)
            partial.ids.count = before;
    }
    if (ok && partial.ids.count) {
        recorded_sort(&partial);
        ok = record_take_out_points(s->result->folder, &partial, e);
    }
    recorded_free(&partial);
    recorded_free(&found);
    return ok;
}

static bool reopen_record(struct sweep *s, struct error *e)
{
    const struct provenance *was = &s->options->earlier->provenance;
    struct provenance *p = &s->sides[0].manifest.provenance;
    if (!check_changes(s, e))
        return false;
    member_set(&p->command, was->command);
    member_set(&p->config_overrides, was->config_overrides);
    snprintf(p->started, sizeof p->started, "%s", was->started);
    struct manifest *manifest = &s->sides[0].manifest;
    snprintf(manifest->status, sizeof manifest->status, "%s", s->options->earlier->status);
    struct recorded found;
    size_t taken;
    if (!record_take_out(s->result->folder, s->options->retry, &taken, e) ||
        !drop_partial_groups(s, e) ||
        !record_open(s->result->folder, s->plan, &s->metrics, &s->sides[0].manifest,
                     &s->sides[0].record, &found, e))
        return false;
    bool ok = find_recorded(s, &found, e);
    s->refused = !ok;
    recorded_free(&found);
    return ok;
}

/* What a failed self-check or a drift means for a reader is said at the end. */
static void note_conditions(struct sweep *s)
{
    struct conditions *c = s->conditions;
    struct sweep_result *r = s->result;
    r->drift_pct = c->drift_pct = conditions_drift_pct(c);
    for (size_t i = 0; i < c->checks.count; i++) {
        const struct self_check *check = &c->checks.items[i];
        if (check->ok)
            continue;
        snprintf(r->doubt, sizeof r->doubt, "self-check %s failed: %s should be %.6g and was %.6g",
                 check->name, check->meaning, check->expected, check->found);
        return;
    }
}

static bool measure_all(struct sweep *s, struct error *e)
{
    if (!compile_all(s, e))
        return false;
    measure_ceilings(s, &s->conditions->start, true);
    bool ok = sweep_update(s, e) && run_groups(s, e);
    if (ok && !s->result->stopped)
        measure_ceilings(s, &s->conditions->end, false);
    note_conditions(s);
    return ok;
}

/* A run that is resumed is locked before a device is opened for it. */
static bool lock_earlier(struct sweep *s, struct error *e)
{
    if (!s->options->earlier)
        return true;
    snprintf(s->result->folder, sizeof s->result->folder, "%.4000s", s->options->out);
    snprintf(s->sides[0].folder, sizeof s->sides[0].folder, "%s", s->result->folder);
    folder_on_disk = s->result->folder;
    return s->options->locked || folder_lock(s->result->folder, &s->sides[0].lock, e);
}

static bool run_all(struct sweep *s, struct error *e)
{
    if (!lock_earlier(s, e) || !make_plans(s, e))
        return false;
    say_beginning(s);
    if (!sweep_describe(s, e))
        return false;
    plan_keep_shard(s->plan, s->options->setup.shard); /* of what was described: the whole sweep */
    give_up_begin(s);
    if (!(s->options->earlier ? reopen_record(s, e) : sweep_create(s, e)))
        return false;
    folder_on_disk = s->sides[s->side_count - 1].folder;
    note_missing_metrics(s);
    return s->recorded_count == s->plan->point_count || measure_all(s, e);
}

bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e)
{
    struct sigaction before[SIGNAL_COUNT];
    memset(result, 0, sizeof *result);
    struct sweep s = {.options = options, .result = result, .mark = ""};
    s.supervisor.setup = &options->setup;
    s.supervisor.stop = &sweep_stop_signal;
    sweep_begin_session(&s);
    sweep_stop_signal = sweep_stop_count = 0;
    catch_signals(before);
    folder_on_disk = NULL;
    can_resume = !options->gate;
    memory_hook *hook = memory_set_hook(end_out_of_memory);
    bool ok = run_all(&s, e);
    result->recorded = s.sides[0].record != NULL && !s.refused;
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
    ok = sweep_close(&s, ok, e);
    free(s.recorded);
    text_free(&s.counter_names);
    for (uint32_t v = 0; s.uncompiled && v < s.plan->variant_count; v++)
        free(s.uncompiled[v]);
    free(s.uncompiled);
    free(s.streaks);
    metric_plan_free(&s.metrics);
    plan_free(s.plan);
    restore_signals(before);
    memory_set_hook(hook);
    return ok;
}
