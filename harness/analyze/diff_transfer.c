/*
 * Compares the winners of both runs. For each problem (type, op, n, cache, scope), finds whether
 * configurations rank in the same order in both runs, and how much slower a's winner is on b's
 * device than b's own winner. Skips problems in which fewer than two configurations were timed on
 * both devices.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/best.h"
#include "table/numbering.h"

/*
 * Returns whether a pair competes to be the winner. Points that redsweep best excludes do not
 * compete here, either.
 */
static bool competes(const struct diff *d, size_t pair)
{
    const struct pair *p = &d->match.pairs.items[pair];
    return !isnan(diff_ratio(d, pair).value) && best_competes(d->a, p->a) &&
           best_competes(d->b, p->b);
}

/* Compares the winners of one problem, whose pairs are `members`. */
static struct transfer transfer_of(const struct diff *d, const size_t *members, size_t count)
{
    struct transfer t = {.pair = members[0], .configurations = count};
    double *a = xcalloc(2 * count, sizeof *a), *b = a + count;
    size_t best_a = 0, best_b = 0;
    for (size_t i = 0; i < count; i++) {
        const struct pair *rows = &d->match.pairs.items[members[i]];
        a[i] = diff_time(d->a, rows->a).value;
        b[i] = diff_time(d->b, rows->b).value;
        best_a = a[i] < a[best_a] ? i : best_a;
        best_b = b[i] < b[best_b] ? i : best_b;
    }
    t.winner_a = members[best_a];
    t.winner_b = members[best_b];
    t.cost = b[best_a] / b[best_b];
    t.cost_back = a[best_b] / a[best_a];
    t.correlation = rank_correlation(a, b, count);
    free(a);
    return t;
}

/*
 * Sets problem[i] to the number of pair i's problem, from 0 to *count − 1, or to NUMBERING_NONE if
 * the pair does not compete.
 */
static void number_problems(const struct diff *d, size_t *problem, size_t *count)
{
    struct table made = {.row_count = d->a->rows.row_count};
    key_columns columns = {0};
    table_add_texts(&made, row, results_kernel(d->a, row)->workload, "workload");
    match_columns(d->a, key_problem() & ~d->match.ignored, NULL, &columns);
    vec_push(&columns, (struct key_column){.column = made.columns.items[0], .number = NAN});
    struct row_keys keys = {.column_count = columns.count};
    for (size_t i = 0; i < d->match.pairs.count; i++)
        problem[i] = competes(d, i)
                         ? row_keys_number(&keys, columns.items, d->match.pairs.items[i].a)
                         : NUMBERING_NONE;
    *count = keys.first.count;
    row_keys_free(&keys);
    vec_free(&columns);
    table_free(&made);
}

void diff_transfers(struct diff *d)
{
    size_t count = d->match.pairs.count, problems;
    size_t *problem = xcalloc(count + 1, sizeof *problem);
    size_t *members = xcalloc(count + 1, sizeof *members);
    number_problems(d, problem, &problems);
    /* `members` has the pairs ordered by problem; the pairs of problem k end before ends[k]. */
    size_t *ends = xcalloc(problems + 1, sizeof *ends);
    for (size_t i = 0; i < count; i++)
        if (problem[i] != NUMBERING_NONE)
            ends[problem[i] + 1]++;
    for (size_t k = 0; k < problems; k++)
        ends[k + 1] += ends[k];
    for (size_t i = 0; i < count; i++)
        if (problem[i] != NUMBERING_NONE)
            members[ends[problem[i]]++] = i;
    for (size_t k = 0, first = 0; k < problems; first = ends[k++])
        if (ends[k] - first >= 2)
            vec_push(&d->transfers, transfer_of(d, members + first, ends[k] - first));
    free(ends);
    free(problem);
    free(members);
}
