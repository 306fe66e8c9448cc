/*
 * Opens the device of a lane. The lane's worker reports the device's limits as soon as it knows
 * them. Seconds later, when the device is ready to measure, the worker sends HELLO. In the
 * meantime, the plan is made from the limits of the first lane's device.
 *
 * Then the first lane's worker is asked which counters the device has. Each question names one
 * counter, because the answer decides which counter to ask for next (metrics_resolve()).
 */
#include "run/job_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/awake.h"
#include "run/lane_batch.h"

enum { LOSSES_MAX = 3, WAITING_LIMIT_S = 60 };

static bool choose_metrics(struct lane *l, struct error *e);

void sweep_forget_process(struct sweep *s)
{
    for (int i = 0; i < s->side_count; i++)
        member_set(&s->sides[i].manifest.provenance.process, "");
}

/*
 * Makes the lane wait until it can start a worker. The machine may be able to start a process again
 * soon, and a killed process may take long to disappear, so neither means that the device is lost.
 * Fails with the error `why` after a minute of waiting.
 */
static bool open_later(struct lane *l, const struct error *why, struct error *e)
{
    double now = awake_now_s();
    if (l->waiting_since_s == 0 && l->supervisor.dying == 0) {
        progress_clear(&l->sweep->progress);
        fprintf(stderr, "%s; retrying for up to %d s\n", why->text, WAITING_LIMIT_S);
    }
    if (l->waiting_since_s == 0)
        l->waiting_since_s = now;
    if (now - l->waiting_since_s >= WAITING_LIMIT_S) {
        *e = *why;
        return false;
    }
    l->state = LANE_WAITING;
    l->supervisor.heard_s = now;
    return true;
}

bool open_begin(struct lane *l, struct error *e)
{
    struct error why = {0};
    sweep_forget_process(l->sweep);
    if (!supervisor_gone(&l->supervisor))
        FAIL(&why, ERROR_PROCESS, "the device's process %ld was killed, but has not ended",
             (long)l->supervisor.dying);
    else
        (void)supervisor_fork(&l->supervisor, &why);
    if (why.kind != ERROR_NONE)
        return open_later(l, &why, e);
    l->waiting_since_s = 0;
    l->state = LANE_OPENING;
    return true;
}

void open_failed(struct lane *l, const char *why)
{
    struct sweep *s = l->sweep;
    progress_clear(&s->progress);
    fprintf(stderr, "the device cannot be reopened: %s\n", why);
    l->state = LANE_RESTING;
    l->supervisor.heard_s = awake_now_s();
    if (l->doubted)
        l->failed = true;
    else
        lane_count_loss(l, why);
}

/* ---- The plan -------------------------------------------------------------------------------- */

void open_show_phase(void *sweep, const struct phase *phase)
{
    struct sweep *s = sweep;
    progress_phase(&s->phases, phase, s->options->quiet);
    s->progress.drawn = s->progress.drawn || s->phases.drawn;
}

/*
 * Makes the plan for a device with these limits (NULL: without limits), unless the existing plan
 * was made for the same limits.
 */
