/*
 * Measures the energy of a group's points. Stores each point's median over all passes, with its
 * confidence interval, in the point's outcome. If the measurement fails, the outcome says why, and
 * the times remain.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"
#include "measure/energy.h"
#include "measure/subject.h"

struct told {
    struct group_run *group;
    const uint32_t *at; /* each trial's subject */
};

static bool tell_begin(void *context, uint32_t trial, struct error *e)
{
    const struct told *t = context;
    struct group_run *s = t->group;
    uint32_t point = trial == POINT_BATCH ? POINT_BATCH : s->subjects[t->at[trial]].index;
    return report_event(s, REPORT_BEGIN, point, e);
}

/* Stores a point's energy. Each launch uses energy, so a value that cannot be distinguished from
 * zero is not a measurement. */
static void keep_energy(struct subject *subject, const struct energy *found)
{
    struct outcome *o = &subject->outcome;
    struct summary s;
    if (!summarize(found->uj, ENERGY_PASSES, &s))
        outcome_add_reason(o, "the energy was not measured, because memory ran out");
    else if (!(s.ci95_lo > 0))
        outcome_add_reason(o,
                           "the energy is too small to distinguish from that of preparing the "
                           "launches (difference %.4g uJ, 95 %% interval %.4g to %.4g); use longer "
                           "blocks (timing.energy_s)",
                           s.median, s.ci95_lo, s.ci95_hi);
    else {
        o->energy_uj = s.median;
        o->energy_uj_ci95_lo = s.ci95_lo;
        o->energy_uj_ci95_hi = s.ci95_hi;
    }
}

static void note_missing(struct group_run *s, const char *why)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->subjects[i].active)
            outcome_add_reason(&s->subjects[i].outcome, "the energy was not measured: %s", why);
}

static bool measure_subjects(struct group_run *s, const uint32_t *at, uint32_t count,
                             struct error *e)
{
    struct trial *trials = xcalloc(count, sizeof *trials);
    struct energy *found = xcalloc(count, sizeof *found);
    struct told told = {s, at};
    struct error why = {0};
    bool counter_failed;
    for (uint32_t i = 0; i < count; i++)
        trials[i] = subject_trial(s, &s->subjects[at[i]], TRIAL_TIMED, 0);
    bool ok = energy_measure(s->bench, trials, count, s->bench->timing->energy_s, tell_begin, &told,
                             found, &counter_failed, &why);
    for (uint32_t i = 0; ok && i < count; i++) {
        struct subject *subject = &s->subjects[at[i]];
        if (!found[i].failed)
            keep_energy(subject, &found[i]);
        else
            ok =
                subject_finish(s, subject, status_of_error(&found[i].why), found[i].why.text, &why);
    }
    if (!ok && counter_failed) {
        note_missing(s, why.text);
        ok = true;
    } else if (!ok)
        *e = why;
    free(trials);
    free(found);
    return ok;
}

bool group_energy(struct group_run *s, struct error *e)
{
    const struct bench *b = s->bench;
    if (!s->task->energy || b->timing->energy_s <= 0)
        return true;
    if (!b->info.can_meter) {
        note_missing(s, energy_missing(&b->info));
        return true;
    }
    uint32_t *at = xcalloc(s->count, sizeof *at), count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->subjects[i].active)
            at[count++] = i;
    bool ok = count == 0 || measure_subjects(s, at, count, e);
    free(at);
    return ok;
}
