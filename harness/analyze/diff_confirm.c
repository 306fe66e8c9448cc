/*
 * A second look at what came out SLOW: see diff.h.
 */
#include "analyze/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

static uint64_t id_of(const struct diff *d, size_t pair)
{
    return strtoull(results_text(d->a, d->match.pairs.items[pair].a, "id"), NULL, 16);
}

static bool same_problem(const struct diff *d, size_t pair, size_t other)
{
    size_t row = d->match.pairs.items[pair].a, other_row = d->match.pairs.items[other].a;
    char *key = match_key(d->a, row, key_problem());
    char *other_key = match_key(d->a, other_row, key_problem());
    bool same =
        strcmp(key, other_key) == 0 &&
        strcmp(results_text(d->a, row, "backend"), results_text(d->a, other_row, "backend")) == 0;
    free(key);
    free(other_key);
    return same;
}

/* Whether a verdict that this pair is part of is SLOW. */
static bool is_part_of_slow(const struct diff *d, size_t pair)
{
    const char *name = results_axis(d->a, d->match.pairs.items[pair].a, AXIS_kernel);
    size_t kernel = numbering_find(&d->kernels, name);
    bool slow = d->times.all.verdict == TIME_SLOW || d->points[pair].verdict == VERDICT_SLOW ||
                d->times.kernels[kernel].verdict == TIME_SLOW;
    for (size_t i = 0; i < d->times.cell_count && !slow; i++) {
        const struct effect *e = &d->times.cells[i];
        slow = e->verdict == TIME_SLOW && e->kernel == kernel &&
               same_problem(d, pair, d->problem_pairs.items[e->group]);
    }
    return slow;
}

uint64_t *diff_slow_points(const struct diff *d, size_t *count)
{
    uint64_t *ids = xcalloc(d->timed.count + 1, sizeof *ids);
    *count = 0;
    for (size_t i = 0; i < d->timed.count; i++)
        if (is_part_of_slow(d, d->timed.items[i].pair))
            ids[(*count)++] = id_of(d, d->timed.items[i].pair);
    sorted_make(ids, *count);
    return ids;
}

/* A point that is SLOW in both stays so. */
static void confirm_points(struct diff *d, const struct diff *again)
{
    struct numbering slow = {0};
    for (size_t i = 0; i < again->match.pairs.count; i++)
        if (again->points[i].verdict == VERDICT_SLOW)
            numbering_add(&slow, results_text(again->a, again->match.pairs.items[i].a, "id"));
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        size_t row = d->match.pairs.items[i].a;
        if (d->points[i].verdict != VERDICT_SLOW ||
            numbering_find(&slow, results_text(d->a, row, "id")) != NUMBERING_NONE)
            continue;
        d->points[i].verdict = VERDICT_UNKNOWN;
        for (size_t s = 0; s < d->summaries.count; s++) {
            struct diff_summary *of = &d->summaries.items[s];
            if (of->kernel && strcmp(of->kernel, results_axis(d->a, row, AXIS_kernel)) != 0)
                continue;
            of->verdicts[VERDICT_SLOW]--;
            of->verdicts[VERDICT_UNKNOWN]++;
        }
    }
    numbering_free(&slow);
}

static bool is_slow_kernel(const struct diff *d, const char *kernel)
{
    size_t number = numbering_find(&d->kernels, kernel);
    return number != NUMBERING_NONE && d->times.kernels[number].verdict == TIME_SLOW;
}

static bool is_slow_cell(const struct diff *d, const char *kernel, const char *problem)
{
    size_t number = numbering_find(&d->kernels, kernel);
    size_t group = numbering_find(&d->problems, problem);
    for (size_t i = 0; i < d->times.cell_count; i++)
        if (d->times.cells[i].kernel == number && d->times.cells[i].group == group)
            return d->times.cells[i].verdict == TIME_SLOW;
    return false;
}

void diff_confirm(struct diff *d, const struct diff *again)
{
    struct times *t = &d->times;
    confirm_points(d, again);
    for (size_t i = 0; i < t->cell_count; i++)
        if (t->cells[i].verdict == TIME_SLOW &&
            !is_slow_cell(again, d->kernels.texts.items[t->cells[i].kernel],
                          d->problems.texts.items[t->cells[i].group]))
            t->cells[i].verdict = TIME_UNKNOWN;
    for (size_t i = 0; i < t->kernel_count; i++)
        if (t->kernels[i].verdict == TIME_SLOW && !is_slow_kernel(again, d->kernels.texts.items[i]))
            t->kernels[i].verdict = TIME_UNKNOWN;
    if (t->all.verdict == TIME_SLOW && again->times.all.verdict != TIME_SLOW)
        t->all.verdict = TIME_UNKNOWN;
    diff_find(d);
}
