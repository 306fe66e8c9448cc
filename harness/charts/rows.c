/* Implements rows.h. */
#include "charts/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/text.h"
#include "table/numbering.h"

/* ---- The request ----------------------------------------------------------------------------- */

/* Adds the run's columns to the table, and a column with the role of each row's kernel. */
static void show_columns(const struct results *run, struct table *t)
{
    t->row_count = run->rows.row_count;
    for (size_t i = 0; i < run->rows.columns.count; i++) {
        const struct column *c = run->rows.columns.items[i];
        const struct column like = {.name = c->name, .alias = c->alias, .kind = c->kind};
        table_show(t, like, c, NULL);
    }
    if (table_column(&run->rows, "role") >= 0)
        return;
    struct column *roles = table_add(t, (struct column){.name = "role"});
    for (size_t row = 0; row < t->row_count; row++) {
        enum role_kind kind = results_kernel(run, row)->role.kind;
        column_set_text(roles, row, kind == ROLE_LIMIT ? "limit" : role_names[kind]);
    }
}

static bool filter(const struct results *run, const char *where, row_list *out, struct error *e)
{
    struct expr *x = NULL;
    struct table t = {0};
    show_columns(run, &t);
    bool ok = (!where || expr_parse(where, &x, e)) && table_filter(&t, x, out, e);
    expr_free(x);
    table_free(&t);
    return ok || error_prefix(e, "--where");
}

/* Returns whether a name matches an entry of a comma-separated list of names and globs. */
static bool is_listed(const char *list, const char *name)
{
    bool found = !list;
    char *copy = xstrdup(list ? list : ""), *rest = NULL;
    for (char *word = strtok_r(copy, ", ", &rest); word && !found;
         word = strtok_r(NULL, ", ", &rest))
        found = text_glob_match(word, name);
    free(copy);
    return found;
}

bool chart_rows_asked(const struct results *run, const struct chart_options *options, bool **out,
                      struct error *e)
{
    row_list rows = {0};
    const struct column *n = table_find(&run->rows, "n");
    bool any = !options->kernels || !run->rows.row_count,
         ok = filter(run, options->where, &rows, e);
    *out = xcalloc(run->rows.row_count + 1, sizeof **out);
    for (size_t row = 0; ok && row < run->rows.row_count && !any; row++)
        any = is_listed(options->kernels, results_axis(run, row, AXIS_kernel));
    if (ok && !any)
        ok = FAIL(e, ERROR_USAGE, "--kernels: no kernel matches %s in %s", options->kernels,
                  run->path);
    for (size_t i = 0; ok && i < rows.count; i++)
        (*out)[rows.items[i]] =
            results_good(run, rows.items[i]) &&
            is_listed(options->kernels, results_axis(run, rows.items[i], AXIS_kernel)) &&
            (options->size <= 0 || column_number(n, rows.items[i]) == options->size);
    vec_free(&rows);
    if (!ok)
        free(*out);
    return ok;
}

/* ---- One slice ------------------------------------------------------------------------------- */

/*
 * Returns whether a row's kernel is a reduction or a peer. Kernels with other roles are shown in
 * separate charts.
 */
static bool reduces(const struct results *r, uint32_t row)
{
    enum role_kind kind = results_kernel(r, row)->role.kind;
    return kind == ROLE_REDUCTION || kind == ROLE_PEER;
}

/* Returns whether the axis is a run-time axis (base/axes.h) of this run. */
static bool is_further(const struct results *r, enum axis_index axis)
{
    return axis_is_run_time(axis) && results_has_axis(r, axis);
}

static char *slice_of(const struct results *r, uint32_t row)
{
    struct text t = {0};
    const char *cache = results_axis(r, row, AXIS_cache);
    text_append(&t, "%s %s%s%s", results_axis(r, row, AXIS_type), results_axis(r, row, AXIS_op),
                *cache ? ", " : "", cache);
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_further(r, i))
            text_append(&t, ", %s %s", axis_table[i].name, results_axis(r, row, i));
    return t.bytes;
}

