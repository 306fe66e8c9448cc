/*
 * The chart `cache` shows the cost of a cold cache: each kernel's fastest time with a cold cache,
 * divided by its fastest time with a warm cache, at each n. Other charts show only one of the two
 * cache states; this one always uses both.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/bars.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"

CHART(160, cache, ONE, 0, "", make_cache,
      "Each kernel's time with a cold cache, divided by its time with a warm cache.")

struct cache {
    const struct chart_rows *rows;
    struct fastest fastest;
    /*
     * the fastest row with a cold and with a warm cache for each kernel and size (see place_of()),
     * or ROW_NONE
     */
    uint32_t *cold, *warm;
    /* whether the run has times with a cold cache, and whether it has times with a warm cache */
    bool states[2];
};

static size_t place_of(const struct cache *c, size_t kernel, size_t size)
{
    return kernel * c->fastest.sizes.count + size;
}

/*
 * Returns whether a row has the scope with which the chart shows its kernel. Rows of the kernel
 * with another scope are ignored.
 */
static bool is_comparable(const struct cache *c, const struct fastest_kernel *k, uint32_t row)
{
    uint32_t shown = ROW_NONE;
    for (size_t i = 0; i < c->fastest.sizes.count && shown == ROW_NONE; i++)
        shown = k->rows[i];
    const struct results *run = c->rows->run;
    return strcmp(results_axis(run, row, AXIS_scope), results_axis(run, shown, AXIS_scope)) == 0;
}

static void take(struct cache *c, uint32_t row)
{
    const char *state = results_axis(c->rows->run, row, AXIS_cache);
    bool cold = strcmp(state, "cold") == 0;
    if (!cold && strcmp(state, "warm") != 0)
        return;
    c->states[cold ? 0 : 1] = true;
    const struct fastest_kernel *k = fastest_kernel(&c->fastest, column_text(c->rows->kernel, row));
    size_t size = 0;
    while (size < c->fastest.sizes.count &&
           c->fastest.sizes.items[size] != column_number(c->rows->n, row))
        size++;
    if (!k || size == c->fastest.sizes.count || !is_comparable(c, k, row))
        return;
    uint32_t *at =
        (cold ? c->cold : c->warm) + place_of(c, (size_t)(k - c->fastest.kernels.items), size);
    if (*at == ROW_NONE || chart_time(c->rows, row) < chart_time(c->rows, *at))
        *at = row;
}

static double ratio_at(const struct cache *c, size_t place)
{
    return c->cold[place] == ROW_NONE || c->warm[place] == ROW_NONE
               ? NAN
               : chart_time(c->rows, c->cold[place]) / chart_time(c->rows, c->warm[place]);
}

/*
 * Returns at how many sizes at least one kernel has times in both cache states. Stores the first
 * and the last of these sizes.
 */
static size_t count_sizes(const struct cache *c, size_t *first, size_t *last)
{
    size_t count = 0;
    for (size_t size = 0; size < c->fastest.sizes.count; size++) {
        bool any = false;
        for (size_t k = 0; k < c->fastest.kernels.count; k++)
            any = any || !isnan(ratio_at(c, place_of(c, k, size)));
        if (any && !count++)
            *first = size;
        *last = any ? size : *last;
    }
    return count;
}

static char *slice_of(const struct cache *c)
{
    return xstrndup(c->rows->slice, strcspn(c->rows->slice, ","));
}

static void make_bars(const struct cache *c, size_t size, struct picture *p)
{
    bar_list list = {0};
    char n[48];
    for (size_t k = 0; k < c->fastest.kernels.count; k++) {
        size_t at = place_of(c, k, size);
        const struct fastest_kernel *kernel = &c->fastest.kernels.items[k];
        if (isnan(ratio_at(c, at)))
            continue;
        struct bar bar = {.name = xstrdup(kernel->label),
                          .kernel = kernel->name,
                          .value = ratio_at(c, at),
                          .text = xasprintf("%.3g", ratio_at(c, at))};
        chart_ratio_ends(c->rows, c->cold[at], c->warm[at], &bar.low, &bar.high);
        vec_push(&list, bar);
    }
    layout_size(c->fastest.sizes.items[size], n);
    char *heading = xasprintf("Cold vs. warm cache at n = %s", n), *slice = slice_of(c);
    char *shown = xasprintf("%s; the fastest setting of each kernel in each state", slice);
    const struct bars bars = {
        .list = list, .heading = heading, .shown = shown, .axis = "time, cold / warm", .line = 1};
    bars_make(c->rows, &bars, p);
    free(heading);
    free(shown);
    free(slice);
    bars_free(&list);
}

/*
 * Writes a kernel's data block. Returns the index of the last size at which the kernel has times in
 * both cache states, or the number of sizes if there is none.
 */
