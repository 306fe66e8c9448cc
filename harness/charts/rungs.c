/*
 * The chart `ladder` shows kernels in the order of the ladder (kernels/index.txt), at one block
 * size and unroll factor. Each step of the ladder changes one kernel into another. The chart shows
 * each kernel's time (or a count), how much faster the kernel is than the one that it was made
 * from, and the count that explains this gain (analyze/steps.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/steps.h"
#include "base/memory.h"
#include "charts/bars.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "table/numbering.h"

CHART(60, ladder, ONE, TAKES_Y | TAKES_BY | OF_A_SIZE, "", make_ladder,
      "The ladder: the gain of each step, and the change in the count that explains the gain.")

struct steps {
    const struct chart_rows *rows;
    const struct column *measure; /* the count that the chart shows, or NULL for the time */
    double n, block, unroll;      /* `unroll` is NaN if all unroll factors are shown */
    /* for each row, whether its kernel has blocks, and whether it has unroll factors */
    bool *has_block, *has_unroll;
    /*
     * a row for each kernel (and each unroll factor, if all are shown), in the order of the ladder
     */
    row_list list;
};

static double value_of(const struct steps *s, uint32_t row)
{
    return s->measure ? column_number(s->measure, row) : chart_time(s->rows, row);
}

/* Returns whether the row is of a CPU function, which does not belong to the ladder. */
static bool is_cpu(const struct steps *s, uint32_t row)
{
    return strcmp(column_text(s->rows->backend, row), "cpu") == 0;
}

static bool counts(const struct steps *s, uint32_t row)
{
    return !is_cpu(s, row) && !isnan(value_of(s, row)) &&
           (s->measure || !results_raced(s->rows->run, row));
}

/* ---- The choice of rows ---------------------------------------------------------------------- */

struct kernel_value {
    double value;
    const char *kernel;
};

static int compare_values(const void *a, const void *b)
{
    const struct kernel_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return strcmp(x->kernel, y->kernel);
}

/*
 * Returns how many different values the kernels' counts have, when each kernel is taken at its
 * largest n. A count with few different values would show little, because its bars would be equal.
 */
static size_t count_distinct(const struct chart_rows *r, const struct column *c)
{
    struct numbering kernels = {0};
    VEC(struct kernel_value) list = {0};
    VEC(double) sizes = {0};
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        double n = column_number(r->n, row);
        if (isnan(column_number(c, row)))
            continue;
        const struct kernel_value at = {column_number(c, row), ""};
        size_t known = list.count, kernel = numbering_add(&kernels, column_text(r->kernel, row));
        if (kernel == known) {
            vec_push(&list, at);
            vec_push(&sizes, n);
        } else if (n > sizes.items[kernel]) {
            list.items[kernel] = at;
            sizes.items[kernel] = n;
        }
    }
    size_t distinct = list.count > 0;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_values);
    for (size_t i = 1; i < list.count; i++)
        distinct += list.items[i].value != list.items[i - 1].value;
    numbering_free(&kernels);
    vec_free(&list);
    vec_free(&sizes);
    return distinct;
}

/*
 * Chooses what the chart shows: the first column that --y names. Without --y, it is the time. In
 * runs without times, it is the metric with the most different values.
 */
static bool choose_measure(struct steps *s, char why[256])
{
    const struct results *run = s->rows->run;
    const char *wanted = s->rows->options->y;
    size_t length = wanted ? strcspn(wanted, ",") : 0;
    bool timed = false;
    for (size_t i = 0; i < s->rows->shown.count; i++)
        timed = timed || !isnan(chart_time(s->rows, s->rows->shown.items[i]));
    if (wanted ? strncmp(wanted, "time_us_median", length) == 0 : timed)
        return true;
    for (size_t i = 0, most = 0; i < run->rows.columns.count; i++) {
        const struct column *c = run->rows.columns.items[i];
        if (run->columns[i].role != ROLE_METRIC ||
            (wanted && (strlen(c->name) != length || strncmp(wanted, c->name, length) != 0)))
            continue;
        size_t distinct = count_distinct(s->rows, c);
        if (!s->measure || distinct > most) {
            s->measure = c;
            most = distinct;
        }
    }
    if (!s->measure && wanted)
        snprintf(why, 256, "the run has no metric %.*s", (int)(length < 200 ? length : 200),
                 wanted);
    else if (!s->measure)
        snprintf(why, 256, "%s", chart_no_times(s->rows));
    return s->measure != NULL;
}

