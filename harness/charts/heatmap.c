/*
 * The chart `heatmap` shows the fastest time of one kernel at one n for each pair of values of two
 * axes. The axes are those that --x and --y name. By default, they are block and unroll or, if
 * these have few values, the two axes with the most pairs of values for one kernel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/tuning.h"

CHART(80, heatmap, ONE, TAKES_X | TAKES_Y, "", make_heatmap,
      "Time against two tunables of one kernel at one size.")

struct heat {
    const struct tuning *tuning;
    const struct column *x, *y; /* NULL until they are chosen */
    const char *kernel;         /* NULL for all kernels */
    double n;                   /* NaN for all sizes */
    row_list rows;
    struct axis_values across, up;
    /* the fastest row of each cell, or ROW_NONE; cells with the same `across` are contiguous */
    uint32_t *cells;
    bool rest; /* whether any cell stands for several rows, of which it shows the fastest */
};

static size_t count_values(const struct tuning *t, const struct column *axis, const char *kernel,
                           double n)
{
    row_list rows = {0};
    struct axis_values values;
    tuning_rows(t, kernel, n, &rows);
    axis_values_find(t, axis, &rows, &values);
    size_t count = values.count;
    axis_values_free(&values);
    vec_free(&rows);
    return count;
}

static double size_for(const struct heat *h, const struct column *x, const struct column *y,
                       const char *kernel)
{
    const struct column *n = h->tuning->rows->n;
    return x == n || y == n ? NAN : tuning_size(h->tuning, kernel);
}

/*
 * Stores a pair of axes and a kernel in `best` if they give more cells than `*most`, and updates
 * `*most`. The cells of block and unroll count ten times, because these axes are the best known. Of
 * two kernels with the same number of cells, the faster one is kept.
 */
static void keep(const struct heat *h, const struct column *x, const struct column *y,
                 const char *kernel, struct heat *best, double *most)
{
    const struct tuning *t = h->tuning;
    double n = size_for(h, x, y, kernel);
    size_t across = count_values(t, x, kernel, n);
    size_t up = across > 1 ? count_values(t, y, kernel, n) : 0;
    if (up < 2)
        return;
    double cells = (double)across * (double)up, fastest = INFINITY;
    if (x == t->rows->block && y == t->rows->unroll)
        cells *= 10;
    for (size_t i = 0; i < t->timed.count && !isnan(n); i++)
        if (strcmp(column_text(t->rows->kernel, t->timed.items[i]), kernel) == 0 &&
            column_number(t->rows->n, t->timed.items[i]) == n)
            fastest = fmin(fastest, t->best[t->timed.items[i]]);
    cells += 1 / (2 + fastest);
    if (cells <= *most)
        return;
    *most = cells;
    best->x = x;
    best->y = y;
    best->kernel = kernel;
    best->n = n;
}

/* Calls keep() for a kernel and each pair of axes that the options allow. */
static void keep_kernel(const struct heat *h, const char *kernel, struct heat *best, double *most)
{
    const struct tuning *t = h->tuning;
    for (size_t i = 0; i < t->axes.count; i++)
        for (size_t j = 0; j < t->axes.count; j++) {
            const struct column *x = h->x ? h->x : t->axes.items[i],
                                *y = h->y ? h->y : t->axes.items[j];
            bool again = (h->x && i > 0) || (h->y && j > 0) || (!h->x && !h->y && i >= j);
            if (x != y && !again)
                keep(h, x, y, kernel, best, most);
        }
}

static bool choose(struct heat *h)
{
    const struct tuning *t = h->tuning;
    const struct chart_rows *r = t->rows;
    if (h->x == r->kernel || h->y == r->kernel) {
        h->x = h->x ? h->x : r->block;
        h->y = h->y ? h->y : r->block;
        h->n = size_for(h, h->x, h->y, NULL);
        return count_values(t, h->x, NULL, h->n) > 1 && count_values(t, h->y, NULL, h->n) > 1;
    }
    struct axis_values kernels;
    struct heat best = *h;
    double most = 0;
    axis_values_find(t, r->kernel, &t->timed, &kernels);
    for (size_t i = 0; i < kernels.count; i++) {
        size_t row = 0;
        while (kernels.places[row] != i)
            row++;
        keep_kernel(h, column_text(r->kernel, t->timed.items[row]), &best, &most);
    }
    axis_values_free(&kernels);
    *h = best;
    return most > 0;
}

static void find_cells(struct heat *h)
{
    const struct tuning *t = h->tuning;
    tuning_rows(t, h->kernel, h->n, &h->rows);
    axis_values_find(t, h->x, &h->rows, &h->across);
    axis_values_find(t, h->y, &h->rows, &h->up);
    size_t count = h->across.count * h->up.count;
    h->cells = xcalloc(count + 1, sizeof *h->cells);
    for (size_t i = 0; i < count; i++)
        h->cells[i] = ROW_NONE;
    for (size_t i = 0; i < h->rows.count; i++) {
        uint32_t row = h->rows.items[i];
        if (h->across.places[i] == ROW_NONE || h->up.places[i] == ROW_NONE)
            continue;
        uint32_t *cell = &h->cells[h->across.places[i] * h->up.count + h->up.places[i]];
        h->rest = h->rest || *cell != ROW_NONE;
        if (*cell == ROW_NONE || chart_time(t->rows, row) < chart_time(t->rows, *cell))
            *cell = row;
    }
}

struct heat_cell {
    size_t across, up; /* the cell's column and row, from 0 */
    uint32_t row;
};

