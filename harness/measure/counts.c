/*
 * Reads hardware counters, separately from timing and in large batches. A profiler session consists
 * of ranges, here one per point. Starting and ending a session takes far longer than one range.
 */
#include "measure/subject.h"

#include <stdlib.h>

#include "base/memory.h"

/* The number of ranges per session. Each range produces about 64 kB of counter data. */
enum { COUNT_BATCH = 256 };

static bool count_batch(struct group_run *s, const uint32_t *at, int batch, struct error *e);

/*
 * Handles an error while counting. If there is a single point, it keeps its times but has no
 * counts, and its row gives the reason, even if the device is lost. If there are several points,
 * any of them may be the cause, so each is counted again alone.
 */
static bool count_failed(struct group_run *s, const uint32_t *at, int batch,
                         const struct error *why, struct error *e)
{
    if (batch > 1 && !why->device_lost) {
        for (int i = 0; i < batch; i++)
            if (!count_batch(s, &at[i], 1, e))
                return false;
        return true;
    }
    if (batch == 1) {
        struct subject *subject = &s->subjects[at[0]];
        outcome_add_reason(&subject->outcome, "the metrics were not counted: %s", why->text);
        if (why->device_lost &&
            !subject_finish(s, subject, subject->wrong ? STATUS_WRONG : STATUS_OK, subject->wrong,
                            e))
            return false;
    }
    if (why->device_lost)
        *e = *why;
    return !why->device_lost;
}

/* Reads the counters of the points subjects[at[0]], subjects[at[1]] and so on. REPORT_BEGIN names
 * the point if there is only one, and otherwise POINT_BATCH. */
static bool count_batch(struct group_run *s, const uint32_t *at, int batch, struct error *e)
{
    struct bench *b = s->bench;
    int wanted = s->task->counter_count;
    struct trial trials[COUNT_BATCH];
    for (int i = 0; i < batch; i++)
        trials[i] = subject_trial(s, &s->subjects[at[i]], TRIAL_UNTIMED, 0);
    double *values = xcalloc((size_t)batch * (size_t)wanted, sizeof *values);
    uint32_t blamed = batch == 1 ? s->subjects[at[0]].index : POINT_BATCH;
    bool ok = report_event(s, REPORT_BEGIN, blamed, e);
    struct error why = {0};
    if (ok &&
        !b->driver->count(b->device, trials, batch, s->task->counters, wanted, values, &why)) {
        ok = count_failed(s, at, batch, &why, e);
    } else {
        for (int i = 0; ok && i < batch; i++)
            ok = report_values(s, REPORT_COUNTS, s->subjects[at[i]].index,
                               values + (size_t)i * (size_t)wanted, (size_t)wanted, e);
    }
    free(values);
    return ok;
}

bool group_count_one(struct group_run *s, uint32_t i, struct error *lost, struct error *e)
{
    struct bench *b = s->bench;
    struct error why = {0};
    if (b->info.count_is_run || !b->info.can_count || s->task->counter_count == 0)
        return true;
    if (count_batch(s, &i, 1, &why))
        return true;
    *(why.device_lost ? lost : e) = why;
    return why.device_lost;
}

bool group_count(struct group_run *s, struct error *e)
{
    struct bench *b = s->bench;
    if (b->info.count_is_run || !b->info.can_count || s->task->counter_count == 0)
        return true;
    uint32_t at[COUNT_BATCH];
    int batch = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->subjects[i].active)
            at[batch++] = i;
        bool full = batch == (s->solo ? 1 : COUNT_BATCH) || i + 1 == s->count;
        if (full && batch > 0) {
            if (!count_batch(s, at, batch, e))
                return false;
            batch = 0;
        }
    }
    return true;
}
