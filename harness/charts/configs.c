/*
 * The chart `configs` shows every configuration at one n, from the fastest to the slowest. The
 * colors stand for the values of one axis: the one that --by names or, by default, the one that
 * explains most of the variance of the times.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"
#include "charts/tuning.h"

CHART(100, configs, ONE, TAKES_BY | OF_A_SIZE, "", make_configs,
      "All configurations at one size, from the fastest to the slowest.")

/*
 * Marks are placed on a grid of MARKS_ACROSS by MARKS_UP places. At each place, there is at most
 * one mark for each value of the axis.
 */
enum { MARKS_ACROSS = 700, MARKS_UP = 300, MOST_COLORS = 6, GREY = 0x8B8B8B };

struct configs {
    const struct tuning *tuning;
    const struct column *axis;
    row_list rows; /* from the fastest to the slowest */
    struct axis_values values;
    double share;
    int *colors; /* the color of each value */
    /* how many configurations are within the range of the chart; the others are slower */
    size_t shown;
};

/*
 * Chooses the axis that explains most of the variance of the times, or the kernel if no axis
 * explains any of it.
 */
static void choose_axis(struct configs *c)
{
    const struct tuning *t = c->tuning;
    for (size_t i = 0; i <= t->axes.count; i++) {
        const struct column *axis = i < t->axes.count ? t->axes.items[i] : t->rows->kernel;
        struct axis_values values;
        axis_values_find(t, axis, &c->rows, &values);
        double share = values.count > 1 ? tuning_explained(t, axis, &c->rows, &values, true) : 0;
        if (!c->axis || share > c->share) {
            c->axis = axis;
            c->share = share;
        }
        axis_values_free(&values);
    }
    if (c->share <= 0)
        c->axis = t->rows->kernel;
}

static uint32_t row_with(const struct configs *c, size_t value)
{
    size_t i = 0;
    while (c->values.places[i] != value)
        i++;
    return c->rows.items[i];
}

/*
 * Chooses the colors of the axis's values. Numbers get the colors of a ramp. For names, each gets a
 * color, beginning with the name that has the fastest configuration, until MOST_COLORS are used. If
 * the axis is the kernel and there are more kernels than that, they get the colors of their
 * families.
 */
static void choose_colors(struct configs *c)
{
    /* the colors of layout_rgb(), but only one of its two blues */
    static const int hues[MOST_COLORS] = {1, 2, 3, 4, 6, 7};
    const struct chart_rows *r = c->tuning->rows;
    bool families = c->axis == r->kernel && c->values.count > MOST_COLORS;
    size_t given = 0;
    c->colors = xcalloc(c->values.count + 1, sizeof *c->colors);
    for (size_t i = 0; i < c->values.count; i++)
        c->colors[i] = families            ? ladder_rgb(&r->ladder, c->values.names[i])
                       : c->values.numeric ? layout_ramp(i, c->values.count)
                                           : GREY;
    for (size_t i = 0; i < c->rows.count && !families && !c->values.numeric; i++) {
        uint32_t place = c->values.places[i];
        if (place != ROW_NONE && c->colors[place] == GREY && given < MOST_COLORS)
            c->colors[place] = layout_rgb(hues[given++]);
    }
}

static void write_key(const struct configs *c, struct picture *p)
{
    const struct chart_rows *r = c->tuning->rows;
    size_t count = c->values.count, keys = 0;
    if (c->axis == r->kernel && count > MOST_COLORS) {
        names_families(r, (const char *const *)c->values.names, count, 7, p);
        return;
    }
    struct layout_key *list = xcalloc(count + 1, sizeof *list);
    char **names = xcalloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        char size[48];
        layout_size(column_number(c->axis, row_with(c, i)), size);
        names[i] = c->axis == r->kernel ? xstrdup(c->values.names[i])
                                        : xasprintf("%s %s", tuning_name(c->axis),
                                                    c->axis == r->n ? size : c->values.names[i]);
        if (c->colors[i] != GREY)
            list[keys++] = (struct layout_key){names[i], c->colors[i], 7};
    }
    layout_keys(p, list, keys, r->options->width - 32);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(list);
}

/*
 * Finds the configurations that the chart shows. A few that are much slower than all others are not
 * shown, because a range that contains them would compress all other marks.
 */
static void find_shown(struct configs *c)
{
    const struct chart_rows *r = c->tuning->rows;
    double limit = 10 * chart_time(r, c->rows.items[(c->rows.count - 1) * 19 / 20]);
    c->shown = c->rows.count;
    while (chart_time(r, c->rows.items[c->shown - 1]) > limit)
        c->shown--;
}

static int color_of(const struct configs *c, size_t i)
{
    return c->values.places[i] == ROW_NONE ? GREY : c->colors[c->values.places[i]];
}

/*
 * Writes one mark for all configurations that have the same value of the axis and are at the same
 * place. They are found easily, because rows are sorted by time.
 */