struct slices {
    struct numbering names;
    VEC(double) weights;
    uint32_t *of; /* for each requested row, the index of its slice */
    /* if there are several runs, for each slice, the run of the latest row that was added */
    VEC(uint32_t) last_run;
};

/*
 * Returns the weight that a row adds to its slice if it is the slice's first row in its run, and
 * otherwise 0. The weight is so large that the slice that occurs in the most runs wins, whatever
 * the number of points.
 */
static double run_weight(const struct chart_rows *c, struct slices *s, size_t slice, uint32_t row)
{
    if (slice == s->last_run.count)
        vec_push(&s->last_run, ROW_NONE);
    if (!c->run_column || s->last_run.items[slice] == c->run_column->codes[row])
        return 0;
    s->last_run.items[slice] = c->run_column->codes[row];
    return 1e12;
}

/*
 * Returns the slice with the largest weight, the sum of its rows' weights. A row with a time weighs
 * far more than a row without one.
 */
static size_t heaviest_slice(struct chart_rows *c, const bool *asked, bool others, struct slices *s)
{
    const struct results *r = c->run;
    size_t best = NUMBERING_NONE;
    s->of = xcalloc(r->rows.row_count + 1, sizeof *s->of);
    for (uint32_t row = 0; row < r->rows.row_count; row++) {
        if (!asked[row])
            continue;
        char *name = slice_of(r, row);
        size_t slice = numbering_add(&s->names, name);
        free(name);
        s->of[row] = (uint32_t)slice;
        if (slice == s->weights.count)
            vec_push(&s->weights, 0.0);
        if (reduces(r, row) == others)
            continue;
        s->weights.items[slice] +=
            (isnan(chart_time(c, row)) ? 1 : 1e6) + run_weight(c, s, slice, row);
        if (best == NUMBERING_NONE || s->weights.items[slice] > s->weights.items[best])
            best = slice;
    }
    return best;
}

static void name_others(struct chart_rows *c, const struct slices *s, size_t shown)
{
    enum { MOST = 6 };
    struct text t = {0};
    size_t count = 0;
    for (size_t i = 0; i < s->names.texts.count; i++)
        if (i != shown && s->weights.items[i] > 0 && ++count <= MOST)
            text_append(&t, "%s%s", t.length ? "; " : "", s->names.texts.items[i]);
    if (count > MOST)
        text_append(&t, " and %zu more", count - MOST);
    c->others = t.bytes ? t.bytes : xstrdup("");
}

/*
 * Returns the scope that most kernels have, and drops the rows of these kernels that have the other
 * scope. The rows of kernels that have only the other scope are kept: a kernel that reduces to one
 * scalar, for example, has only the scope `complete` and is shown next to kernels with the scope
 * `kernel`.
 */
static const char *choose_scope(struct chart_rows *c)
{
    static const char *const scopes[] = {"kernel", "complete"};
    struct numbering kernels[2] = {0};
    for (size_t i = 0; i < c->shown.count; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(results_axis(c->run, c->shown.items[i], AXIS_scope), scopes[k]) == 0)
                numbering_add(&kernels[k], column_text(c->kernel, c->shown.items[i]));
    int most = kernels[1].texts.count > kernels[0].texts.count;
    size_t kept = 0;
    for (size_t i = 0; i < c->shown.count; i++) {
        uint32_t row = c->shown.items[i];
        bool is = strcmp(results_axis(c->run, row, AXIS_scope), scopes[most]) == 0;
        if (is || numbering_find(&kernels[most], column_text(c->kernel, row)) == NUMBERING_NONE)
            c->shown.items[kept++] = row;
    }
    c->shown.count = kept;
    numbering_free(&kernels[0]);
    numbering_free(&kernels[1]);
    return scopes[most];
}

/*
 * Returns whether a row's kernel reads its whole input, so that its bandwidth is a limit for other
 * kernels that read their whole input.
 */
static bool reads_all(const struct results *r, uint32_t row)
{
    const char *kernel = results_axis(r, row, AXIS_kernel);
    return reduces(r, row) || strcmp(results_workload(r, kernel), "read") == 0;
}