static bool plan_for(struct sweep *s, const struct device_limits *limits, struct error *e)
{
    const struct run_setup *setup = &s->options->setup;
    if (s->plan && limits && device_limits_same(limits, &s->planned_for))
        return true;
    plan_free(s->plan); /* `auto` chose another device after the plan was made */
    s->plan = NULL;
    if (limits)
        s->planned_for = *limits;
    phase_watch(open_show_phase, s);
    bool ok = plan_build(setup->config, setup->catalogue, limits, &s->plan, e);
    phase_watch(NULL, NULL);
    progress_clear(&s->phases);
    return ok;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static bool is_first(const struct lane *l)
{
    return l == l->sweep->lanes;
}

/*
 * Notes that the device is open, and records how long its launches take and how precise its clock
 * is. Makes the plan if it was not made for this device yet.
 */
static bool take_hello(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    const struct device_info *info = &l->supervisor.hello.info;
    conditions_launch(l->conditions, info->contexts, info->time_step_us, info->launch_us,
                      info->launch_max_us);
    bool first_time = !l->opened;
    l->opened = true;
    return !first_time || !is_first(l) || plan_for(s, &info->limits, e);
}

/*
 * Handles a device that could not be opened when the sweep began. The sweep fails, but a dry run
 * continues and plans without a device.
 */
static bool refuse_to_open(struct lane *l, const struct error *why, struct error *e)
{
    struct sweep *s = l->sweep;
    if (s->options->dry_run && why->kind == ERROR_DEVICE) {
        text_append(&s->no_device, "%s", why->text);
        l->state = LANE_ENDED;
        return plan_for(s, NULL, e) && choose_metrics(l, e);
    }
    *e = *why;
    return is_first(l) ? false : error_prefix(e, "%s", l->setup.device_name);
}

bool open_hear(struct lane *l, enum received received, const struct message *m, struct error *e)
{
    struct error why = {0};
    if (m->type == MESSAGE_LIMITS)
        return l->opened || !is_first(l) ||
               plan_for(l->sweep, (const struct device_limits *)m->payload, e);
    l->state = LANE_IDLE;
    if (supervisor_opened(&l->supervisor, received, m, &why))
        return take_hello(l, e);
    if (!l->opened)
        return refuse_to_open(l, &why, e);
    open_failed(l, why.text);
    return true;
}

/* ---- Counters -------------------------------------------------------------------------------- */

/*
 * Returns whether the device has a counter, for metrics_resolve(). If the device has not been asked
 * yet, returns false and stores the name in c->asked, so that the device is asked next.
 */
static bool counter_known(void *context, const char *counter, char why[256])
{
    struct counters *c = context;
    for (size_t i = 0; i < c->known.count; i++)
        if (strcmp(c->known.items[i].name, counter) == 0) {
            memcpy(why, c->known.items[i].answer.why, 256);
            return c->known.items[i].answer.value != 0;
        }
    if (!c->asked)
        c->asked = xstrdup(counter);
    return false;
}

static void ask(struct lane *l, enum message_type type, const char *text, size_t length)
{
    l->state = LANE_ASKING;
    supervisor_request(&l->supervisor, type, text, length);
}

/* Chooses the metrics. If the device must be asked about another counter first, asks instead. */
static bool choose_metrics(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    const struct name_list *wanted = &s->options->setup.config->metrics;
    struct counters *c = &s->counters;
    bool device = s->no_device.length == 0;
    struct error why = {0};
    bool ok =
        metrics_resolve((const char *const *)wanted->names, wanted->count,
                        device ? l->supervisor.hello.info.chip : "", device ? counter_known : NULL,
                        c, "there is no device", &s->metrics, &why);
    if (c->asked) {
        metric_plan_free(&s->metrics);
        ask(l, MESSAGE_ASK_COUNTER, c->asked, strlen(c->asked));
        return true;
    }
    if (!ok) {
        *e = why;
        return false;
    }
    for (int i = 0; i < s->metrics.counter_count; i++)
        text_append_bytes(&s->counter_names, s->metrics.counters[i],
                          strlen(s->metrics.counters[i]) + 1);
    c->settled = true;
    return true;
}

bool open_next(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    struct counters *c = &s->counters;
    if (!l->opened)
        return open_begin(l, e);
    if (!is_first(l))
        return true;
    if (!c->settled && !choose_metrics(l, e))
        return false;
    if (c->settled && s->options->dry_run && c->passes < 0 && s->counter_names.length &&
        !l->supervisor.hello.info.count_is_run)
        ask(l, MESSAGE_ASK_PASSES, s->counter_names.bytes, s->counter_names.length);
    return true;
}

/*
 * Handles a worker that ended while it was asked about counters. Up to two such workers are
 * replaced; the third ends the sweep.
 */
static bool lose_asked(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    supervisor_kill(&l->supervisor);
    l->opened = false;
    return ++s->counters.losses < LOSSES_MAX ||
           FAIL(e, ERROR_DEVICE, "the device's process ended while it was asked for its counters");
}

bool answer_hear(struct lane *l, enum received received, const struct message *m, struct error *e)
{
    struct sweep *s = l->sweep;
    struct counters *c = &s->counters;
    bool answered = m->type == MESSAGE_ANSWER;
    (void)received;
    char *name = c->asked;
    l->state = LANE_IDLE;
    c->asked = NULL;
    if (answered && name)
        vec_push(&c->known, (struct counter_answer){name, *(const struct answer *)m->payload});
    else if (answered)
        c->passes = (int)((const struct answer *)m->payload)->value;
    else
        free(name);
    return answered || lose_asked(l, e);
}