/*
 * Returns, for each row, whether its kernel has values above 1 on the axis (block or unroll). A
 * kernel without blocks or unroll factors has the value 1 in all its rows.
 */
static bool *find_having(const struct chart_rows *r, const struct column *axis)
{
    const struct key_column by = {.column = r->kernel};
    struct row_keys keys = {.column_count = 1};
    VEC(bool) kernels = {0};
    bool *having = xcalloc(r->run->rows.row_count + 1, sizeof *having);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->shown.count; i++) {
            uint32_t row = r->shown.items[i], key = row_keys_number(&keys, &by, row);
            if (key == kernels.count)
                vec_push(&kernels, false);
            kernels.items[key] = kernels.items[key] || column_number(axis, row) > 1;
            having[row] = kernels.items[key];
        }
    vec_free(&kernels);
    row_keys_free(&keys);
    return having;
}

/*
 * Returns the value of the axis that the most kernels have. If there are several, returns the
 * largest; if there are no rows, returns NaN. If n is not NaN, considers only rows with this n. If
 * `having` is not NULL, considers only rows for which it is true.
 */
static double most_common(const struct steps *s, const struct column *axis, const bool *having,
                          double n)
{
    VEC(struct kernel_value) list = {0};
    for (size_t i = 0; i < s->rows->shown.count; i++) {
        uint32_t row = s->rows->shown.items[i];
        if (counts(s, row) && (isnan(n) || column_number(s->rows->n, row) == n) &&
            (!having || having[row]))
            vec_push(&list, (struct kernel_value){column_number(axis, row),
                                                  column_text(s->rows->kernel, row)});
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_values);
    double best = NAN;
    size_t most = 0, kernels = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct kernel_value *at = &list.items[i];
        bool new_value = i == 0 || at->value != at[-1].value;
        if (new_value)
            kernels = 0;
        kernels += new_value || strcmp(at->kernel, at[-1].kernel) != 0;
        if (kernels >= most) {
            most = kernels;
            best = at->value;
        }
    }
    vec_free(&list);
    return best;
}

/*
 * Returns the index in the list of a row with the same kernel and unroll factor as `row`, or
 * SIZE_MAX.
 */
static size_t find_same(const struct steps *s, uint32_t row)
{
    for (size_t i = 0; i < s->list.count; i++)
        if (column_same(s->rows->kernel, row, s->list.items[i]) &&
            column_same(s->rows->unroll, row, s->list.items[i]))
            return i;
    return SIZE_MAX;
}

static int compare_steps(const void *a, const void *b, void *context)
{
    const struct steps *s = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const char *kernels[] = {column_text(s->rows->kernel, x), column_text(s->rows->kernel, y)};
    size_t i = step_rung(&s->rows->ladder, kernels[0]), j = step_rung(&s->rows->ladder, kernels[1]);
    if (i != j)
        return i < j ? -1 : 1;
    int order = strcmp(kernels[0], kernels[1]);
    double u = column_number(s->rows->unroll, x), v = column_number(s->rows->unroll, y);
    return order ? order : (u > v) - (u < v);
}