static void write_marks(const struct configs *c, double low, double high, struct picture *p)
{
    const struct chart_rows *r = c->tuning->rows;
    VEC(size_t) marks = {0};
    long *last = xcalloc(c->values.count + 1, sizeof *last);
    for (size_t i = 0; i < c->shown; i++) {
        size_t value = c->values.places[i] == ROW_NONE ? c->values.count : c->values.places[i];
        long across = (long)(MARKS_ACROSS * (i + 1) / c->rows.count);
        long up = (long)(MARKS_UP * log(chart_time(r, c->rows.items[i]) / low) / log(high / low));
        long place = 1 + across * (MARKS_UP + 1) + up;
        if (last[value] != place)
            vec_push(&marks, i);
        last[value] = place;
    }
    struct table t = {.row_count = marks.count};
    struct text setting = {0};
#define ROW(i) c->rows.items[marks.items[i]]
    table_add_numbers(&t, i, (double)marks.items[i] + 1, "rank", .kind = COLUMN_COUNT);
    table_add_texts(&t, i, column_text(r->kernel, ROW(i)), "kernel");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < marks.count; i++) {
        setting.length = 0;
        chart_setting(r, ROW(i), &setting);
        column_set_text(settings, i, setting.bytes);
    }
    table_add_numbers(&t, i, chart_time(r, ROW(i)), "time_us_median", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, color_of(c, marks.items[i]), "rgb", .kind = COLUMN_COUNT);
#undef ROW
    picture_block(p, &t);
    text_free(&setting);
    table_free(&t);
    vec_free(&marks);
    free(last);
}

static void write_words(const struct configs *c, struct picture *p)
{
    const struct chart_rows *r = c->tuning->rows;
    size_t raced = 0;
    struct text shown = {0};
    char n[48], time[48];
    for (size_t i = 0; i < c->rows.count; i++)
        raced += results_raced(r->run, c->rows.items[i]);
    /* the fastest row that the search did not drop after a few samples */
    uint32_t fastest = ROW_NONE;
    for (size_t i = 0; i < c->rows.count && fastest == ROW_NONE; i++)
        if (!results_raced(r->run, c->rows.items[i]))
            fastest = c->rows.items[i];
    text_append(&shown, "%s; color: %s, which explains %.0f %% of the variance", r->slice,
                tuning_name(c->axis), 100 * c->share);
    if (fastest != ROW_NONE) {
        layout_short(chart_time(r, fastest), time);
        text_append(&shown, "; the fastest: ");
        results_configuration(r->run, fastest, &shown);
        text_append(&shown, ", %s µs", time);
    }
    if (raced)
        text_append(&shown, "; the search dropped %zu after a few samples", raced);
    if (c->shown < c->rows.count)
        text_append(&shown, "; %zu slower configurations are above the chart, up to %.3g µs",
                    c->rows.count - c->shown, chart_time(r, c->rows.items[c->rows.count - 1]));
    layout_size(c->tuning->n, n);
    char *heading =
        xasprintf("%zu configurations at n = %s%s%s", c->rows.count, n,
                  r->options->kernels ? ": " : "", r->options->kernels ? r->options->kernels : "");
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown.bytes);
    free(heading);
    text_free(&shown);
}

static int compare_times(const void *a, const void *b, void *rows)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    double i = chart_time(rows, x), j = chart_time(rows, y);
    if (i != j)
        return i < j ? -1 : 1;
    return (x > y) - (x < y);
}

static void write_picture(struct configs *c, struct picture *p)
{
    const struct chart_rows *r = c->tuning->rows;
    find_shown(c);
    double low = chart_time(r, c->rows.items[0]) / 1.1,
           high = chart_time(r, c->rows.items[c->shown - 1]) * 1.1;
    choose_colors(c);
    write_words(c, p);
    write_key(c, p);
    picture_number(p, "CONFIGS", (double)c->rows.count);
    picture_number(p, "CONFIG_Y0", low);
    picture_number(p, "CONFIG_Y1", high);
    write_marks(c, low, high, p);
}

bool make_configs(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct tuning t;
    tuning_find(r, &t);
    struct configs c = {.tuning = &t};
    bool ok = false;
    if (!isnan(t.n))
        tuning_rows(&t, NULL, t.n, &c.rows);
    if (r->options->by)
        c.axis = tuning_axis(&t, r->options->by);
    if (!t.timed.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (r->options->by && !c.axis)
        snprintf(why, 256, "the run has no axis %.200s", r->options->by);
    else if (c.rows.count < 3)
        snprintf(why, 256, "fewer than three configurations were timed at the same n");
    else
        ok = true;
    if (ok) {
        qsort_r(c.rows.items, c.rows.count, sizeof *c.rows.items, compare_times, (void *)r);
        if (!c.axis)
            choose_axis(&c);
        axis_values_find(&t, c.axis, &c.rows, &c.values);
        c.share = tuning_explained(&t, c.axis, &c.rows, &c.values, true);
        write_picture(&c, p);
        axis_values_free(&c.values);
    }
    free(c.colors);
    vec_free(&c.rows);
    tuning_free(&t);
    return ok;
}
