/*
 * The order of things for one group: prepare, check, time, count, report.
 */
#include "measure/kept.h"
#include "base/clock.h"
#include "measure/modules.h"
#include "measure/subject.h"

#include <stdlib.h>

/* The group's points share the input, not always what is made of it. */
static bool compute_references(struct session *s, struct error *e)
{
    if (!s->sink->begin(s->sink->context, POINT_BATCH, e))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (!kept_reference(s->bench, s->subjects[i].kernel->workload, &s->input,
                            &s->subjects[i].reference, e))
            return false;
    return true;
}

static bool finish_good(struct session *s, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->subjects[i].active && !subject_finish(s, &s->subjects[i], STATUS_OK, NULL, e))
            return false;
    return true;
}

/* Adds what has passed since *since, and moves that on. */
static void book(double *seconds, double *since)
{
    double now = clock_now_s();
    *seconds += now - *since;
    *since = now;
}

static double device_busy_s(const struct bench *b)
{
    return b->driver->busy_s ? b->driver->busy_s(b->device) : 0;
}

bool measure_group(struct bench *b, const uint32_t *points, uint32_t count, bool solo,
                   const struct sink *sink, struct error *e)
{
    struct session s = {.bench = b, .sink = sink, .count = count};
    solo = solo || count == 1; /* then everything that fails is that point's */
    s.input = plan_input(b->plan, &b->plan->points[points[0]]);
    s.subjects = calloc(count, sizeof *s.subjects);
    if (!s.subjects)
        return FAIL(e, ERROR_MEMORY, "out of memory for a group of %u points", count);
    for (uint32_t i = 0; i < count; i++)
        s.subjects[i].index = points[i];
    struct phase_times *p = &b->phases;
    double since = clock_now_s(), busy = device_busy_s(b);
    bool ok = session_prepare(&s, e);
    book(&p->prepare_s, &since);
    ok = ok && compute_references(&s, e);
    book(&p->reference_s, &since);
    ok = ok && session_check(&s, e);
    book(&p->check_s, &since);
    ok = ok && session_time(&s, solo, e);
    book(&p->time_s, &since);
    p->busy_s += device_busy_s(b) - busy;
    ok = ok && session_count(&s, solo, e);
    book(&p->count_s, &since);
    ok = ok && finish_good(&s, e);
    session_release(&s, !ok && e->device_lost);
    book(&p->prepare_s, &since);
    if (ok)
        modules_trim(b);
    return ok;
}
