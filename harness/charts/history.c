/*
 * The chart `history` follows one kernel through several runs, in the order in which the user named
 * them. It has a line for each of up to six sizes. A line is about one setting: the one that was
 * the fastest at this size in the first run that has the size. It shows the setting's time in each
 * run, divided by its time in that first run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/across.h"
#include "charts/charts.h"
#include "charts/layout.h"

CHART(250, history, SEVERAL, 0, "", make_history, "One setting of one kernel over several runs.")

enum { MOST_LINES = 6 };

struct history {
    const struct across *across;
    const char *kernel;
    uint32_t bases[MOST_LINES]; /* for each line, the row by whose time the others are divided */
    char *names[MOST_LINES];
    /* the number of lines, and the number of runs in the line that has the most */
    size_t lines, widest;
    double low, high, noise_low, noise_high;
};

/*
 * Returns the kernel that wins at the largest size of the first run, among those that --kernels
 * allows.
 */
static const char *choose_kernel(const struct across *a)
{
    for (size_t run = 0; run < a->runs.count; run++)
        for (size_t k = a->sizes.count; k > 0; k--)
            if (across_best(a, run, k - 1) != ROW_NONE)
                return column_text(a->rows->kernel, across_best(a, run, k - 1));
    return "";
}

/* Returns the fastest row of the chart's kernel at n, in the first run that has a row of it. */
static uint32_t find_base(const struct history *h, double n)
{
    const struct chart_rows *r = h->across->rows;
    uint32_t best = ROW_NONE;
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (h->across->keys[row] == ROW_NONE || column_number(r->n, row) != n ||
            strcmp(column_text(r->kernel, row), h->kernel) != 0)
            continue;
        if (best != ROW_NONE && !column_same(r->run_column, best, row))
            break; /* all rows of the first run have been seen */
        if (best == ROW_NONE || chart_time(r, row) < chart_time(r, best))
            best = row;
    }
    return best;
}

static double end_of(const struct chart_rows *r, uint32_t row, const struct column *end)
{
    return column_number(end, row) > 0 ? column_number(end, row) : chart_time(r, row);
}

struct history_point {
    size_t run;
    uint32_t row;
};