/* Writes a row of data for each cell that is not empty. Returns whether any cell is empty. */
static bool write_cells(const struct heat *h, struct picture *p)
{
    const struct chart_rows *r = h->tuning->rows;
    VEC(struct heat_cell) cells = {0};
    size_t fastest = 0, count = h->across.count * h->up.count;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        if (h->cells[i] == ROW_NONE)
            continue;
        double time = chart_time(r, h->cells[i]);
        fastest = time < low ? cells.count : fastest;
        low = fmin(low, time);
        high = fmax(high, time);
        vec_push(&cells, (struct heat_cell){i / h->up.count, i % h->up.count, h->cells[i]});
    }
    struct table t = {.row_count = cells.count};
#define CELL(i) cells.items[i]
    table_add_texts(&t, i, h->across.names[CELL(i).across], tuning_name(h->x));
    table_add_texts(&t, i, h->up.names[CELL(i).up], tuning_name(h->y));
    table_add_numbers(&t, i, (double)CELL(i).across + 1, "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)CELL(i).up + 1, "up", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, CELL(i).row), "time_us_median", .kind = COLUMN_NUMBER);
    /* The next three columns are for HTML reports, whose script computes nothing. */
    table_add_numbers(&t, i, (double)(h->up.count - CELL(i).up), "down", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, CELL(i).row) / low, "ratio", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, i == fastest ? 2 : 0, "wins", .kind = COLUMN_COUNT);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < cells.count; i++) {
        char text[48];
        layout_figures(chart_time(r, CELL(i).row), text);
        column_set_text(texts, i, text);
    }
    picture_block(p, &t);
    picture_number(p, "HEAT_LOW", low);
    picture_number(p, "HEAT_HIGH", high);
    picture_number(p, "BEST_ACROSS", (double)CELL(fastest).across + 1);
    picture_number(p, "BEST_UP", (double)CELL(fastest).up + 1);
#undef CELL
    table_free(&t);
    bool holes = cells.count < count;
    vec_free(&cells);
    return holes;
}

static char *axis_title(const struct heat *h, const struct column *axis)
{
    const struct chart_rows *r = h->tuning->rows;
    return xasprintf("%s%s", tuning_name(axis),
                     axis == r->block ? " (threads)"
                     : axis == r->n   ? " (elements)"
                                      : "");
}

/* Writes the names of an axis's values. If the axis is n, they are powers of two where possible. */
static void write_names(const struct heat *h, const char *variable, const struct column *axis,
                        struct axis_values *values, struct picture *p)
{
    for (size_t i = 0; i < values->count && axis == h->tuning->rows->n; i++) {
        char size[48];
        layout_size(strtod(values->names[i], NULL), size);
        free(values->names[i]);
        values->names[i] = xstrdup(size);
    }
    picture_texts(p, variable, (const char *const *)values->names, values->count);
}

static void write_picture(struct heat *h, struct picture *p)
{
    struct text heading = {0};
    char n[48], *x = axis_title(h, h->x), *y = axis_title(h, h->y);
    text_append(&heading, "Time by %s and %s", tuning_name(h->x), tuning_name(h->y));
    if (h->kernel)
        text_append(&heading, ": %s", h->kernel);
    if (!isnan(h->n)) {
        layout_size(h->n, n);
        text_append(&heading, ", n = %s", n);
    }
    bool holes = write_cells(h, p);
    struct text shown = {0};
    text_append(&shown, "%s; frame: the fastest%s%s", h->tuning->rows->slice,
                h->rest ? "; each cell: the fastest setting of the other tunables" : "",
                holes ? "; empty cells were not measured or have no correct result" : "");
    tuning_append_words(h->tuning, h->x, &h->rows, &h->across, &shown);
    tuning_append_words(h->tuning, h->y, &h->rows, &h->up, &shown);
    picture_text(p, "HEADING", heading.bytes);
    picture_text(p, "SHOWN", shown.bytes);
    picture_text(p, "HEAT_X", x);
    picture_text(p, "HEAT_Y", y);
    picture_number(p, "HEAT_COLUMNS", (double)h->across.count);
    picture_number(p, "HEAT_ROWS", (double)h->up.count);
    write_names(h, "ACROSS_NAME", h->x, &h->across, p);
    write_names(h, "DOWN_NAME", h->y, &h->up, p);
    text_free(&heading);
    text_free(&shown);
    free(x);
    free(y);
}

/*
 * Finds the axes that --x and --y name. Returns false with a reason in `why` if the run lacks one
 * of them, or if both are the same.
 */
static bool find_axes(struct heat *h, char why[256])
{
    const struct chart_options *o = h->tuning->rows->options;
    const struct {
        const char *name;
        const struct column **to;
    } wanted[] = {{o->x, &h->x}, {o->y, &h->y}};
    for (size_t i = 0; i < 2; i++)
        if (wanted[i].name && !(*wanted[i].to = tuning_axis(h->tuning, wanted[i].name))) {
            snprintf(why, 256, "the run has no axis %.200s", wanted[i].name);
            return false;
        }
    bool same = h->x && h->x == h->y;
    if (same)
        snprintf(why, 256, "--x and --y name the same axis; name two different axes");
    return !same;
}

bool make_heatmap(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct tuning t;
    tuning_find(r, &t);
    struct heat h = {.tuning = &t, .n = NAN};
    bool ok = false;
    if (!t.timed.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (find_axes(&h, why) && !(ok = choose(&h)))
        snprintf(why, 256, "no kernel was timed with more than one value of %s",
                 r->options->x || r->options->y ? "both axes" : "two tunables");
    if (ok) {
        find_cells(&h);
        write_picture(&h, p);
        axis_values_free(&h.across);
        axis_values_free(&h.up);
    }
    free(h.cells);
    vec_free(&h.rows);
    tuning_free(&t);
    return ok;
}