static void find_list(struct steps *s)
{
    for (size_t i = 0; i < s->rows->shown.count; i++) {
        uint32_t row = s->rows->shown.items[i];
        if (!counts(s, row) || column_number(s->rows->n, row) != s->n ||
            (s->has_block[row] && column_number(s->rows->block, row) != s->block) ||
            (s->has_unroll[row] && !isnan(s->unroll) &&
             column_number(s->rows->unroll, row) != s->unroll))
            continue;
        size_t same = find_same(s, row);
        if (same == SIZE_MAX)
            vec_push(&s->list, row);
        else if (value_of(s, row) < value_of(s, s->list.items[same]))
            s->list.items[same] = row;
    }
    if (s->list.count)
        qsort_r(s->list.items, s->list.count, sizeof *s->list.items, compare_steps, s);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/*
 * Returns the row of a kernel that has the same unroll factor as the row `like`. If there is none,
 * returns the kernel's last row, or ROW_NONE if the list does not contain the kernel.
 */
static uint32_t row_of(const struct steps *s, const char *kernel, uint32_t like)
{
    uint32_t found = ROW_NONE;
    for (size_t i = 0; i < s->list.count; i++) {
        uint32_t row = s->list.items[i];
        if (strcmp(column_text(s->rows->kernel, row), kernel) != 0)
            continue;
        if (column_same(s->rows->unroll, row, like))
            return row;
        found = row;
    }
    return found;
}

struct rung {
    const struct steps *steps;
    uint32_t row;
};

static bool has_kernel(const void *context, const char *kernel)
{
    const struct rung *rung = context;
    return row_of(rung->steps, kernel, rung->row) != ROW_NONE;
}

/*
 * Returns the row with which row i is compared, or ROW_NONE if no step leads from a shown kernel to
 * the kernel of row i. If the previous row has the same kernel (with a smaller unroll factor), it
 * is compared with that row. With a larger unroll factor, fewer blocks do the same work, so the
 * count that this step changes is `grid`.
 */
static uint32_t step_of(const struct steps *s, size_t i, struct kernel_step *step)
{
    uint32_t row = s->list.items[i];
    const char *kernel = column_text(s->rows->kernel, row);
    if (i > 0 && column_same(s->rows->kernel, row, s->list.items[i - 1])) {
        *step = (struct kernel_step){kernel, kernel, "grid"};
        return s->list.items[i - 1];
    }
    const struct rung rung = {s, row};
    const struct kernel_step *found = step_to(&s->rows->ladder, kernel, has_kernel, &rung);
    if (!found)
        return ROW_NONE;
    *step = *found;
    return row_of(s, found->from, row);
}

/*
 * Appends the count that a step changes. In a chart of times, does so only if the count explains
 * the gain (analyze/steps.h).
 */
static void append_change(const struct steps *s, const struct kernel_step *step, uint32_t from,
                          uint32_t to, double gain, struct text *out)
{
    if (s->measure && step->count && strcmp(step->count, s->measure->name) == 0)
        return;
    const struct results *run = s->rows->run;
    struct step_change change =
        s->measure ? step_change_of(run, step, from, to) : step_cause(run, step, from, to, gain);
    text_append(out, "%s", change.count ? ": " : "");
    step_append(&change, out);
}

static char *name_of(const struct steps *s, uint32_t row)
{
    struct text t = {0};
    const char *scope = results_axis(s->rows->run, row, AXIS_scope);
    text_append(&t, "%s", column_text(s->rows->kernel, row));
    if (strcmp(scope, s->rows->scope) != 0)
        text_append(&t, " (%s)", scope);
    if (column_number(s->rows->unroll, row) > 1)
        text_append(&t, " × %.0f", column_number(s->rows->unroll, row));
    return t.bytes;
}

/*
 * Appends the kernel of the row `from`, with which `row` is compared. Also appends its unroll
 * factor if the two rows differ in that.
 */
static void append_from(const struct steps *s, uint32_t from, uint32_t row, struct text *out)
{
    const struct chart_rows *r = s->rows;
    bool same = column_same(r->kernel, from, row);
    double unroll = column_number(r->unroll, from);
    text_append(out, "%s", column_text(r->kernel, from));
    if (same || (unroll > 1 && unroll != column_number(r->unroll, row)))
        text_append(out, " × %.0f", unroll);
}

static struct bar bar_of(const struct steps *s, size_t i)
{
    uint32_t row = s->list.items[i];
    struct bar bar = {.name = name_of(s, row),
                      .kernel = column_text(s->rows->kernel, row),
                      .value = value_of(s, row),
                      .varies = s->measure && column_varies(s->measure, row),
                      .low = NAN,
                      .high = NAN};
    bar.text = s->measure ? NULL : layout_figures_text(bar.value);
    if (!s->measure && column_number(s->rows->low, row) > 0) {
        bar.low = column_number(s->rows->low, row);
        bar.high = column_number(s->rows->high, row);
    }
    struct kernel_step step;
    uint32_t from = step_of(s, i, &step);
    if (from == ROW_NONE)
        return bar;
    double before = value_of(s, from);
    bool equal = s->measure && bar.value == before && !bar.varies;
    if (equal)
        bar.gain = xstrdup("=");
    else if (bar.value > 0 && before > 0)
        bar.gain = s->measure ? xasprintf("%s%.2f",
                                          bar.varies || column_varies(s->measure, from) ? "≈" : "",
                                          bar.value / before)
                              : xasprintf("%.2f ×", before / bar.value);
    struct text why = {0};
    append_from(s, from, row, &why);
    if (!equal)
        append_change(s, &step, from, row, before / bar.value, &why);
    bar.why = why.bytes;
    return bar;
}

/*
 * Appends the names of kernels that are missing in this chart because they have no value at its
 * block size and unroll factor.
 */
static void append_left_out(const struct steps *s, struct text *out)
{
    enum { MOST_NAMED = 8 };
    const struct chart_rows *r = s->rows;
    struct numbering seen = {0};
    VEC(const char *) names = {0};
    for (size_t i = 0; i < s->list.count; i++)
        numbering_add(&seen, column_text(r->kernel, s->list.items[i]));
    for (size_t i = 0; i < r->shown.count; i++) {
        const char *kernel = column_text(r->kernel, r->shown.items[i]);
        size_t known = seen.texts.count;
        if (!is_cpu(s, r->shown.items[i]) && numbering_add(&seen, kernel) == known)
            vec_push(&names, kernel);
    }
    if (names.count)
        ladder_sort(&r->ladder, names.items, names.count);
    for (size_t i = 0; i < names.count && i < MOST_NAMED; i++)
        text_append(out, "%s%s",
                    i ? ", " : "; left out (no value at this setting): ", names.items[i]);
    if (names.count > MOST_NAMED)
        text_append(out, " and %zu more", names.count - MOST_NAMED);
    vec_free(&names);
    numbering_free(&seen);
}

/* Returns the line below the heading, which the caller frees. */
static char *subtitle(const struct steps *s, bool any_gain, bool intervals)
{
    struct text shown = {0};
    text_append(&shown, "%s, %.0f threads per block", s->rows->slice, s->block);
    if (!isnan(s->unroll))
        text_append(&shown, ", unroll factor %.0f (of kernels that unroll)", s->unroll);
    else
        text_append(&shown, "; ×: the unroll factor");
    if (any_gain && s->measure)
        text_append(&shown,
                    "; on the right: the ratio of each kernel's %s to that of the kernel that it "
                    "modifies, and the other count that this step changes",
                    s->measure->name);
    else if (any_gain)
        text_append(&shown, "; on the right: each kernel's speedup over the kernel that it "
                            "modifies, and the count that this step changes");
    text_append(&shown, "%s", intervals ? "; error bars: 95 % intervals" : "");
    append_left_out(s, &shown);
    return shown.bytes;
}

static void write_picture(const struct steps *s, struct picture *p)
{
    const struct chart_rows *r = s->rows;
    bar_list list = {0};
    bool intervals = true, any = false;
    char n[48];
    for (size_t i = 0; i < s->list.count; i++) {
        struct bar bar = bar_of(s, i);
        intervals = intervals && !isnan(bar.low);
        any = any || bar.gain;
        vec_push(&list, bar);
    }
    layout_size(s->n, n);
    char *heading = xasprintf("The ladder at n = %s", n);
    char *shown = subtitle(s, any, intervals);
    const char *unit = s->measure && s->measure->unit ? s->measure->unit : "";
    char *axis = s->measure ? xasprintf("%s%s%s%s", s->measure->name, *unit ? " (" : "", unit,
                                        *unit ? ")" : "")
                            : xstrdup("time, median (µs)");
    char *gains = s->measure ? xasprintf("ratio of %s", s->measure->name) : xstrdup("speedup");
    const struct bars bars = {.list = list,
                              .heading = heading,
                              .shown = shown,
                              .axis = axis,
                              .line = NAN,
                              .gains = any ? gains : NULL,
                              .whys = any ? "over, and what changed" : NULL};
    bars_make(r, &bars, p);
    bars_free(&list);
    free(shown);
    free(gains);
    free(heading);
    free(axis);
}

bool make_ladder(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct steps s = {.rows = r, .unroll = NAN};
    bool ok = choose_measure(&s, why);
    if (ok) {
        bool every = r->options->by && strcmp(r->options->by, "unroll") == 0;
        s.has_block = find_having(r, r->block);
        s.has_unroll = find_having(r, r->unroll);
        s.n = most_common(&s, r->n, NULL, NAN);
        s.block = most_common(&s, r->block, s.has_block, s.n);
        s.unroll = every ? NAN : most_common(&s, r->unroll, s.has_unroll, s.n);
        find_list(&s);
        ok = s.list.count > 1;
        if (!ok)
            snprintf(why, 256, "fewer than two kernels have a value at the same block size");
    }
    if (ok)
        write_picture(&s, p);
    vec_free(&s.list);
    free(s.has_block);
    free(s.has_unroll);
    return ok;
}
