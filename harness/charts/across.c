/* Implements across.h. */
#include "charts/across.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/layout.h"

static bool is_timed(const struct chart_rows *r, uint32_t row)
{
    return !isnan(chart_time(r, row)) && strcmp(column_text(r->backend, row), "cpu") != 0;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_sizes(struct across *a)
{
    const struct chart_rows *r = a->rows;
    size_t kept = 0;
    for (size_t i = 0; i < r->shown.count; i++)
        if (is_timed(r, r->shown.items[i]) && !results_raced(r->run, r->shown.items[i]))
            vec_push(&a->sizes, column_number(r->n, r->shown.items[i]));
    if (a->sizes.count)
        qsort(a->sizes.items, a->sizes.count, sizeof(double), compare_numbers);
    for (size_t i = 0; i < a->sizes.count; i++)
        if (!kept || a->sizes.items[i] != a->sizes.items[kept - 1])
            a->sizes.items[kept++] = a->sizes.items[i];
    a->sizes.count = kept;
}

static uint32_t *no_rows(size_t count)
{
    uint32_t *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = ROW_NONE;
    return rows;
}

/*
 * Finds the winners of each run. The runs are in the order of their codes; a run without a winner
 * is left out.
 */
static void find_winners(struct across *a)
{
    const struct chart_rows *r = a->rows;
    size_t runs = r->run_column->texts->texts.count, sizes = a->sizes.count;
    uint32_t *best = no_rows(runs * sizes);
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (!is_timed(r, row) || results_raced(r->run, row))
            continue;
        double n = column_number(r->n, row);
        const double *at = bsearch(&n, a->sizes.items, sizes, sizeof(double), compare_numbers);
        if (!at)
            continue;
        uint32_t *winner = &best[r->run_column->codes[row] * sizes + (size_t)(at - a->sizes.items)];
        if (*winner == ROW_NONE || chart_time(r, row) < chart_time(r, *winner))
            *winner = row;
    }
    a->best = no_rows(runs * sizes);
    for (size_t run = 0; run < runs; run++) {
        bool any = false;
        for (size_t size = 0; size < sizes; size++)
            any = any || best[run * sizes + size] != ROW_NONE;
        if (!any)
            continue;
        memcpy(&a->best[a->runs.count * sizes], &best[run * sizes], sizes * sizeof *best);
        vec_push(&a->runs, (uint32_t)run);
        vec_push(&a->names, r->run_column->texts->texts.items[run]);
    }
    free(best);
}

/*
 * Numbers the configurations, and finds the row of each configuration in each run. Rows whose axes
 * (including n) and tunables are equal have the same number.
 */
static void find_same(struct across *a)
{
    const struct chart_rows *r = a->rows;
    const struct results *run = r->run;
    VEC(struct key_column) by = {0};
    for (size_t i = 0; i < run->rows.columns.count; i++)
        if (run->columns[i].role == ROLE_AXIS || run->columns[i].role == ROLE_TUNABLE)
            vec_push(&by, (struct key_column){.column = run->rows.columns.items[i]});
    struct row_keys keys = {.column_count = by.count};
    size_t count = 0, runs = r->run_column->texts->texts.count;
    a->keys = no_rows(run->rows.row_count);
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (!is_timed(r, row))
            continue;
        a->keys[row] = row_keys_number(&keys, by.items, row);
        count = a->keys[row] >= count ? a->keys[row] + 1 : count;
    }
    a->same = no_rows(count * runs);
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (a->keys[row] != ROW_NONE)
            a->same[a->keys[row] * runs + r->run_column->codes[row]] = row;
    }
    row_keys_free(&keys);
    vec_free(&by);
}

bool across_find(const struct chart_rows *r, struct across *out, char why[256])
{
    *out = (struct across){.rows = r};
    find_sizes(out);
    if (!out->sizes.count) {
        snprintf(why, 256, "%s", chart_no_times(r));
        return false;
    }
    find_winners(out);
    if (out->runs.count < 2) {
        snprintf(why, 256, "fewer than two of the runs have times to show");
        return false;
    }
    find_same(out);
    return true;
}

void across_free(struct across *a)
{
    vec_free(&a->sizes);
    vec_free(&a->runs);
    vec_free(&a->names);
    free(a->best);
    free(a->keys);
    free(a->same);
}

uint32_t across_best(const struct across *a, size_t run, size_t size)
{
    return a->best[run * a->sizes.count + size];
}

uint32_t across_same(const struct across *a, uint32_t row, size_t run)
{
    size_t runs = a->rows->run_column->texts->texts.count;
    return a->keys[row] == ROW_NONE ? ROW_NONE : a->same[a->keys[row] * runs + a->runs.items[run]];
}

double across_widest(const struct across *a)
{
    size_t widest = 0;
    for (size_t i = 0; i < a->names.count; i++)
        widest =
            layout_length(a->names.items[i]) > widest ? layout_length(a->names.items[i]) : widest;
    return 7.4 * (double)widest;
}
