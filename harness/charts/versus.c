/*
 * The chart `versus` compares the times of two runs. For each point that they have in common, it
 * plots the time in the second run divided by the time in the first, against n. It shows the 95 %
 * interval of this ratio and, if `redsweep diff` compares times of the two devices, its verdict
 * (FAST, SLOW …).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff.h"
#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"
#include "charts/pairs.h"

CHART(260, versus, SEVERAL, SHOWS_ALL, "", make_versus,
      "The ratio of the times of two runs at each point, with its verdict, against n.")

#define LETTER_WIDTH 7.3
enum { NAMED = 5, LINE_HEIGHT = 17, PLOT_HEIGHT = 376, DOT = 7, CIRCLE = 6 };

struct versus_point {
    uint32_t a, b;
    double ratio, low, high; /* `low` and `high` are NaN if there is no interval */
    enum verdict verdict;
};

struct versus {
    const struct chart_rows *rows;
    const struct run_pairs *pairs;
    /* smallest ratio first */
    VEC(struct versus_point) points;
    double low, high;       /* the axis range */
    enum verdict *verdicts; /* for each row of the first run */
    /* whether `verdicts` contains verdicts on times, which requires equal devices */
    bool judged;
    bool several; /* whether the points have several types or operations */
};

static int compare_ratios(const void *a, const void *b)
{
    const struct versus_point *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return (x->a > y->a) - (x->a < y->a);
}

/* Finds the verdicts of `redsweep diff` on the points of the two runs. */
static void find_verdicts(struct versus *v)
{
    const struct results *runs = v->rows->options->runs;
    struct diff d;
    struct error e = {0};
    v->verdicts = xcalloc(v->rows->run->rows.row_count + 1, sizeof *v->verdicts);
    if (!runs || !diff_runs(&runs[0], &runs[1], &diff_default_options, &d, &e))
        return; /* `diff` finds no point in common */
    v->judged = d.same_device;
    for (size_t i = 0; i < d.match.pairs.count && v->judged; i++)
        v->verdicts[d.match.pairs.items[i].a] = d.points[i].verdict;
    diff_free(&d);
}

/*
 * Return whether a point became faster or slower, according to the verdict. If there are no
 * verdicts on times, the whole interval must be below or above 1.
 */
static bool is_faster(const struct versus *v, const struct versus_point *p)
{
    return v->judged ? p->verdict == VERDICT_FAST : p->high < 1;
}

static bool is_slower(const struct versus *v, const struct versus_point *p)
{
    return v->judged ? p->verdict == VERDICT_SLOW : p->low > 1;
}

static void find_points(struct versus *v)
{
    v->low = INFINITY;
    for (size_t i = 0; i < v->pairs->list.count; i++) {
        const struct run_pair *pair = &v->pairs->list.items[i];
        double a = chart_time(v->rows, pair->a), b = chart_time(v->rows, pair->b);
        /*
         * The joined run begins with the rows of the first run, so row a has the same number in
         * both.
         */
        struct versus_point p = {pair->a, pair->b, b / a, NAN, NAN, v->verdicts[pair->a]};
        if (isnan(p.ratio))
            continue;
        chart_ratio_ends(v->rows, pair->b, pair->a, &p.low, &p.high);
        v->several =
            v->several || !chart_same_slice(v->rows->run, pair->a, v->pairs->list.items[0].a);
        v->low = fmin(v->low, p.ratio);
        v->high = fmax(v->high, p.ratio);
        vec_push(&v->points, p);
    }
    if (v->points.count)
        qsort(v->points.items, v->points.count, sizeof *v->points.items, compare_ratios);
    /*
     * The axis covers at least ± 5 %, so that small noise does not fill the chart. There is a
     * margin on both sides.
     */
    v->low = fmin(v->low, 1 / 1.05);
    v->high = fmax(v->high, 1.05);
    double margin = exp(0.12 * log(v->high / v->low));
    v->low /= margin;
    v->high *= margin;
}

static void write_points(const struct versus *v, struct picture *p)
{
    const struct chart_rows *r = v->rows;
    struct table t = {.row_count = v->points.count};
    struct text setting = {0};
#define POINT(i) v->points.items[i]
    table_add_texts(&t, i, column_text(r->kernel, POINT(i).a), "kernel");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < t.row_count; i++) {
        setting.length = 0;
        chart_setting(r, POINT(i).a, &setting);
        column_set_text(settings, i, setting.bytes);
    }
    table_add_numbers(&t, i, column_number(r->n, POINT(i).a), "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, POINT(i).a), "time_us_a", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, chart_time(r, POINT(i).b), "time_us_b", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, POINT(i).ratio, "ratio", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, isnan(POINT(i).low) ? POINT(i).ratio : POINT(i).low, "low",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, isnan(POINT(i).high) ? POINT(i).ratio : POINT(i).high, "high",
                      .kind = COLUMN_NUMBER);
    table_add_texts(&t, i, verdict_name(POINT(i).verdict), "verdict");
    table_add_numbers(
        &t, i, !v->judged || is_faster(v, &POINT(i)) || is_slower(v, &POINT(i)) ? DOT : CIRCLE,
        "mark", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, ladder_rgb(&r->ladder, column_text(r->kernel, POINT(i).a)), "rgb",
                      .kind = COLUMN_COUNT);
#undef POINT
    picture_block(p, &t);
    table_free(&t);
    text_free(&setting);
}

/*
 * Finds the points that became faster with the smallest ratios, and those that became slower with
 * the largest: up to NAMED of each.
 */
