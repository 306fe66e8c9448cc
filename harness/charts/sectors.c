/*
 * The chart `sectors` plots time against the amount of data that is moved, at one n. It has a point
 * for each setting of each kernel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"

CHART(150, sectors, ONE, OF_A_SIZE, "", make_sectors,
      "Time against sectors moved. Where the points lie on a line, the sectors explain the time.")

/*
 * Counts that say how much data a row moved. The chart uses the first one that the run has. The
 * sectors that loads and stores touched come first, because they differ between kernels; DRAM
 * traffic comes last.
 */
static const struct moved_kind {
    const char *read, *write, *words;
    bool loads;
} kinds[] = {{"gld_transactions", "gst_transactions",
              "32-byte sectors that global loads and stores touch", true},
             {"gld_transactions", NULL, "32-byte sectors that global loads touch", true},
             {"dram_read_transactions", "dram_write_transactions",
              "32-byte sectors read from and written to DRAM", false},
             {"dram_read_bytes", "dram_write_bytes", "bytes read from and written to DRAM", false}};

struct sectors {
    const struct chart_rows *rows;
    const struct moved_kind *kind;
    const struct column *read, *write;
    double n; /* NaN if no row has a time and a count */
    double highest;
    double x0, x1, y0, y1;
};

static bool has_values(const struct chart_rows *r, const struct column *c)
{
    for (size_t i = 0; c && i < r->shown.count; i++)
        if (!isnan(column_number(c, r->shown.items[i])))
            return true;
    return false;
}

static bool choose_kind(struct sectors *s)
{
    const struct table *t = &s->rows->run->rows;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        s->kind = &kinds[i];
        s->read = table_find(t, kinds[i].read);
        s->write = kinds[i].write ? table_find(t, kinds[i].write) : NULL;
        if (has_values(s->rows, s->read) && (!kinds[i].write || has_values(s->rows, s->write)))
            return true;
    }
    return false;
}

static double moved(const struct sectors *s, uint32_t row)
{
    double read = column_number(s->read, row), write = column_number(s->write, row);
    return isnan(write) ? read : read + write;
}

static bool is_point(const struct sectors *s, uint32_t row)
{
    return !isnan(chart_time(s->rows, row)) && moved(s, row) > 0;
}

static void find_size(struct sectors *s)
{
    s->n = NAN;
    for (size_t i = 0; i < s->rows->shown.count; i++)
        if (is_point(s, s->rows->shown.items[i]))
            s->n = fmax(s->n, column_number(s->rows->n, s->rows->shown.items[i]));
}

static bool is_bulk(const struct sectors *s, uint32_t row)
{
    return s->kind->loads && chart_reads_in_bulk(s->rows, row, moved(s, row));
}

/*
 * Sets `highest` to the longest time of the kernels that are named and colored. Grey points with
 * much longer times are left out, because they would squeeze all others into a corner.
 */
static void find_highest(struct sectors *s, const struct fastest *f, const struct named *names)
{
    s->highest = 0;
    for (size_t i = 0; i < s->rows->shown.count; i++) {
        uint32_t row = s->rows->shown.items[i];
        for (size_t k = 0; k < f->kernels.count; k++)
            if (names[k].color && is_point(s, row) && column_number(s->rows->n, row) == s->n &&
                strcmp(column_text(s->rows->kernel, row), f->kernels.items[names[k].index].name) ==
                    0)
                s->highest = fmax(s->highest, chart_time(s->rows, row));
    }
}

enum { FAR_ABOVE = 4 };

/*
 * Writes the points of a kernel and returns the row of the fastest one. Sets *bulk or *above if
 * points were left out because of bulk copies or because of their times.
 */
