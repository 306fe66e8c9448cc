/* Implements page.h. */
#include "charts/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "table/numbering.h"

/*
 * Large pages open slowly, so once the charts have MOST_BYTES, all further ones are left out.
 * Because it takes time to choose the rows for each size, only the MOST_SIZES largest sizes are
 * used. The page says how many charts are left out.
 */
enum { MOST_BYTES = 4 << 20, MOST_SIZES = 64 };

struct page_charts {
    const struct results *run;
    struct chart_options options;
    struct text *out;
    size_t count, left_out;
};

static void append_choice(struct text *out, const char *name, const char *value)
{
    text_append(out, "%s", out->bytes[out->length - 1] == '{' ? "" : ", ");
    text_append_json(out, name);
    text_append(out, ": ");
    text_append_json(out, value);
}

/*
 * Appends what distinguishes a chart from others with the same name: the axes of its slice, and its
 * n.
 */
static void append_choices(const struct page_charts *c, const struct chart_rows *rows)
{
    uint32_t row = rows->shown.items[0];
    text_append(c->out, "{");
    for (enum axis_index i = 0; i < AXIS_COUNT && c->options.slice; i++) {
        bool of_slice = i == AXIS_type || i == AXIS_op || i == AXIS_cache;
        if (of_slice || (axis_is_run_time(i) && results_has_axis(c->run, i)))
            append_choice(c->out, axis_table[i].name, results_axis(c->run, row, i));
    }
    if (c->options.size > 0) {
        char n[48];
        layout_size(c->options.size, n);
        append_choice(c->out, "n", n);
    }
    text_append(c->out, "}");
}

static void add_chart(struct page_charts *c, const struct chart *chart,
                      const struct chart_rows *rows)
{
    struct picture p = {0};
    char why[256];
    if (rows->shown.count && chart_make(chart, rows, &p, why)) {
        if (c->out->length > MOST_BYTES) {
            c->left_out++;
        } else {
            text_append(c->out, "%s{\"choices\": ", c->count++ ? ",\n" : "");
            append_choices(c, rows);
            text_append(c->out, ", \"sentence\": ");
            text_append_json(c->out, chart->sentence);
            text_append(c->out, ", \"chart\": ");
            picture_page(&p, c->out);
            text_append(c->out, "}");
        }
    }
    picture_free(&p);
}

/*
 * Adds charts of the rows that the options choose: those that show one n (`kind` is OF_A_SIZE),
 * those that show all slices (SHOWS_ALL), or the remaining ones (0).
 */
static bool add_charts(struct page_charts *c, unsigned kind, struct error *e)
{
    struct chart_rows rows;
    if (!chart_rows_choose(c->run, &c->options, false, &rows, e))
        return false;
    for (size_t i = 0; chart_at(i); i++) {
        const struct chart *chart = chart_at(i);
        if (chart->several == c->options.several &&
            (chart->takes & (OF_A_SIZE | SHOWS_ALL)) == kind)
            add_chart(c, chart, &rows);
    }
    chart_rows_free(&rows);
    return true;
}

static int compare_down(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

typedef VEC(double) size_list;

/* Lists the sizes, the largest first, because charts of large sizes are the most informative. */
static void find_sizes(const struct chart_rows *rows, size_list *out)
{
    for (size_t i = 0; i < rows->shown.count; i++)
        vec_push(out, column_number(rows->n, rows->shown.items[i]));
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_down);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (kept == 0 || out->items[i] != out->items[kept - 1])
            out->items[kept++] = out->items[i];
    out->count = kept;
}

static bool add_sizes(struct page_charts *c, struct error *e)
{
    struct chart_rows rows;
    size_list sizes = {0};
    if (!chart_rows_choose(c->run, &c->options, false, &rows, e))
        return false;
    find_sizes(&rows, &sizes);
    chart_rows_free(&rows);
    bool ok = true;
    size_t before = c->count + c->left_out, i = 0;
    for (; ok && i < sizes.count && i < MOST_SIZES; i++) {
        c->options.size = sizes.items[i];
        ok = add_charts(c, OF_A_SIZE, e);
    }
    /*
     * The estimate assumes that each omitted size would have as many charts as the others on
     * average.
     */
    if (i > 0)
        c->left_out += (c->count + c->left_out - before) * (sizes.count - i) / i;
    c->options.size = 0;
    vec_free(&sizes);
    return ok;
}

bool charts_page(const struct results *run, const char *data, bool several, struct text *out,
                 struct error *e)
{
    struct page_charts c = {.run = run,
                            .options = {.data = data, .several = several, .width = CANVAS_SCREEN},
                            .out = out};
    struct chart_rows rows;
    slice_list slices = {0};
    if (!chart_rows_choose(run, &c.options, false, &rows, e))
        return false;
    chart_slices(&rows, &slices);
    chart_rows_free(&rows);
    text_append(out, "{\"charts\": [");
    bool ok = add_charts(&c, SHOWS_ALL, e);
    for (size_t i = 0; ok && i < slices.count; i++) {
        c.options.slice = slices.items[i];
        ok = add_charts(&c, 0, e);
    }
    /* Charts of several runs show all values of n. */
    for (size_t i = 0; ok && !several && i < slices.count; i++) {
        c.options.slice = slices.items[i];
        ok = add_sizes(&c, e);
    }
    text_append(out, "],\n\"left_out\": %zu}", c.left_out);
    for (size_t i = 0; i < slices.count; i++)
        free(slices.items[i]);
    vec_free(&slices);
    return ok;
}
