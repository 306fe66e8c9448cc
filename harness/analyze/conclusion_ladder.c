/*
 * Adds the ladder of a run without a clock (conclusion.h). The table has a row for each kernel, in
 * the order of kernels/index.txt. The row shows which count the step to this kernel changed, and
 * the kernel's time in a recorded run.
 *
 * Each kernel is shown at the largest n, with its largest block and unroll factor. All rows have
 * the type and the operation of the run's first row that has counts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/conclusion.h"
#include "analyze/results_columns.h"
#include "analyze/steps.h"
#include "base/memory.h"

enum { KERNELS_SHOWN = 60, METRICS_SHOWN = 5 };

struct rung {
    const char *kernel;
    const struct kernel_step *step; /* the step to this kernel, or NULL */
    uint32_t row;
    uint32_t recorded; /* the kernel's fastest row in the recorded run, or ROW_NONE */
    size_t place;
};

struct ladder {
    const struct results *results;
    const struct conclusion_sources *sources;
    const struct column *n, *backend, *recorded_n, *recorded_time;
    VEC(struct rung) rungs;
    double largest, recorded_largest; /* the largest n in each run */
};

/*
 * Returns whether to use a row: its result must be right, and it must come from the run's own
 * device.
 */
static bool counts(const struct ladder *l, size_t row)
{
    return results_good(l->results, row) &&
           strcmp(column_text(l->backend, row), results_backend(l->results)) == 0;
}

static bool same_work(const struct results *a, size_t row, const struct results *b, size_t other)
{
    return strcmp(results_axis(a, row, AXIS_type), results_axis(b, other, AXIS_type)) == 0 &&
           strcmp(results_axis(a, row, AXIS_op), results_axis(b, other, AXIS_op)) == 0;
}

static int compare_rungs(const void *a, const void *b)
{
    const struct rung *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return strcmp(x->kernel, y->kernel);
}

static void choose_rows(struct ladder *l)
{
    const struct results *r = l->results;
    struct numbering kernels = {0};
    for (size_t row = 0; row < r->rows.row_count; row++)
        if (counts(l, row))
            l->largest = fmax(l->largest, column_number(l->n, row));
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!counts(l, row) || column_number(l->n, row) != l->largest ||
            (l->rungs.count && !same_work(r, row, r, l->rungs.items[0].row)))
            continue;
        const char *kernel = results_axis(r, row, AXIS_kernel);
        size_t at = numbering_add(&kernels, kernel);
        if (at == l->rungs.count)
            vec_push(&l->rungs, (struct rung){kernel, NULL, (uint32_t)row, ROW_NONE,
                                              step_rung(&l->sources->ladder, kernel)});
        else if (at < l->rungs.count && results_larger_setting(r, row, l->rungs.items[at].row))
            l->rungs.items[at].row = (uint32_t)row;
    }
    numbering_free(&kernels);
    if (l->rungs.count)
        qsort(l->rungs.items, l->rungs.count, sizeof *l->rungs.items, compare_rungs);
}

static bool is_recorded(const struct ladder *l, size_t row)
{
    return results_ok(&l->sources->recorded, row) && !isnan(column_number(l->recorded_time, row)) &&
           same_work(l->results, l->rungs.items[0].row, &l->sources->recorded, row);
}

/*
 * Finds each kernel's fastest row in the recorded run, at the n that the table shows or, if the
 * recorded run lacks this n, at the recorded run's largest n.
 */
static void find_recorded(struct ladder *l)
{
    const struct results *r = &l->sources->recorded;
    bool same = false;
    for (size_t row = 0; row < r->rows.row_count; row++) {
        double n = column_number(l->recorded_n, row);
        if (!is_recorded(l, row))
            continue;
        same = same || n == l->largest;
        l->recorded_largest = fmax(l->recorded_largest, n);
    }
    l->recorded_largest = same ? l->largest : l->recorded_largest;
    for (size_t row = 0; row < r->rows.row_count; row++)
        for (size_t i = 0; i < l->rungs.count; i++) {
            struct rung *rung = &l->rungs.items[i];
            if (is_recorded(l, row) && column_number(l->recorded_n, row) == l->recorded_largest &&
                strcmp(results_axis(r, row, AXIS_kernel), rung->kernel) == 0 &&
                (rung->recorded == ROW_NONE || column_number(l->recorded_time, row) <
                                                   column_number(l->recorded_time, rung->recorded)))
                rung->recorded = (uint32_t)row;
        }
}

static const struct rung *rung_of(const struct ladder *l, const char *kernel)
{
    for (size_t i = 0; i < l->rungs.count; i++)
        if (strcmp(l->rungs.items[i].kernel, kernel) == 0)
            return &l->rungs.items[i];
    return NULL;
}

static bool has_rung(const void *ladder, const char *kernel)
{
    return rung_of(ladder, kernel) != NULL;
}

static void find_steps(struct ladder *l)
{
    for (size_t i = 0; i < l->rungs.count; i++)
        l->rungs.items[i].step =
            step_to(&l->sources->ladder, l->rungs.items[i].kernel, has_rung, l);
}

