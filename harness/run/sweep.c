/*
 * The work of the parent process: catches signals, makes the lanes of all sweeps, runs the stages
 * (stages.c), and closes the folders of the runs.
 */
#include "run/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/memory.h"
#include "record/lock.h"
#include "run/judge.h"
#include "run/lane.h"
#include "run/processes.h"
#include "run/sides.h"
#include "run/stages.h"
#include "run/live_page.h"
#include "run/sweep_state.h"

static const struct sweeps *at_work; /* the running sweeps, for end_out_of_memory(); NULL: there are
                                        none */

/*
 * Called when the parent runs out of memory (base/memory.h). Prints where the recorded rows are and
 * how to resume the run. Then ends the process, and its workers end with it.
 */
static void end_out_of_memory(size_t bytes)
{
    int code = EXIT_REFUSED;
    dprintf(STDERR_FILENO, "\nredsweep: out of memory (%zu bytes were requested)\n", bytes);
    for (int i = 0; at_work && i < at_work->count; i++) {
        const struct sweep *s = &at_work->items[i];
        if (!s->on_disk)
            continue;
        code = EXIT_STOPPED;
        dprintf(STDERR_FILENO, "%s/results.csv contains every row that was written to disk\n",
                s->on_disk);
        if (!s->options->gate && !s->options->setup.config->points.asked)
            dprintf(STDERR_FILENO, "to resume: redsweep resume %s\n", s->resume_word.bytes);
    }
    _exit(code);
}

static int lanes_of(const struct sweep_options *o)
{
    return o->device_count > 1 ? o->device_count : 1;
}

static void make_sweep(struct sweep *s, const struct sweep_options *o, struct sweep_result *result,
                       int device_count)
{
    memset(result, 0, sizeof *result);
    *s = (struct sweep){.options = o,
                        .result = result,
                        .mark = "",
                        .device_count = device_count,
                        .lane_count = lanes_of(o),
                        .counters = {.passes = -1}};
    s->lanes = xcalloc((size_t)s->lane_count, sizeof *s->lanes);
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        l->sweep = s;
        l->setup = o->setup;
        if (o->device_count > 0)
            l->setup.device_name = o->devices[i];
        l->setup.lanes = device_count;
        l->supervisor.setup = &l->setup;
    }
    sweep_begin_session(s);
}

/* Locks the folder of a run that is to be resumed, before any device is opened. */
static bool lock_earlier(struct sweep *s, struct error *e)
{
    if (!s->options->earlier)
        return true;
    snprintf(s->result->folder, sizeof s->result->folder, "%.4000s", s->options->out);
    snprintf(s->sides[0].folder, sizeof s->sides[0].folder, "%s", s->result->folder);
    sweep_on_disk(s, s->result->folder);
    return s->options->locked || folder_lock(s->result->folder, &s->sides[0].lock, e);
}

/*
 * Judges whether a finished run can be trusted, and completes its result. Called while the lanes
 * still exist.
 */
static void judge(struct sweep *s)
{
    struct sweep_result *r = s->result;
    r->recorded = s->sides[0].record != NULL && !s->refused;
    if (s->source && s->source->kind->end)
        s->source->kind->end(s);
    if (s->source)
        judge_run(s);
    for (uint32_t i = 0; s->plan && i < s->plan->point_count; i++) {
        const char *why = s->plan->reasons[s->plan->points[i].skip];
        if (i > 0 && strcmp(why, r->skipped) != 0) {
            r->skipped[0] = '\0'; /* several reasons, or some points were measured */
            break;
        }
        snprintf(r->skipped, sizeof r->skipped, "%s", why);
    }
    if (!sweep_stop_signal)
        return;
    r->stopped = true;
    snprintf(r->stopped_why, sizeof r->stopped_why, "%s", strsignal(sweep_stop_signal));
    if (r->error.kind != ERROR_NONE && !r->recorded)
        FAIL(&r->error, ERROR_SYSTEM,
             "the run was stopped (%s) before the first point, so nothing was measured",
             r->stopped_why);
}

static void end_sweep(struct sweep *s)
{
    struct sweep_result *r = s->result;
    live_page_end(s);
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        if (r->stopped)
            supervisor_kill(&l->supervisor);
        supervisor_stop(&l->supervisor);
        free(l->streaks);
        free(l->variants);
        vec_free(&l->batch.points);
    }
    free(s->lanes);
    if (s->source)
        s->source->kind->free(s->source);
    if (s->anchors)
        s->anchors->kind->free(s->anchors);
    (void)sweep_close(s, r->error.kind == ERROR_NONE, &r->error);
    s->on_disk = NULL; /* it pointed into a side, which sweep_close() freed */
    free(s->rows);
    time_left_free(&s->time_left[0]);
    time_left_free(&s->time_left[1]);
    text_free(&s->counter_names);
    text_free(&s->no_device);
    for (size_t i = 0; i < s->counters.known.count; i++)
        free(s->counters.known.items[i].name);
    vec_free(&s->counters.known);
    free(s->counters.asked);
    for (uint32_t v = 0; s->uncompiled && v < s->plan->variant_count; v++)
        free(s->uncompiled[v]);
    free(s->uncompiled);
    free(s->told);
    free(s->given_up);
    metric_plan_free(&s->metrics);
    plan_free(s->plan);
    text_free(&s->resume_word);
}

void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count)
{
    struct sigaction before[PROCESS_SIGNALS];
    struct sweeps all = {xcalloc((size_t)count, sizeof *all.items), count};
    int device_count = 0;
    for (int i = 0; i < count; i++)
        device_count += lanes_of(&options[i]);
    for (int i = 0; i < count; i++)
        make_sweep(&all.items[i], &options[i], &results[i], device_count);
    sweep_stop_signal = sweep_stop_count = 0;
    signals_catch(signals_stop, before);
    at_work = &all;
    memory_hook *hook = memory_set_hook(end_out_of_memory);
    for (int i = 0; i < count; i++) {
        struct error why = {0};
        if (!lock_earlier(&all.items[i], &why))
            sweep_fail(&all.items[i], &why);
    }
    stages_run(&all);
    for (int i = 0; i < count; i++)
        judge(&all.items[i]);
    /* Releasing a device takes long, so all workers quit at the same time. */
    for (int i = 0; i < count; i++)
        for (int k = 0; !results[i].stopped && k < all.items[i].lane_count; k++)
            supervisor_quit(&all.items[i].lanes[k].supervisor);
    for (int i = 0; i < count; i++)
        end_sweep(&all.items[i]);
    memory_set_hook(hook);
    at_work = NULL;
    free(all.items);
    signals_restore(before);
}

bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e)
{
    sweeps_run(options, result, 1);
    if (result->error.kind != ERROR_NONE)
        *e = result->error;
    return result->error.kind == ERROR_NONE;
}