static uint32_t write_kernel(struct sectors *s, const char *kernel, bool *bulk, bool *above,
                             struct picture *p)
{
    row_list points = {0};
    uint32_t fastest = ROW_NONE;
    for (size_t i = 0; i < s->rows->shown.count; i++) {
        uint32_t row = s->rows->shown.items[i];
        if (!is_point(s, row) || column_number(s->rows->n, row) != s->n ||
            strcmp(column_text(s->rows->kernel, row), kernel) != 0)
            continue;
        if (is_bulk(s, row)) {
            *bulk = true;
            continue;
        }
        if (chart_time(s->rows, row) > FAR_ABOVE * s->highest) {
            *above = true;
            continue;
        }
        vec_push(&points, row);
        double time = chart_time(s->rows, row);
        s->x0 = fmin(s->x0, moved(s, row)), s->x1 = fmax(s->x1, moved(s, row));
        s->y0 = fmin(s->y0, time), s->y1 = fmax(s->y1, time);
        if (fastest == ROW_NONE || time < chart_time(s->rows, fastest))
            fastest = row;
    }
    struct table t = {.row_count = points.count};
    struct text setting = {0};
    table_add_texts(&t, i, kernel, "kernel");
    table_add_numbers(&t, i, moved(s, points.items[i]), "moved", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, chart_time(s->rows, points.items[i]), "time_us_median",
                      .kind = COLUMN_NUMBER);
    table_add_texts(
        &t, i,
        column_varies(s->read, points.items[i]) || column_varies(s->write, points.items[i]) ? "≈"
                                                                                            : "",
        "text");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < points.count; i++) {
        setting.length = 0;
        chart_setting(s->rows, points.items[i], &setting);
        column_set_text(settings, i, setting.bytes);
    }
    if (points.count)
        picture_block(p, &t);
    table_free(&t);
    text_free(&setting);
    vec_free(&points);
    return fastest;
}

static void write_frame(const struct sectors *s, const struct named *names, size_t count,
                        const uint32_t *fastest, struct picture *p)
{
    char n[48];
    double x0 = s->x0 / 1.3, x1 = s->x1 * 1.3, y0 = s->y0 / 1.2, y1 = s->y1 * 1.2;
    double *x = xcalloc(3 * count + 1, sizeof *x), *y = x + count, *at = y + count;
    for (size_t i = 0; i < count; i++) {
        bool has = fastest[i] != ROW_NONE;
        x[i] = has ? moved(s, fastest[i]) : NAN;
        y[i] = has ? chart_time(s->rows, fastest[i]) : NAN;
        at[i] = (log(y[i]) - log(y0)) / (log(y1) - log(y0));
    }
    layout_size(s->n, n);
    picture_text(p, "SECTORS_N", n);
    picture_text(p, "MOVED", s->kind->words);
    picture_number(p, "S_X0", x0);
    picture_number(p, "S_X1", x1);
    picture_number(p, "S_Y0", y0);
    picture_number(p, "S_Y1", y1);
    picture_number(p, "LINES_H", names_height(s->rows, names, count));
    names_place(s->rows, names, count, x, y, at, p);
    free(x);
}

static bool make(struct sectors *s, const struct fastest *f, struct picture *p)
{
    size_t count = f->kernels.count;
    struct named *names = names_of_kernels(s->rows, f);
    uint32_t *fastest = xcalloc(count + 1, sizeof *fastest);
    struct text drawn = {0}, copies = {0}, far = {0};
    find_highest(s, f, names);
    for (size_t i = 0; i < count; i++) {
        const char *kernel = f->kernels.items[names[i].index].name;
        bool bulk = false, above = false;
        fastest[i] = write_kernel(s, kernel, &bulk, &above, p);
        if (above)
            text_append(&far, "%s%s", far.length ? ", " : "above the chart: ", kernel);
        if (fastest[i] != ROW_NONE)
            text_append(&drawn, "%s%zu", drawn.length ? " " : "", i + 1);
        if (bulk)
            text_append(&copies, "%s%s",
                        copies.length
                            ? ", "
                            : "not shown, because their bulk copies are not counted as loads: ",
                        kernel);
    }
    bool any = drawn.length > 0;
    if (any) {
        text_append(&copies, "%s%s", copies.length && far.length ? "; " : "", text_shown(&far));
        picture_text(p, "COPIES", text_shown(&copies));
        picture_text(p, "DRAWN", drawn.bytes);
        names_write(s->rows, names, count, p);
        write_frame(s, names, count, fastest, p);
    }
    text_free(&drawn);
    text_free(&copies);
    text_free(&far);
    free(fastest);
    free(names);
    return any;
}

bool make_sectors(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct sectors s = {.rows = r, .x0 = INFINITY, .y0 = INFINITY};
    struct fastest f;
    fastest_find(r, &f);
    bool counted = choose_kind(&s), ok = false;
    if (counted)
        find_size(&s);
    if (!f.kernels.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!counted)
        snprintf(why, 256,
                 "the run does not count sectors (gld_transactions, dram_read_transactions)");
    else if (isnan(s.n))
        snprintf(why, 256, "no row has both a time and a count of sectors");
    else if (!(ok = make(&s, &f, p)))
        snprintf(why, 256, "the inputs are read by bulk copies, which are not counted as loads");
    fastest_free(&f);
    return ok;
}