static void write_line(struct history *h, uint32_t base, struct picture *p)
{
    const struct chart_rows *r = h->across->rows;
    VEC(struct history_point) points = {0};
    double one = chart_time(r, base);
    for (size_t run = 0; run < h->across->runs.count; run++) {
        uint32_t row = across_same(h->across, base, run);
        if (row != ROW_NONE)
            vec_push(&points, (struct history_point){run, row});
    }
    struct table t = {.row_count = points.count};
    uint32_t *rows = xcalloc(points.count + 1, sizeof *rows);
    for (size_t i = 0; i < points.count; i++)
        rows[i] = points.items[i].row;
#define ROW(i) points.items[i].row
    table_add_texts(&t, i, h->across->names.items[points.items[i].run], "run");
    table_add_numbers(&t, i, column_number(r->n, ROW(i)), "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)points.items[i].run + 1, "place", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, ROW(i)) / one, "ratio", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, end_of(r, ROW(i), r->low) / one, "low", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, end_of(r, ROW(i), r->high) / one, "high", .kind = COLUMN_NUMBER);
    table_add_texts(&t, i, column_text(r->kernel, ROW(i)), "kernel");
    chart_add_settings(r, rows, &t);
    picture_block(p, &t);
    free(rows);
    for (size_t i = 0; i < points.count; i++) {
        h->low = fmin(h->low, end_of(r, ROW(i), r->low) / one);
        h->high = fmax(h->high, end_of(r, ROW(i), r->high) / one);
    }
#undef ROW
    h->noise_low = fmin(h->noise_low, end_of(r, base, r->low) / one);
    h->noise_high = fmax(h->noise_high, end_of(r, base, r->high) / one);
    h->widest = points.count > h->widest ? points.count : h->widest;
    table_free(&t);
    vec_free(&points);
}

/* Chooses up to MOST_LINES evenly spaced sizes, and writes a block of data for each. */
static void write_lines(struct history *h, struct picture *p)
{
    const struct across *a = h->across;
    size_t count = a->sizes.count < MOST_LINES ? a->sizes.count : MOST_LINES;
    double step = a->sizes.count > MOST_LINES ? (double)(a->sizes.count - 1) / (MOST_LINES - 1) : 1;
    for (size_t k = 0; k < count; k++) {
        double n = a->sizes.items[(size_t)((double)k * step + 0.5)];
        uint32_t base = find_base(h, n);
        if (base == ROW_NONE)
            continue;
        struct text name = {0};
        char size[48];
        layout_size(n, size);
        text_append(&name, "n = %s, ", size);
        chart_setting(a->rows, base, &name);
        h->names[h->lines] = name.bytes;
        h->bases[h->lines++] = base;
        write_line(h, base, p);
    }
}

/* Writes the names of the runs, each with the date and the time at which it began. */
static void write_runs(const struct across *a, struct picture *p)
{
    const struct chart_rows *r = a->rows;
    const struct column *started = table_find(&r->run->rows, "started");
    char **names = xcalloc(a->runs.count + 1, sizeof *names);
    size_t widest = 0;
    for (uint32_t row = 0; row < r->run->rows.row_count; row++)
        for (size_t i = 0; i < a->runs.count; i++)
            if (!names[i] && a->runs.items[i] == r->run_column->codes[row]) {
                /* such as 2026-11-22T17:24:49Z */
                const char *at = column_text(started, row);
                names[i] = strlen(at) < 16
                               ? xstrdup(a->names.items[i])
                               : xasprintf("%s  %.10s %.5s", a->names.items[i], at, at + 11);
            }
    for (size_t i = 0; i < a->runs.count; i++)
        widest = layout_length(names[i]) > widest ? layout_length(names[i]) : widest;
    picture_number(p, "HISTORY_NAMES", 7.4 * (double)widest);
    picture_texts(p, "HISTORY_RUN", (const char *const *)names, a->runs.count);
    for (size_t i = 0; i < a->runs.count; i++)
        free(names[i]);
    free(names);
}

static void write_picture(const struct history *h, struct picture *p)
{
    /* the colors of layout_rgb(), but only one of its two blues */
    static const int hues[MOST_LINES] = {1, 2, 3, 4, 6, 7};
    const struct across *a = h->across;
    struct layout_key keys[MOST_LINES];
    for (size_t i = 0; i < h->lines; i++)
        keys[i] = (struct layout_key){h->names[i], layout_rgb(hues[i]), layout_mark(hues[i])};
    double low = fmin(h->low, 0.98), high = fmax(h->high, 1.02), margin = 0.08 * (high - low);
    char *heading = xasprintf("History of %s", h->kernel);
    char *shown =
        xasprintf("%s; each line: the setting that was fastest at this n in the first run; "
                  "error bars: 95 %% intervals; grey band: the range of the first run's "
                  "intervals",
                  a->rows->slice);
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown);
    layout_keys(p, keys, h->lines, a->rows->options->width - 32);
    picture_number(p, "HISTORY_RUNS", (double)a->runs.count);
    picture_number(p, "HISTORY_Y0", low - margin);
    picture_number(p, "HISTORY_Y1", high + margin);
    picture_number(p, "NOISE_LOW", h->noise_low);
    picture_number(p, "NOISE_HIGH", h->noise_high);
    write_runs(a, p);
    free(heading);
    free(shown);
}

bool make_history(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct across a;
    struct history h = {.across = &a, .low = 1, .high = 1, .noise_low = 1, .noise_high = 1};
    bool ok = across_find(r, &a, why);
    if (ok) {
        h.kernel = choose_kernel(&a);
        write_lines(&h, p);
        ok = h.widest > 1;
        if (ok)
            write_picture(&h, p);
        else
            snprintf(why, 256, "fewer than two runs contain the same setting of %.100s", h.kernel);
    }
    for (size_t i = 0; i < h.lines; i++)
        free(h.names[i]);
    across_free(&a);
    return ok;
}