/*
 * Returns a string such as "gld_transactions 1.05M → 272k, ÷ 3.84", which the table owns. `above`
 * is the kernel in the row above. If the step starts from another kernel, the string ends with
 * "(from KERNEL)".
 */
static const char *changed(const struct ladder *l, const struct rung *rung, const char *above,
                           struct table *t)
{
    struct text out = {0};
    if (!rung->step)
        return "";
    struct step_change change =
        step_change_of(l->results, rung->step, rung_of(l, rung->step->from)->row, rung->row);
    step_append_values(&change, &out);
    if (strcmp(rung->step->from, above) != 0)
        text_append(&out, "%s(from %s)", out.length ? " " : "", rung->step->from);
    return out.bytes ? table_keep(t, out.bytes) : "";
}

static const char *setting(const struct ladder *l, const struct rung *rung, struct table *t)
{
    struct text out = {0};
    results_setting(l->results, rung->row, &out);
    return out.bytes ? table_keep(t, out.bytes) : "";
}

static void add_counts(const struct ladder *l, const uint32_t *rows, struct table *t)
{
    const struct results *r = l->results;
    size_t added = 0;
    for (size_t i = 0; i < r->rows.columns.count && added < METRICS_SHOWN; i++)
        if (r->columns[i].role == ROLE_METRIC && !*r->columns[i].missing) {
            table_show(t, *r->rows.columns.items[i], r->rows.columns.items[i], rows);
            added++;
        }
}

static void add_columns(const struct ladder *l, struct table *t)
{
    const struct rung *of = l->rungs.items;
    uint32_t *rows = xmalloc((t->row_count + 1) * sizeof *rows);
    for (size_t i = 0; i < t->row_count; i++)
        rows[i] = of[i].row;
    table_keep(t, rows);
    table_add_texts(t, i, of[i].kernel, "kernel", .rank = RANK_KEY);
    if (l->sources->has_recorded)
        table_add_numbers(t, i, column_number(l->recorded_time, of[i].recorded), "recorded_time_us",
                          .heading = "recorded µs", .kind = COLUMN_NUMBER, .digits = RESULTS_DIGITS,
                          .optional = true);
    table_add_texts(t, i, changed(l, &of[i], i > 0 ? of[i - 1].kernel : "", t), "step",
                    .heading = "its step changed", .optional = true, .wraps = true);
    table_add_texts(t, i, of[i].step ? of[i].step->from : "", "from", .audience = FOR_PROGRAMS);
    add_counts(l, rows, t);
    table_add_texts(t, i, setting(l, &of[i], t), "setting");
}

/*
 * Returns whether people see the column with this name. A column in which no cell has a value is
 * hidden.
 */
static bool shows(const struct view_table *t, const char *name)
{
    bool *shown = view_shown_columns(t, FOR_PEOPLE), any = false;
    for (size_t i = 0; i < t->cells.columns.count; i++)
        any = any || (shown[i] && strcmp(t->cells.columns.items[i]->name, name) == 0);
    free(shown);
    return any;
}

static void add_table(const struct ladder *l, struct view *v)
{
    size_t count = l->rungs.count, shown = count < KERNELS_SHOWN ? count : KERNELS_SHOWN;
    char n[SHOWN_SIZE], recorded_n[SHOWN_SIZE];
    struct view_table *t = view_add_table(v, "ladder", FOR_ALL, shown);
    show_size(l->largest, n);
    show_size(l->recorded_largest, recorded_n);
    view_table_title(t, "The ladder: counts on %s, %s %s, n = %s (the device has no clock)",
                     results_device(l->results),
                     results_axis(l->results, l->rungs.items[0].row, AXIS_type),
                     results_axis(l->results, l->rungs.items[0].row, AXIS_op), n);
    add_columns(l, &t->cells);
    if (shows(t, "step"))
        view_table_note(t, "its step changed: a count before and after the step to this kernel, "
                           "which starts from the kernel above or from the named kernel");
    if (shows(t, "recorded_time_us"))
        view_table_note(
            t, "recorded µs: the time of the fastest setting on an %s at n = %s, from another run",
            results_device(&l->sources->recorded), recorded_n);
    if (shown < count)
        view_table_note(t, "redsweep show also prints %zu more kernel%s", count - shown,
                        count - shown == 1 ? "" : "s");
}

bool conclusion_add_ladder(const struct results *r, const struct conclusion_sources *s,
                           struct view *v)
{
    struct ladder l = {.results = r,
                       .sources = s,
                       .n = r->known.axes[AXIS_n],
                       .backend = r->known.backend,
                       .recorded_n = s->recorded.known.axes[AXIS_n],
                       .recorded_time = s->recorded.known.time_us_median};
    choose_rows(&l);
    if (l.rungs.count && s->has_recorded)
        find_recorded(&l);
    find_steps(&l);
    bool any = l.rungs.count > 0;
    if (any)
        add_table(&l, v);
    vec_free(&l.rungs);
    return any;
}
