/*
 * Measures one group: prepares it, computes references, checks, times, measures energy, counts, and
 * reports.
 */
#include "measure/buffer_pool.h"
#include "base/clock.h"
#include "base/memory.h"
#include "measure/modules.h"
#include "measure/subject.h"

#include <stdlib.h>

/* Sets each point's reference. The pool computes each reference once. */
static bool compute_references(struct group_run *s, struct error *e)
{
    if (s->bench->info.no_contents)
        return true;
    if (!report_event(s, REPORT_BEGIN, POINT_BATCH, e))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->subjects[i].active && s->subjects[i].sample.count == 0 &&
            !pool_reference(s->bench, s->subjects[i].kernel->workload, &s->input,
                            s->subjects[i].point, &s->subjects[i].reference, e))
            return false;
    return true;
}

/* Returns whether the kernel's launches gave different bits although its facts promise the same
 * bits. */
static bool breaks_its_word(const struct subject *subject)
{
    return subject->active && subject->outcome.varies && !subject->kernel->varies &&
           !subject->kernel->racy;
}

static bool finish_good(struct group_run *s, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        enum status status = subject->sample.count ? STATUS_SAMPLED : STATUS_OK;
        if (breaks_its_word(subject))
            outcome_add_reason(&subject->outcome, RECORD_BITS_BROKEN);
        if (subject->active && !subject_finish(s, subject, status, NULL, e))
            return false;
    }
    return true;
}

/* Adds the time since *since to *seconds, and sets *since to now. */
static void add_elapsed(double *seconds, double *since)
{
    double now = clock_now_s();
    *seconds += now - *since;
    *since = now;
}

static double device_busy_s(const struct bench *b)
{
    return b->driver->busy_s ? b->driver->busy_s(b->device) : 0;
}

bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e)
{
    struct group_run s = {.bench = b,
                          .task = task,
                          .emit = emit,
                          .context = context,
                          .input = task->input,
                          .count = task->count,
                          /* if there is only one point, every failure is its failure */
                          .solo = task->solo || task->count == 1,
                          .subjects = xcalloc(task->count, sizeof *s.subjects)};
    struct phase_times *p = &b->phases;
    double since = clock_now_s(), busy = device_busy_s(b);
    bool ok = group_prepare(&s, e);
    add_elapsed(&p->prepare_s, &since);
    ok = ok && compute_references(&s, e);
    add_elapsed(&p->reference_s, &since);
    ok = ok && group_check(&s, e);
    add_elapsed(&p->check_s, &since);
    ok = ok && group_time(&s, e);
    add_elapsed(&p->time_s, &since);
    p->busy_s += device_busy_s(b) - busy;
    ok = ok && group_energy(&s, e);
    add_elapsed(&p->energy_s, &since);
    ok = ok && group_count(&s, e);
    add_elapsed(&p->count_s, &since);
    ok = ok && finish_good(&s, e);
    group_release(&s, !ok && e->device_lost);
    add_elapsed(&p->prepare_s, &since);
    if (ok)
        modules_trim(b);
    return ok;
}