static size_t find_extremes(const struct versus *v, size_t extremes[2 * NAMED])
{
    size_t count = 0, last = v->points.count;
    for (size_t i = 0; i < v->points.count && count < NAMED; i++)
        if (is_faster(v, &v->points.items[i]))
            extremes[count++] = i;
    size_t faster = count;
    while (last > 0 && count < faster + NAMED)
        if (is_slower(v, &v->points.items[--last]))
            extremes[count++] = last;
    return count;
}

static void write_extremes(const struct versus *v, struct picture *p)
{
    size_t extremes[2 * NAMED], count = find_extremes(v, extremes), widest = 0;
    double wanted[2 * NAMED], places[2 * NAMED], x[2 * NAMED], y[2 * NAMED];
    char *names[2 * NAMED] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct versus_point *point = &v->points.items[extremes[i]];
        struct text name = {0};
        char n[48];
        x[i] = column_number(v->rows->n, point->a);
        y[i] = point->ratio;
        layout_size(x[i], n);
        text_append(&name, "%s, ", column_text(v->rows->kernel, point->a));
        if (v->several)
            text_append(&name, "%s %s, ", results_axis(v->rows->run, point->a, AXIS_type),
                        results_axis(v->rows->run, point->a, AXIS_op));
        text_append(&name, "n = %s, ", n);
        chart_setting(v->rows, point->a, &name);
        names[i] = name.bytes;
        widest = layout_length(name.bytes) > widest ? layout_length(name.bytes) : widest;
        wanted[i] = (log(y[i]) - log(v->low)) / (log(v->high) - log(v->low));
    }
    layout_spread(wanted, count, (double)LINE_HEIGHT / PLOT_HEIGHT, places);
    picture_number(p, "EXTREMES", (double)count);
    bool narrow = v->rows->options->width == CANVAS_COLUMN;
    picture_number(p, "LABELS", narrow || !count ? 16 : 7.2 * (double)widest + 50);
    if (count) {
        picture_texts(p, "NAME", (const char *const *)names, count);
        picture_numbers(p, "LAST_X", x, count);
        picture_numbers(p, "LAST", y, count);
        picture_numbers(p, "PLACE", places, count);
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
}

static double plot_height(const struct versus *v)
{
    return v->rows->options->width == CANVAS_COLUMN ? 250 : PLOT_HEIGHT;
}

/*
 * Returns the title of the vertical axis, which names the first run. If the title would be longer
 * than the axis, the properties of the run, which the heading states, are left out. If it is still
 * too long, the beginning of the run's name is cut, because runs differ in the ends of their names.
 */
static char *axis_title(const struct versus *v)
{
    const char *before = "time / time in ", *name = v->pairs->names[0];
    size_t room = (size_t)(plot_height(v) / LETTER_WIDTH) - strlen(before);
    if (layout_length(name) <= room)
        return xasprintf("%s%s", before, name);
    const char *facts = strstr(name, " (");
    char *own = xstrndup(name, facts ? (size_t)(facts - name) : strlen(name)), *from = own;
    bool cut = layout_length(own) > room;
    while (layout_length(from) > room - cut)
        do
            from++;
        while ((*from & 0xC0) == 0x80); /* what remains must begin with a whole character */
    char *title = xasprintf("%s%s%s", before, cut ? "…" : "", from);
    free(own);
    return title;
}

static void write_words(const struct versus *v, struct picture *p)
{
    double logs = 0, x0 = INFINITY, x1 = 0;
    size_t faster = 0, slower = 0, count = v->points.count, same = 0;
    const char **kernels = xcalloc(count + 1, sizeof *kernels);
    for (size_t i = 0; i < count; i++) {
        const struct versus_point *point = &v->points.items[i];
        logs += log(point->ratio);
        faster += is_faster(v, point);
        slower += is_slower(v, point);
        same += point->verdict == VERDICT_SAME;
        kernels[i] = column_text(v->rows->kernel, point->a);
        x0 = fmin(x0, column_number(v->rows->n, point->a));
        x1 = fmax(x1, column_number(v->rows->n, point->a));
    }
    char *heading = xasprintf("Times: %s vs. %s", v->pairs->names[1], v->pairs->names[0]);
    char *found =
        v->judged
            ? xasprintf(
                  "verdicts of redsweep diff: %zu FAST, %zu SLOW (filled), %zu SAME, %zu UNKNOWN",
                  faster, slower, same, count - faster - slower - same)
            : xasprintf("points with a 95 %% interval below 1: %zu, above 1: %zu; times on two "
                        "devices are not judged",
                        faster, slower);
    char *shown = xasprintf("%zu points; geometric mean of the ratios %.4g; %s", count,
                            exp(logs / (double)count), found);
    char *axis = axis_title(v);
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown);
    picture_text(p, "UPWARDS", axis);
    picture_number(p, "VERSUS_POINTS", (double)count);
    picture_number(p, "X0", exp2(floor(log2(x0) + 1e-9)) / (x0 < x1 ? 1 : 2));
    picture_number(p, "X1", x0 < x1 ? x1 : 2 * x1);
    picture_number(p, "Y0", v->low);
    picture_number(p, "Y1", v->high);
    picture_number(p, "LINES_H", plot_height(v));
    names_families(v->rows, kernels, count, 7, p);
    free(kernels);
    free(axis);
    free(heading);
    free(shown);
    free(found);
}

bool make_versus(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct run_pairs pairs;
    struct versus v = {.rows = r, .pairs = &pairs};
    bool ok = pairs_find(r, &pairs, why);
    if (ok) {
        find_verdicts(&v);
        find_points(&v);
        ok = v.points.count > 0;
        if (!ok)
            snprintf(why, 256, "no point has times in both runs");
    }
    if (ok) {
        write_words(&v, p);
        write_extremes(&v, p);
        write_points(&v, p);
    }
    vec_free(&v.points);
    free(v.verdicts);
    pairs_free(&pairs);
    return ok;
}
