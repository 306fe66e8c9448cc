/*
 * Spends few samples on points that are clearly not among the best. All points of a group are
 * sampled in interleaved rounds. At certain numbers of samples (rungs), the points with the best
 * medians stay and the others leave the race. By default the rungs are 3, 7, 15 and 31 samples, and
 * a third of the points stay, but at least eight. After the last rung, the usual rules end the
 * sampling. The race ends early if the confidence intervals of all remaining points are narrow: a
 * few samples of a kernel that takes a millisecond say as much as 31 samples of a short one.
 *
 * The method is successive halving (Jamieson & Talwalkar, Non-stochastic best arm identification,
 * AISTATS 2016) with fixed rungs. Which points leave depends on their ranks within the same rounds,
 * so device drift does not matter.
 */
#include "measure/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/statistics.h"

void sampling_race(const struct config_search *search, struct sampling *out)
{
    *out = (struct sampling){.rung_count = search->rung_count,
                             .keep_one_in = search->keep_one_in,
                             .keep_min = search->keep_min};
    memcpy(out->rungs, search->rungs, (size_t)search->rung_count * sizeof *out->rungs);
}

struct standing {
    double median;
    uint32_t subject;
};

/* Compares two points by median. Points with equal medians keep their order in the group. */
static int compare_standings(const void *a, const void *b)
{
    const struct standing *x = a, *y = b;
    if (x->median != y->median)
        return x->median < y->median ? -1 : 1;
    return (x->subject > y->subject) - (x->subject < y->subject);
}

static double median_of(const struct subject *subject)
{
    struct summary summary;
    return summarize(subject->samples, subject->sample_count, &summary) ? summary.median : INFINITY;
}

int racing_rung(const struct group_run *s, int passed)
{
    const struct sampling *sampling = &s->task->sampling;
    int racing = 0;
    for (uint32_t i = 0; i < s->count; i++)
        racing += subject_is_timed(&s->subjects[i]);
    return !s->solo && passed < sampling->rung_count && racing > sampling->keep_min
               ? sampling->rungs[passed]
               : 0;
}

bool racing_is_due(const struct group_run *s, int rung)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (subject_is_timed(&s->subjects[i]) && s->subjects[i].sample_count < (size_t)rung)
            return false;
    return true;
}

int racing_decided_from(const struct group_run *s)
{
    const struct config_timing *timing = s->bench->timing;
    const struct sampling *sampling = &s->task->sampling;
    if (s->solo || sampling->rung_count == 0 || timing->relative_width <= 0)
        return 0;
    return sampling->decided_from > 0 ? sampling->decided_from : timing->min_samples;
}

bool racing_decided(const struct group_run *s)
{
    double width = s->bench->timing->relative_width;
    int from = racing_decided_from(s);
    if (from == 0)
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (subject_is_timed(&s->subjects[i]) && (s->subjects[i].sample_count < (size_t)from ||
                                                  !subject_is_narrow(&s->subjects[i], width)))
            return false;
    return true;
}

void racing_drop(struct group_run *s)
{
    const struct sampling *sampling = &s->task->sampling;
    struct standing *list = xcalloc(s->count, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (subject_is_timed(&s->subjects[i]))
            list[count++] = (struct standing){median_of(&s->subjects[i]), i};
    qsort(list, count, sizeof *list, compare_standings);
    uint32_t one_in = (uint32_t)sampling->keep_one_in, least = (uint32_t)sampling->keep_min;
    uint32_t stay = (count + one_in - 1) / one_in;
    for (uint32_t i = stay > least ? stay : least; i < count; i++)
        outcome_lost_race(&s->subjects[list[i].subject].outcome);
    free(list);
}