bool chart_same_slice(const struct results *run, uint32_t a, uint32_t b)
{
    bool same = strcmp(results_axis(run, a, AXIS_type), results_axis(run, b, AXIS_type)) == 0 &&
                strcmp(results_axis(run, a, AXIS_op), results_axis(run, b, AXIS_op)) == 0;
    for (enum axis_index i = 0; same && i < AXIS_COUNT; i++)
        same = !is_further(run, i) || strcmp(results_axis(run, a, i), results_axis(run, b, i)) == 0;
    return same;
}

/* Returns whether two rows read the same bytes. Their operations may differ. */
static bool same_bytes(const struct results *r, uint32_t a, uint32_t b)
{
    bool same = strcmp(results_axis(r, a, AXIS_type), results_axis(r, b, AXIS_type)) == 0 &&
                strcmp(results_axis(r, a, AXIS_cache), results_axis(r, b, AXIS_cache)) == 0;
    for (enum axis_index i = 0; same && i < AXIS_COUNT; i++)
        same = !is_further(r, i) || strcmp(results_axis(r, a, i), results_axis(r, b, i)) == 0;
    return same;
}

/*
 * Finds the rows whose bandwidths are limits for the shown rows. They need not be among the
 * requested rows.
 */
static void find_limits(struct chart_rows *c)
{
    for (uint32_t row = 0; c->shown.count && row < c->run->rows.row_count; row++)
        if (results_good(c->run, row) && reads_all(c->run, row) && !results_raced(c->run, row) &&
            strcmp(column_text(c->backend, row), "cpu") != 0 &&
            same_bytes(c->run, row, c->shown.items[0]))
            vec_push(&c->limits, row);
}

static void choose_rows(struct chart_rows *c, const bool *asked, bool others)
{
    const struct results *r = c->run;
    struct slices s = {0};
    bool any[2] = {false, false};
    for (uint32_t row = 0; row < r->rows.row_count; row++)
        if (asked[row])
            any[reduces(r, row) ? 0 : 1] = true;
    others = any[1] && (others || !any[0]);
    c->has_others = any[1] && !others;
    c->are_others = others && any[0];
    size_t slice = heaviest_slice(c, asked, others, &s);
    if (c->options->slice)
        slice = numbering_find(&s.names, c->options->slice);
    for (uint32_t row = 0; row < r->rows.row_count; row++) {
        c->asked += asked[row];
        c->unresolved += asked[row] && !c->clockless && results_unresolved(r, row) &&
                         !isnan(column_number(c->time, row));
        if (asked[row] && s.of[row] == slice && reduces(r, row) != others)
            vec_push(&c->shown, row);
    }
    name_others(c, &s, slice);
    if (slice != NUMBERING_NONE) {
        const char *scope = choose_scope(c);
        c->scope = scope;
        c->slice = xasprintf("%s, scope %s", s.names.texts.items[slice], scope);
    } else {
        c->slice = xstrdup("");
    }
    if (!others && !c->run_column)
        find_limits(c);
    numbering_free(&s.names);
    vec_free(&s.weights);
    vec_free(&s.last_run);
    free(s.of);
}

void chart_slices(const struct chart_rows *rows, slice_list *out)
{
    struct chart_rows c = *rows;
    struct slices s = {0};
    heaviest_slice(&c, rows->asked_rows, false, &s);
    for (size_t k = 0; k < s.names.texts.count; k++) {
        size_t best = NUMBERING_NONE;
        for (size_t i = 0; i < s.names.texts.count; i++)
            if (s.weights.items[i] > 0 &&
                (best == NUMBERING_NONE || s.weights.items[i] > s.weights.items[best]))
                best = i;
        if (best == NUMBERING_NONE)
            break;
        s.weights.items[best] = 0;
        vec_push(out, xstrdup(s.names.texts.items[best]));
    }
    numbering_free(&s.names);
    vec_free(&s.weights);
    vec_free(&s.last_run);
    free(s.of);
}

/* ---- The device ------------------------------------------------------------------------------ */

static char *device_name(const struct chart_rows *c, uint32_t row, size_t cards)
{
    struct text t = {0};
    text_append(&t, "%s", column_text(c->run->known.device, row));
    if (*column_text(c->backend, row))
        text_append(&t, " (%s)", column_text(c->backend, row));
    if (cards > 1)
        text_append(&t, ", %zu cards", cards);
    return t.bytes;
}

