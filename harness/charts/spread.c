/*
 * The chart `spread` shows the spread of the samples of each row that has a time. The colors stand
 * for families of kernels. The chart's data file contains all columns of these rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/names.h"

CHART(190, spread, ONE, 0, "time_us_stdev", make_spread,
      "The spread of the samples (their standard deviation divided by their median) against n.")

enum { MARK = 7 };

/*
 * Returns the standard deviation of a row's samples as a percentage of their median, or NaN if it
 * is 0 or unknown.
 */
static double spread_of(const struct chart_rows *r, uint32_t row)
{
    double deviation = column_number(table_find(&r->run->rows, "time_us_stdev"), row);
    return deviation > 0 ? 100 * deviation / chart_time(r, row) : NAN;
}

/*
 * Writes the data for HTML reports, with only the columns that these need. With all columns, a
 * report would be several times as long.
 */
static void write_page(const struct chart_rows *r, const uint32_t *rows, size_t count,
                       struct picture *p)
{
    struct table t = {.row_count = count};
    table_add_texts(&t, i, column_text(r->kernel, rows[i]), "kernel");
    table_add_numbers(&t, i, column_number(r->n, rows[i]), "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, rows[i]), "time_us_median", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, spread_of(r, rows[i]), "spread_pct", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, ladder_rgb(&r->ladder, column_text(r->kernel, rows[i])), "rgb",
                      .kind = COLUMN_COUNT);
    chart_add_settings(r, rows, &t);
    picture_page_block(p, &t);
    table_free(&t);
}

/* Writes where both axes begin and end. */
static void write_range(const struct chart_rows *r, const row_list *timed, struct picture *p)
{
    double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};
    for (size_t i = 0; i < timed->count; i++) {
        double n = column_number(r->n, timed->items[i]), spread = spread_of(r, timed->items[i]);
        x[0] = fmin(x[0], n);
        x[1] = fmax(x[1], n);
        if (!isnan(spread)) {
            y[0] = fmin(y[0], spread);
            y[1] = fmax(y[1], spread);
        }
    }
    picture_number(p, "X0", x[0]);
    picture_number(p, "X1", x[1] > x[0] ? x[1] : 2 * x[0]);
    picture_number(p, "Y0", y[0] / 1.3);
    picture_number(p, "Y1", y[1] * 1.3);
}

static void write_points(const struct chart_rows *r, const row_list *timed, struct picture *p)
{
    struct table t = {.row_count = timed->count};
    const char **kernels = xcalloc(t.row_count + 1, sizeof *kernels);
    for (size_t i = 0; i < r->run->rows.columns.count; i++) {
        const struct column *c = r->run->rows.columns.items[i];
        table_show(&t, (struct column){.name = c->name, .kind = c->kind}, c, timed->items);
    }
    for (size_t i = 0; i < t.row_count; i++)
        kernels[i] = column_text(r->kernel, timed->items[i]);
    chart_add_settings(r, timed->items, &t);
    table_add_numbers(&t, i, ladder_rgb(&r->ladder, kernels[i]), "rgb", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, spread_of(r, timed->items[i]), "spread_pct", .kind = COLUMN_NUMBER);
    picture_number(p, "POINTS", (double)t.row_count);
    picture_number(p, "LABELS", 16);
    picture_number(p, "LINES_H", names_height(r, NULL, 0));
    names_families(r, kernels, t.row_count, MARK, p);
    picture_data(p, &t);
    write_range(r, timed, p);
    write_page(r, timed->items, timed->count, p);
    free(kernels);
    table_free(&t);
}

bool make_spread(const struct chart_rows *r, struct picture *p, char why[256])
{
    row_list timed = {0};
    for (size_t i = 0; i < r->shown.count; i++)
        if (!isnan(chart_time(r, r->shown.items[i])))
            vec_push(&timed, r->shown.items[i]);
    bool any = timed.count > 0;
    if (any)
        write_points(r, &timed, p);
    else
        snprintf(why, 256, "%s", chart_no_times(r));
    vec_free(&timed);
    return any;
}
