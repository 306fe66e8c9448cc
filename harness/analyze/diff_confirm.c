/* Implements diff_slow_points() and diff_confirm() of diff.h. */
#include "analyze/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

static uint64_t id_of(const struct diff *d, size_t pair)
{
    return strtoull(column_text(d->a->known.id, d->match.pairs.items[pair].a), NULL, 16);
}

/*
 * Returns whether the point itself, its cell (the kernel in this problem), its kernel or the whole
 * run is SLOW.
 */
static bool is_part_of_slow(const struct diff *d, const struct timed_point *point)
{
    bool slow = d->times.all.verdict == TIME_SLOW ||
                d->points[point->pair].verdict == VERDICT_SLOW ||
                d->times.kernels[point->kernel].verdict == TIME_SLOW;
    for (size_t i = 0; i < d->times.cell_count && !slow; i++) {
        const struct effect *e = &d->times.cells[i];
        slow = e->verdict == TIME_SLOW && e->kernel == point->kernel && e->group == point->problem;
    }
    return slow;
}

uint64_t *diff_slow_points(const struct diff *d, size_t *count)
{
    uint64_t *ids = xcalloc(d->timed.count + 1, sizeof *ids);
    *count = 0;
    for (size_t i = 0; i < d->timed.count; i++)
        if (is_part_of_slow(d, &d->timed.items[i]))
            ids[(*count)++] = id_of(d, d->timed.items[i].pair);
    sorted_make(ids, *count);
    return ids;
}

/* Keeps the verdict SLOW only for points that are SLOW in both comparisons. */
static void confirm_points(struct diff *d, const struct diff *again)
{
    struct numbering slow = {0};
    for (size_t i = 0; i < again->match.pairs.count; i++)
        if (again->points[i].verdict == VERDICT_SLOW)
            numbering_add(&slow, column_text(again->a->known.id, again->match.pairs.items[i].a));
    for (size_t i = 0; i < d->match.pairs.count; i++) {
        size_t row = d->match.pairs.items[i].a;
        if (d->points[i].verdict != VERDICT_SLOW ||
            numbering_find(&slow, column_text(d->a->known.id, row)) != NUMBERING_NONE)
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

/*
 * Returns whether d's cell of a kernel in a problem is SLOW. `problem` and `problems`, which has an
 * entry for each problem of d, are numbers from number_problems().
 */
static bool is_slow_cell(const struct diff *d, const char *kernel, const uint32_t *problems,
                         uint32_t problem)
{
    size_t number = numbering_find(&d->kernels, kernel);
    for (size_t i = 0; i < d->times.cell_count; i++) {
        const struct effect *cell = &d->times.cells[i];
        if (cell->kernel == number && problems[cell->group] == problem)
            return cell->verdict == TIME_SLOW;
    }
    return false;
}

/*
 * Returns the numbers that `keys` gives to the problems of a comparison. Equal problems of two
 * comparisons get the same number. The caller frees the array.
 */
static uint32_t *number_problems(struct row_keys *keys, const struct diff *d)
{
    uint32_t *numbers = xcalloc(d->problem_pairs.count + 1, sizeof *numbers);
    for (size_t i = 0; i < d->problem_pairs.count; i++)
        numbers[i] = row_keys_number(keys, d->problem_columns.items,
                                     d->match.pairs.items[d->problem_pairs.items[i]].a);
    return numbers;
}

static void confirm_cells(struct diff *d, const struct diff *again)
{
    struct row_keys keys = {.column_count = d->problem_columns.count};
    uint32_t *problems = number_problems(&keys, d), *others = number_problems(&keys, again);
    for (size_t i = 0; i < d->times.cell_count; i++) {
        struct effect *cell = &d->times.cells[i];
        if (cell->verdict == TIME_SLOW && !is_slow_cell(again, d->kernels.texts.items[cell->kernel],
                                                        others, problems[cell->group]))
            cell->verdict = TIME_UNKNOWN;
    }
    row_keys_free(&keys);
    free(problems);
    free(others);
}

void diff_confirm(struct diff *d, const struct diff *again)
{
    struct times *t = &d->times;
    confirm_points(d, again);
    confirm_cells(d, again);
    for (size_t i = 0; i < t->kernel_count; i++)
        if (t->kernels[i].verdict == TIME_SLOW && !is_slow_kernel(again, d->kernels.texts.items[i]))
            t->kernels[i].verdict = TIME_UNKNOWN;
    if (t->all.verdict == TIME_SLOW && again->times.all.verdict != TIME_SLOW)
        t->all.verdict = TIME_UNKNOWN;
    diff_find(d);
}