/*
 * Sets the names of the run's device and of the device whose times are shown. In a run of the
 * simulator, both are the simulator.
 */
static void name_devices(struct chart_rows *c)
{
    uint32_t device = ROW_NONE, timed = ROW_NONE;
    struct numbering cards = {0};
    for (uint32_t row = 0; row < c->run->rows.row_count; row++) {
        bool cpu = strcmp(column_text(c->backend, row), "cpu") == 0;
        if (!results_good(c->run, row))
            continue;
        if (device == ROW_NONE || (!cpu && strcmp(column_text(c->backend, device), "cpu") == 0))
            device = row;
        if (isnan(column_number(c->time, row)))
            continue;
        if (timed == ROW_NONE || (!cpu && strcmp(column_text(c->backend, timed), "cpu") == 0))
            timed = row;
        if (!cpu && *column_text(c->card, row))
            numbering_add(&cards, column_text(c->card, row));
    }
    c->clockless = device != ROW_NONE && strcmp(column_text(c->backend, device), "sim") == 0;
    if (c->clockless)
        timed = ROW_NONE;
    c->device = device == ROW_NONE ? xstrdup("") : device_name(c, device, 0);
    c->timed_device =
        timed == ROW_NONE ? xstrdup(c->device) : device_name(c, timed, cards.texts.count);
    numbering_free(&cards);
}

/* Sets `device` to the names of all runs' devices, without repetitions. */
static void name_all_devices(struct chart_rows *c)
{
    struct numbering devices = {0};
    struct text t = {0};
    const struct numbering *runs = c->run_column->texts;
    for (size_t i = 0; i < runs->texts.count; i++) {
        uint32_t device = ROW_NONE;
        for (uint32_t row = 0; row < c->run->rows.row_count; row++)
            if (c->run_column->codes[row] == i && results_good(c->run, row) &&
                (device == ROW_NONE || strcmp(column_text(c->backend, device), "cpu") == 0))
                device = row;
        char *name = device == ROW_NONE ? xstrdup("") : device_name(c, device, 0);
        size_t known = devices.texts.count;
        if (*name && numbering_add(&devices, name) == known)
            text_append(&t, "%s%s", t.length ? "  ·  " : "", name);
        free(name);
    }
    numbering_free(&devices);
    c->device = t.bytes ? t.bytes : xstrdup("");
    c->timed_device = xstrdup(c->device);
}

/*
 * Finds the peak bandwidth of the datasheet: a row's bandwidth divided by its peak_pct. For several
 * runs, sets it only if it is the same in all of them.
 */
static void find_peak(struct chart_rows *c)
{
    const struct column *share = table_find(&c->run->rows, "peak_pct");
    size_t count = c->run_column ? c->run_column->texts->texts.count : 1;
    double *peaks = xcalloc(count + 1, sizeof *peaks);
    for (uint32_t row = 0; row < c->run->rows.row_count; row++) {
        double gbs = column_number(c->gbs, row), percent = column_number(share, row);
        if (results_good(c->run, row) && gbs > 0 && percent > 0 && !isnan(chart_time(c, row)))
            peaks[c->run_column ? c->run_column->codes[row] : 0] = gbs / percent * 100;
    }
    /* The column's strings include "", which is not a run. */
    size_t first = c->run_column ? 1 : 0;
    c->peak = count > first ? peaks[first] : 0;
    for (size_t i = first + 1; i < count; i++)
        if (fabs(peaks[i] - peaks[first]) > 0.001 * peaks[first])
            c->peak = 0;
    free(peaks);
}

