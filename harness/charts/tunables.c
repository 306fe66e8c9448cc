/*
 * The chart `tunables` shows, for each value of each tunable, how the times of all configurations
 * with this value are distributed. Each time is divided by the fastest time of its kernel. A kernel
 * with only one value of a tunable does not appear in the panel of that tunable.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/tuning.h"

CHART(120, tunables, ONE, OF_A_SIZE, "", make_tunables,
      "For each value of each tunable: the times of all configurations with this value, relative "
      "to the fastest time of their kernel.")

struct tunables {
    const struct tuning *tuning;
    row_list rows;      /* the rows at one n */
    VEC(char *) labels; /* the names of the values, for one panel after another */
    VEC(const char *) names, shares;
    VEC(double) first, last; /* the places of each panel's values, from 1 */
    double high;
    struct text words; /* what the values of tunables mean, such as "; policy: 0 through L1, 1 …" */
};

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns a quantile of a sorted list, linearly interpolated. */
static double quantile(const double *list, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return list[low] + (at - (double)low) * (list[high] - list[low]);
}

/* Returns, for each row, whether its kernel has several values of the axis. */
static bool *find_varying(const struct tunables *u, const struct axis_values *values)
{
    const struct tuning *t = u->tuning;
    struct axis_values kernels;
    axis_values_find(t, t->rows->kernel, &u->rows, &kernels);
    uint32_t *first = xcalloc(kernels.count + 1, sizeof *first);
    bool *several = xcalloc(kernels.count + 1, sizeof *several);
    bool *varying = xcalloc(u->rows.count + 1, sizeof *varying);
    for (size_t i = 0; i < kernels.count; i++)
        first[i] = ROW_NONE;
    for (size_t i = 0; i < u->rows.count; i++) {
        uint32_t kernel = kernels.places[i], value = values->places[i];
        if (value == ROW_NONE)
            continue;
        several[kernel] = several[kernel] || (first[kernel] != ROW_NONE && first[kernel] != value);
        first[kernel] = value;
    }
    for (size_t i = 0; i < u->rows.count; i++)
        varying[i] = several[kernels.places[i]];
    axis_values_free(&kernels);
    free(first);
    free(several);
    return varying;
}

struct spread {
    const char *value;
    double counted, low, quarter, median, three, high;
};

/*
 * Returns the distribution of the times with one value of an axis, each divided by the fastest time
 * of its kernel. If there are no such times, `counted` is 0.
 */
static struct spread spread_of(const struct tunables *u, const struct axis_values *values,
                               const bool *varying, size_t value)
{
    VEC(double) list = {0};
    for (size_t i = 0; i < u->rows.count; i++) {
        uint32_t row = u->rows.items[i];
        if (varying[i] && values->places[i] == value)
            vec_push(&list, chart_time(u->tuning->rows, row) / u->tuning->best[row]);
    }
    struct spread s = {.value = values->names[value], .counted = (double)list.count};
    if (list.count) {
        qsort(list.items, list.count, sizeof(double), compare_numbers);
        s.low = list.items[0];
        s.quarter = quantile(list.items, list.count, 0.25);
        s.median = quantile(list.items, list.count, 0.5);
        s.three = quantile(list.items, list.count, 0.75);
        s.high = list.items[list.count - 1];
    }
    vec_free(&list);
    return s;
}

/*
 * Writes the data block of a panel, with one row for each value of the axis. Writes nothing if the
 * axis has only one value.
 */
