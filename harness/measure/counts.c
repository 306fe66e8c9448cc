/*
 * Counters, apart from timing and in large batches: a session of the profiler costs far more than
 * a range inside it.
 */
#include "measure/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_BATCH = 256 }; /* ranges per session: about 64 kB of counter data each */

bool report_counts(struct session *s, struct subject *subject, const double *counters,
                   struct error *e)
{
    const struct metric_plan *metrics = s->bench->metrics;
    double *values = calloc((size_t)metrics->count + 1, sizeof *values);
    if (!values)
        return FAIL(e, ERROR_MEMORY, "out of memory for metrics");
    for (int i = 0; i < metrics->count; i++)
        values[i] = metric_value(metrics, i, counters);
    bool ok = s->sink->metrics(s->sink->context, subject->index, values, e);
    free(values);
    return ok;
}

static bool count_batch(struct session *s, const uint32_t *at, int batch, struct error *e);

/*
 * Counting failed. A point alone keeps its timings; the cells stay empty and its row says why, also
 * when the device is lost with it. Of several points one may be to blame: each is counted alone.
 */
static bool count_failed(struct session *s, const uint32_t *at, int batch, const struct error *why,
                         struct error *e)
{
    if (batch > 1 && !why->device_lost) {
        for (int i = 0; i < batch; i++)
            if (!count_batch(s, &at[i], 1, e))
                return false;
        return true;
    }
    if (batch == 1) {
        struct subject *subject = &s->subjects[at[0]];
        snprintf(subject->outcome.reason, sizeof subject->outcome.reason, "no metrics: %.1000s",
                 why->text);
        if (why->device_lost && !subject_finish(s, subject, STATUS_OK, NULL, e))
            return false;
    }
    if (why->device_lost)
        *e = *why;
    return !why->device_lost;
}

/* Counts subjects[at[0]], …: one begin for a single point, POINT_BATCH for several. */
static bool count_batch(struct session *s, const uint32_t *at, int batch, struct error *e)
{
    struct bench *b = s->bench;
    int wanted = b->metrics->counter_count;
    struct trial trials[COUNT_BATCH];
    for (int i = 0; i < batch; i++)
        trials[i] = subject_trial(s, &s->subjects[at[i]]);
    double *values = calloc((size_t)batch * (size_t)wanted, sizeof *values);
    if (!values)
        return FAIL(e, ERROR_MEMORY, "out of memory for the counters of %d points", batch);
    uint32_t blamed = batch == 1 ? s->subjects[at[0]].index : POINT_BATCH;
    bool ok = s->sink->begin(s->sink->context, blamed, e);
    struct error why = {0};
    if (ok &&
        !b->driver->count(b->device, trials, batch, b->metrics->counters, wanted, values, &why)) {
        ok = count_failed(s, at, batch, &why, e);
    } else {
        for (int i = 0; ok && i < batch; i++)
            ok = report_counts(s, &s->subjects[at[i]], values + (size_t)i * (size_t)wanted, e);
    }
    free(values);
    return ok;
}

bool session_count(struct session *s, bool solo, struct error *e)
{
    struct bench *b = s->bench;
    if (b->info.count_is_run || !b->info.can_count || b->metrics->counter_count == 0)
        return true;
    uint32_t at[COUNT_BATCH];
    int batch = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->subjects[i].active)
            at[batch++] = i;
        bool full = batch == (solo ? 1 : COUNT_BATCH) || i + 1 == s->count;
        if (full && batch > 0) {
            if (!count_batch(s, at, batch, e))
                return false;
            batch = 0;
        }
    }
    return true;
}
