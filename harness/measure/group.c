/*
 * The order of things for one group: prepare, check, time, count, report.
 */
#include "measure/modules.h"
#include "measure/subject.h"

#include <stdlib.h>

/* One reference a workload: the group's points share the input, not always what is made of it. */
static bool compute_references(struct session *s, struct error *e)
{
    if (!s->sink->begin(s->sink->context, POINT_BATCH, e))
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        const struct workload *workload = subject->kernel->workload;
        uint32_t same = 0;
        while (s->subjects[same].kernel->workload != workload)
            same++;
        if (same < i)
            subject->reference = s->subjects[same].reference;
        else if (workload->reference &&
                 !workload->reference(&s->input, s->bench->threads, &subject->reference, e))
            return false;
    }
    return true;
}

static bool finish_good(struct session *s, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->subjects[i].active && !subject_finish(s, &s->subjects[i], STATUS_OK, NULL, e))
            return false;
    return true;
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
    bool ok = session_prepare(&s, e) && compute_references(&s, e) && session_check(&s, e) &&
              session_time(&s, solo, e) && session_count(&s, solo, e) && finish_good(&s, e);
    session_release(&s, !ok && e->device_lost);
    if (ok)
        modules_trim(b);
    return ok;
}