static void write_panel(struct tunables *u, const struct column *axis, struct picture *p)
{
    const char *name = tuning_name(axis);
    struct axis_values values;
    VEC(struct spread) list = {0};
    axis_values_find(u->tuning, axis, &u->rows, &values);
    bool *varying = find_varying(u, &values);
    for (size_t i = 0; i < values.count; i++) {
        struct spread s = spread_of(u, &values, varying, i);
        if (s.counted > 0)
            vec_push(&list, s);
    }
    if (list.count > 1) {
        double before = (double)u->labels.count;
        struct table t = {.row_count = list.count};
        table_add_texts(&t, i, name, "tunable");
        table_add_texts(&t, i, list.items[i].value, "value");
        table_add_numbers(&t, i, before + (double)i + 1, "place", .kind = COLUMN_COUNT);
        table_add_numbers(&t, i, list.items[i].counted, "configurations", .kind = COLUMN_COUNT);
        table_add_numbers(&t, i, list.items[i].low, "best", .kind = COLUMN_NUMBER);
        table_add_numbers(&t, i, list.items[i].quarter, "quarter", .kind = COLUMN_NUMBER);
        table_add_numbers(&t, i, list.items[i].median, "median", .kind = COLUMN_NUMBER);
        table_add_numbers(&t, i, list.items[i].three, "three_quarters", .kind = COLUMN_NUMBER);
        table_add_numbers(&t, i, list.items[i].high, "worst", .kind = COLUMN_NUMBER);
        picture_block(p, &t);
        table_free(&t);
        for (size_t i = 0; i < list.count; i++) {
            vec_push(&u->labels, xstrdup(list.items[i].value));
            u->high = fmax(u->high, list.items[i].high);
        }
        tuning_append_words(u->tuning, axis, &u->rows, &values, &u->words);
        vec_push(&u->names, name);
        vec_push(&u->shares, xasprintf("%.0f %%", 100 * tuning_explained(u->tuning, axis, &u->rows,
                                                                         &values, false)));
        vec_push(&u->first, before + 1);
        vec_push(&u->last, (double)u->labels.count);
    }
    free(varying);
    vec_free(&list);
    axis_values_free(&values);
}

static void write_picture(const struct tunables *u, struct picture *p)
{
    char n[48];
    layout_size(u->tuning->n, n);
    const char *kernels = u->tuning->rows->options->kernels;
    char *heading = xasprintf("What each tunable costs at n = %s%s%s", n, kernels ? ": " : "",
                              kernels ? kernels : "");
    char *shown = xasprintf("%s; box: the middle half of the configurations with that value, and "
                            "their median; line: from the best (dot) to the worst; below each "
                            "name: the share of the variance that the tunable explains%s",
                            u->tuning->rows->slice, text_shown(&u->words));
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown);
    picture_number(p, "TUNE_PANELS", (double)u->names.count);
    picture_number(p, "TUNE_HIGH", u->high);
    picture_texts(p, "TUNE_NAME", u->names.items, u->names.count);
    picture_texts(p, "TUNE_SHARE", u->shares.items, u->shares.count);
    picture_numbers(p, "TUNE_FIRST", u->first.items, u->first.count);
    picture_numbers(p, "TUNE_LAST", u->last.items, u->last.count);
    picture_texts(p, "TUNE_LABEL", (const char *const *)u->labels.items, u->labels.count);
    free(heading);
    free(shown);
}

static void free_tunables(struct tunables *u)
{
    for (size_t i = 0; i < u->labels.count; i++)
        free(u->labels.items[i]);
    for (size_t i = 0; i < u->shares.count; i++)
        free((char *)u->shares.items[i]);
    vec_free(&u->rows);
    vec_free(&u->labels);
    vec_free(&u->names);
    vec_free(&u->shares);
    vec_free(&u->first);
    vec_free(&u->last);
    text_free(&u->words);
}

bool make_tunables(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct tuning t;
    tuning_find(r, &t);
    struct tunables u = {.tuning = &t};
    if (!isnan(t.n))
        tuning_rows(&t, NULL, t.n, &u.rows);
    for (size_t i = 0; i < t.axes.count; i++)
        write_panel(&u, t.axes.items[i], p);
    bool ok = u.names.count > 0;
    if (ok)
        write_picture(&u, p);
    else
        snprintf(why, 256, "%s",
                 t.timed.count ? "no kernel was timed with more than one value of a tunable"
                               : chart_no_times(r));
    free_tunables(&u);
    tuning_free(&t);
    return ok;
}