static size_t write_kernel(const struct cache *c, size_t kernel, double *low, double *high,
                           struct picture *p)
{
    size_t sizes = c->fastest.sizes.count, last = sizes;
    VEC(size_t) list = {0};
    for (size_t size = 0; size < sizes; size++) {
        double ratio = ratio_at(c, place_of(c, kernel, size));
        if (isnan(ratio))
            continue;
        vec_push(&list, size);
        last = size;
        *low = fmin(*low, ratio);
        *high = fmax(*high, ratio);
    }
    struct table t = {.row_count = list.count};
#define PLACE(i) place_of(c, kernel, list.items[i])
    table_add_texts(&t, i, c->fastest.kernels.items[kernel].name, "kernel");
    table_add_numbers(&t, i, c->fastest.sizes.items[list.items[i]], "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, ratio_at(c, PLACE(i)), "ratio", .kind = COLUMN_NUMBER);
    struct column *from = table_add(&t, (struct column){.name = "low", .kind = COLUMN_NUMBER});
    struct column *to = table_add(&t, (struct column){.name = "high", .kind = COLUMN_NUMBER});
    for (size_t i = 0; i < list.count; i++)
        chart_ratio_ends(c->rows, c->cold[PLACE(i)], c->warm[PLACE(i)], &from->numbers[i],
                         &to->numbers[i]);
    uint32_t *rows = xcalloc(2 * list.count + 1, sizeof *rows), *warm = rows + list.count;
    for (size_t i = 0; i < list.count; i++) {
        rows[i] = c->cold[PLACE(i)];
        warm[i] = c->warm[PLACE(i)];
    }
    table_add_numbers(&t, i, chart_time(c->rows, rows[i]), "cold_us", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, chart_time(c->rows, warm[i]), "warm_us", .kind = COLUMN_NUMBER);
    chart_add_settings(c->rows, rows, &t);
#undef PLACE
    if (list.count)
        picture_block(p, &t);
    free(rows);
    table_free(&t);
    vec_free(&list);
    return last;
}

static void make_lines(const struct cache *c, size_t first, size_t last, struct picture *p)
{
    size_t count = c->fastest.kernels.count, sizes = c->fastest.sizes.count;
    struct named *names = names_of_kernels(c->rows, &c->fastest);
    double low = 1, high = 1;
    double *x = xcalloc(3 * count + 1, sizeof *x), *y = x + count, *at = y + count;
    struct text drawn = {0};
    for (size_t i = 0; i < count; i++) {
        size_t size = write_kernel(c, names[i].index, &low, &high, p);
        x[i] = size == sizes ? NAN : c->fastest.sizes.items[size];
        y[i] = size == sizes ? NAN : ratio_at(c, place_of(c, names[i].index, size));
        if (size != sizes)
            text_append(&drawn, "%s%zu", drawn.length ? " " : "", i + 1);
    }
    high = 1 + 1.15 * (high - 1) + 0.05;
    low = low < 1 ? 1 - 1.15 * (1 - low) : 0.9;
    for (size_t i = 0; i < count; i++)
        at[i] = (y[i] - low) / (high - low);
    char *slice = slice_of(c);
    picture_text(p, "CACHE_SLICE", slice);
    picture_text(p, "DRAWN", drawn.bytes);
    picture_number(p, "C0", low);
    picture_number(p, "C1", high);
    picture_number(p, "X0", exp2(floor(log2(c->fastest.sizes.items[first]) + 1e-9)));
    picture_number(p, "X1", c->fastest.sizes.items[last]);
    picture_number(p, "LINES_H", names_height(c->rows, names, count));
    names_write(c->rows, names, count, p);
    names_place(c->rows, names, count, x, y, at, p);
    text_free(&drawn);
    free(slice);
    free(names);
    free(x);
}

static uint32_t *no_rows(size_t count)
{
    uint32_t *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = ROW_NONE;
    return rows;
}

bool make_cache(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct cache c = {.rows = r};
    fastest_find(r, &c.fastest);
    size_t places = c.fastest.kernels.count * c.fastest.sizes.count, first = 0, last = 0;
    c.cold = no_rows(places);
    c.warm = no_rows(places);
    for (uint32_t row = 0; row < r->run->rows.row_count; row++)
        if (r->asked_rows[row] && !isnan(chart_time(r, row)) &&
            chart_same_slice(r->run, row, r->shown.count ? r->shown.items[0] : row))
            take(&c, row);
    size_t sizes = count_sizes(&c, &first, &last);
    if (!c.fastest.kernels.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!c.states[0] || !c.states[1])
        snprintf(why, 256, "the run has times of only one cache state");
    else if (!sizes)
        snprintf(why, 256, "no kernel has times of both cache states at one n");
    else if (sizes == 1)
        make_bars(&c, first, p);
    else
        make_lines(&c, first, last, p);
    bool ok = !*why;
    free(c.cold);
    free(c.warm);
    fastest_free(&c.fastest);
    return ok;
}