bool chart_rows_choose(const struct results *run, const struct chart_options *options, bool others,
                       struct chart_rows *out, struct error *e)
{
    const struct table *t = &run->rows;
    *out = (struct chart_rows){.run = run,
                               .options = options,
                               .kernel = table_find(t, "kernel"),
                               .n = table_find(t, "n"),
                               .block = table_find(t, "block"),
                               .unroll = table_find(t, "unroll"),
                               .time = table_find(t, "time_us_median"),
                               .low = table_find(t, "time_us_ci95_lo"),
                               .high = table_find(t, "time_us_ci95_hi"),
                               .gbs = table_find(t, "bandwidth_gbs"),
                               .card = table_find(t, "device_uuid"),
                               .backend = table_find(t, "backend"),
                               .run_column = options->several ? table_find(t, "run") : NULL};
    bool *asked;
    char *kernels = xasprintf("%s/kernels", options->data);
    bool read = kernel_index_read(kernels, &out->ladder, e);
    free(kernels);
    if (!read)
        return false;
    if (!chart_rows_asked(run, options, &asked, e)) {
        kernel_index_free(&out->ladder);
        return false;
    }
    if (out->run_column)
        name_all_devices(out);
    else
        name_devices(out);
    find_peak(out);
    choose_rows(out, asked, others);
    out->asked_rows = asked;
    return true;
}

void chart_rows_free(struct chart_rows *r)
{
    kernel_index_free(&r->ladder);
    free(r->asked_rows);
    vec_free(&r->shown);
    vec_free(&r->limits);
    free(r->slice);
    free(r->others);
    free(r->device);
    free(r->timed_device);
}

double chart_time(const struct chart_rows *r, uint32_t row)
{
    return r->clockless || results_unresolved(r->run, row) ? NAN : column_number(r->time, row);
}

static double square(double x)
{
    return x * x;
}

void chart_ratio_ends(const struct chart_rows *r, uint32_t slow, uint32_t fast, double *low,
                      double *high)
{
    double slow_low = column_number(r->low, slow), fast_low = column_number(r->low, fast);
    *low = *high = NAN;
    if (!(slow_low > 0) || !(fast_low > 0))
        return;
    double a = chart_time(r, slow), b = chart_time(r, fast);
    double slow_up = column_number(r->high, slow) / a, slow_down = a / slow_low;
    double fast_up = column_number(r->high, fast) / b, fast_down = b / fast_low;
    *low = a / b * exp(-sqrt(square(log(slow_down)) + square(log(fast_up))));
    *high = a / b * exp(sqrt(square(log(slow_up)) + square(log(fast_down))));
}

void chart_setting(const struct chart_rows *r, uint32_t row, struct text *out)
{
    const struct results *run = r->run;
    text_append(out, "%.0f", column_number(r->block, row));
    if (column_number(r->unroll, row) > 1)
        text_append(out, " × %.0f", column_number(r->unroll, row));
    for (size_t i = 0; i < run->rows.columns.count; i++) {
        const struct column *c = run->rows.columns.items[i];
        if (run->columns[i].role != ROLE_TUNABLE || column_is_missing(c, row))
            continue;
        text_append(out, ", %s ", tunable_name(c->name));
        column_append(c, row, out);
    }
}

void chart_add_settings(const struct chart_rows *r, const uint32_t *rows, struct table *t)
{
    struct column *settings = table_add(t, (struct column){.name = "setting"});
    struct text setting = {0};
    for (size_t i = 0; i < t->row_count; i++) {
        setting.length = 0;
        chart_setting(r, rows[i], &setting);
        column_set_text(settings, i, setting.bytes);
    }
    text_free(&setting);
}

const char *chart_no_times(const struct chart_rows *r)
{
    if (r->run_column)
        return r->asked ? "the runs have no times"
                        : "none of the selected rows has a correct result";
    if (!r->run->rows.row_count)
        return "the run has no rows";
    if (!r->asked)
        return r->options->where || r->options->kernels
                   ? "none of the selected rows has a correct result"
                   : "no row has the status ok";
    if (r->unresolved)
        return "the run has no times above the clock's resolution";
    return r->clockless ? "the run has no times (the simulator counts, but does not time)"
                        : "the run has no times";
}

bool chart_reads_in_bulk(const struct chart_rows *r, uint32_t row, double sectors)
{
    enum element_type type = TYPE_INT32;
    (void)element_type_find(results_axis(r->run, row, AXIS_type), &type);
    return sectors < column_number(r->n, row) * element_size(type) / 32 / 100;
}
