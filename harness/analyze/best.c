/* Implements best.h, which states the rules. */
#include "analyze/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/adjust.h"
#include "analyze/match.h"
#include "analyze/results_columns.h"
#include "table/numbering.h"

static const double FALSE_DISCOVERIES = 0.05;

/*
 * How a row takes part in the comparison. Entries of a problem are sorted in this order. EXCLUDED
 * rows were measured by the harness for its own purposes.
 */
enum standing { COMPETES, REFERENCE, LIMIT, EXCLUDED };

static enum standing standing_of(const struct results *r, size_t row)
{
    static const enum standing standings[ROLE_COUNT] = {[ROLE_REDUCTION] = COMPETES,
                                                        [ROLE_PEER] = REFERENCE,
                                                        [ROLE_LIMIT] = LIMIT,
                                                        [ROLE_HARNESS] = EXCLUDED,
                                                        [ROLE_TEACHING] = COMPETES};
    return standings[results_kernel(r, row)->role.kind];
}

/* A row that has not been assigned to a problem yet. There may be 10^6 entries. */
struct entry {
    uint32_t run, row, configuration;
    uint32_t series; /* the number of the row's series, in the order of row_keys_order() */
    enum standing standing;
    bool beside;     /* measured on the CPU in a run on another device */
    bool other_bits; /* has other bits than the user asked for, so it does not compete */
    float mean;      /* the mean of the samples in µs, which decides between equal medians */
    double n, time;
};

/*
 * The columns by which rows are numbered: rows with equal values in all columns of a list get the
 * same number.
 */
struct key_lists {
    struct table made; /* the column `work`: see work_of() */
    key_columns points, configurations, series, problems;
    const struct column *metric;
};

struct gather {
    struct best *best;
    const struct best_options *options;
    struct key_lists *lists;   /* one for each run */
    VEC(struct entry) entries; /* indexed by the numbers of points */
    struct row_keys points, configurations, series, problems;
    size_t last_problems; /* Problems with lower numbers than this are in the last run. */
    struct numbering racy;
};

/*
 * Returns the workload of a row's kernel, or "" for a reduction. Kernels compete only if they do
 * the same work on the same device. A kernel with the role limit counts as the workload that it
 * bounds.
 */
static const char *work_of(const struct results *r, size_t row)
{
    const struct results_kernel *kernel = results_kernel(r, row);
    const char *workload = *kernel->role.bounds ? kernel->role.bounds : kernel->workload;
    return strcmp(workload, "reduce") == 0 ? "" : workload;
}

static void find_lists(const struct results *r, const char *metric,
                       const struct numbering *tunables, struct key_lists *out)
{
    const unsigned problem = key_problem();
    out->metric = table_find(&r->rows, metric);
    out->made.row_count = r->rows.row_count;
    table_add_texts(&out->made, row, work_of(r, row), "work");
    key_columns *const with_device[] = {&out->points, &out->series, &out->problems};
    for (int i = 0; i < 3; i++) {
        vec_push(with_device[i], (struct key_column){.column = r->known.backend, .number = NAN});
        vec_push(with_device[i], (struct key_column){.column = r->known.device, .number = NAN});
        vec_push(with_device[i],
                 (struct key_column){.column = out->made.columns.items[0], .number = NAN});
    }
    match_columns(r, KEY_POINT, tunables, &out->points);
    match_columns(r, problem & ~KEY_AXIS(AXIS_n), tunables, &out->series);
    match_columns(r, problem, tunables, &out->problems);
    match_columns(r, key_configuration(), tunables, &out->configurations);
}

static void find_all_lists(struct gather *g)
{
    const struct best *b = g->best;
    struct numbering tunables = {0};
    g->lists = xcalloc(b->run_count + 1, sizeof *g->lists);
    for (size_t i = 0; i < b->run_count; i++)
        results_tunables(&b->runs[i], &tunables);
    for (size_t i = 0; i < b->run_count; i++)
        find_lists(&b->runs[i], g->options->metric, &tunables, &g->lists[i]);
    g->points.column_count = g->lists[0].points.count;
    g->configurations.column_count = g->lists[0].configurations.count;
    g->series.column_count = g->lists[0].series.count;
    g->problems.column_count = g->lists[0].problems.count;
    numbering_free(&tunables);
}

static double size_of(const struct results *r, size_t row)
{
    return column_number(r->known.axes[AXIS_n], row);
}

/* Returns whether the metric is a time rather than a count. */
static bool is_time(const char *metric)
{
    return strncmp(metric, "time_us_", 8) == 0;
}

static bool is_excluded(struct gather *g, size_t run, size_t row)
{
    struct best *b = g->best;
    const struct results *r = &b->runs[run];
    const char *kernel = results_axis(r, row, AXIS_kernel);
    if (!results_ok(r, row) || isnan(size_of(r, row))) {
        b->failed++;
        return true;
    }
    if (isnan(column_number(g->lists[run].metric, row))) {
        b->untimed++;
        return true;
    }
    if (is_time(g->options->metric) && results_unresolved(r, row)) {
        b->unresolved++;
        return true;
    }
    if (is_time(g->options->metric) && results_raced(r, row)) {
        b->raced++;
        return true;
    }
    if (!*results_kernel(r, row)->racy)
        return false;
    b->racy++;
    size_t known = g->racy.texts.count;
    if (numbering_add(&g->racy, kernel) == known)
        text_append(&b->racy_kernels, "%s%s", known ? ", " : "", kernel);
    return true;
}

bool best_competes(const struct results *r, size_t row)
{
    return results_ok(r, row) && !isnan(size_of(r, row)) &&
           !isnan(column_number(r->known.time_us_median, row)) && !results_unresolved(r, row) &&
           !results_raced(r, row) && !*results_kernel(r, row)->racy &&
           standing_of(r, row) == COMPETES;
}

static struct candidate make_candidate(const struct gather *g, const struct entry *entry)
{
    const struct results *r = &g->best->runs[entry->run];
    struct candidate c = {
        .run = entry->run, .row = entry->row, .configuration = entry->configuration, .q = NAN};
    c.energy = (struct estimate){NAN, NAN, NAN};
    c.time = (struct estimate){entry->time, NAN, NAN};
    if (strcmp(g->options->metric, "time_us_median") == 0) {
        c.time.low = column_number(r->known.time_us_ci95_lo, entry->row);
        c.time.high = column_number(r->known.time_us_ci95_hi, entry->row);
        c.energy = best_energy_of(r, entry->row);
    }
    c.ratio = (struct estimate){NAN, NAN, NAN};
    return c;
}

/*
 * Returns whether a row of an earlier run is ignored because the last run also has its problem and
 * the option last_run_alone is set.
 */
static bool is_overruled(struct gather *g, size_t run, size_t row)
{
    if (!g->options->last_run_alone || run + 1 == g->best->run_count)
        return false;
    return row_keys_number(&g->problems, g->lists[run].problems.items, row) < g->last_problems;
}

/*
 * Adds a row unless it is excluded. Runs are added in order, so the row replaces an earlier run's
 * row for the same point.
 */
static void take_row(struct gather *g, size_t run, size_t row)
{
    const struct results *r = &g->best->runs[run];
    if (is_excluded(g, run, row))
        return;
    struct entry entry = {.run = (uint32_t)run,
                          .row = (uint32_t)row,
                          .standing = standing_of(r, row),
                          .beside =
                              strcmp(column_text(r->known.backend, row), results_backend(r)) != 0,
                          .n = size_of(r, row),
                          .time = column_number(g->lists[run].metric, row)};
    if (strcmp(g->options->metric, "time_us_median") == 0)
        entry.mean = (float)column_number(r->known.time_us_mean, row);
    g->best->beside += entry.standing != COMPETES;
    if (entry.standing == COMPETES && is_overruled(g, run, row))
        return;
    const struct best_point *same = g->options->same_bits;
    entry.other_bits = same && !best_same_bits(g->best->runs, same, r, row);
    const struct key_lists *lists = &g->lists[run];
    entry.series = row_keys_number(&g->series, lists->series.items, row);
    entry.configuration = row_keys_number(&g->configurations, lists->configurations.items, row);
    size_t at = row_keys_number(&g->points, lists->points.items, row);
    if (at == g->entries.count)
        vec_push(&g->entries, entry);
    else
        g->entries.items[at] = entry;
}

static void gather_rows(struct gather *g)
{
    const struct best *b = g->best;
    const struct results *last = &b->runs[b->run_count - 1];
    const struct key_lists *of_last = &g->lists[b->run_count - 1];
    for (size_t row = 0; g->options->last_run_alone && row < last->rows.row_count; row++)
        if (results_ok(last, row))
            row_keys_number(&g->problems, of_last->problems.items, row);
    g->last_problems = g->problems.first.count;
    for (size_t i = 0; i < b->run_count; i++)
        for (size_t row = 0; row < b->runs[i].rows.row_count; row++)
            take_row(g, i, row);
    g->best->configurations = g->configurations.first.count;
    uint32_t *places = row_keys_order(&g->series);
    for (size_t i = 0; i < g->entries.count; i++)
        g->entries.items[i].series = places[g->entries.items[i].series];
    free(places);
}

/*
 * Sorts by device (the run's own device first), series, n, standing and time. Medians are multiples
 * of the clock's step, so equal medians are common. Entries with equal medians are sorted by mean
 * and then by row number, which keeps the order reproducible.
 */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->beside != y->beside)
        return x->beside ? 1 : -1;
    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->standing != y->standing)
        return x->standing < y->standing ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool same_problem(const struct entry *x, const struct entry *y)
{
    return x->n == y->n && x->series == y->series;
}

/*
 * Returns whether `entry`, a row of a kernel with the role limit, is the first row of this kernel
 * from `first` on. Entries are sorted by time, so this is the kernel's fastest setting. The caller
 * keeps the last such entry, that of the slowest of these kernels.
 */
static bool is_new_limit(const struct gather *g, const struct entry *first,
                         const struct entry *entry)
{
    const char *kernel = results_axis(&g->best->runs[entry->run], entry->row, AXIS_kernel);
    for (; first < entry; first++)
        if (first->standing == LIMIT &&
            strcmp(results_axis(&g->best->runs[first->run], first->row, AXIS_kernel), kernel) == 0)
            return false;
    return true;
}

/* Splits the sorted entries into problems and series, and drops problems without candidates. */
static void split_entries(struct gather *g)
{
    struct best *b = g->best;
    size_t count = g->entries.count;
    const struct entry *entries = g->entries.items;
    b->pool = xcalloc(count + 1, sizeof *b->pool);
    b->problems = xcalloc(count + 1, sizeof *b->problems);
    b->series = xcalloc(count + 1, sizeof *b->series);
    uint32_t series = UINT32_MAX;
    size_t used = 0;
    for (size_t i = 0, end; i < count; i = end) {
        struct problem *p = &b->problems[b->problem_count];
        *p = (struct problem){
            .runs = b->runs, .candidates = &b->pool[used], .n = entries[i].n, .axes = b->axes};
        p->reference.time.value = p->limit.time.value = p->fastest.time.value = NAN;
        end = i;
        do {
            const struct entry *entry = &entries[end++];
            if (entry->standing == COMPETES && g->options->same_bits &&
                isnan(p->fastest.time.value))
                p->fastest = make_candidate(g, entry);
            if (entry->standing == COMPETES && entry->other_bits)
                continue;
            if (entry->standing == COMPETES)
                p->candidates[p->count++] = make_candidate(g, entry);
            else if (entry->standing == LIMIT && is_new_limit(g, &entries[i], entry))
                p->limit = make_candidate(g, entry);
            else if (entry->standing == REFERENCE && isnan(p->reference.time.value))
                p->reference = make_candidate(g, entry);
        } while (end < count && same_problem(&entries[end], &entries[i]));
        if (!p->count)
            continue;
        used += p->count;
        if (series != entries[i].series)
            b->series[b->series_count++].first = b->problem_count;
        series = entries[i].series;
        b->series[b->series_count - 1].count++;
        b->problem_count++;
    }
}

/*
 * Returns the p value of the hypothesis that two candidates are equally fast. It comes from the
 * rank test or, if there are no samples, from the interval of the ratio of their times.
 */
static double equality_p(const struct best *b, const struct candidate *x, const struct candidate *y)
{
    size_t count_x, count_y;
    const double *samples_x = results_samples(&b->runs[x->run], x->row, &count_x);
    const double *samples_y = results_samples(&b->runs[y->run], y->row, &count_y);
    struct rank_test test;
    rank_test(samples_x, count_x, samples_y, count_y, &test);
    return isnan(test.p) ? ratio_p(ratio_of(x->time, y->time)) : test.p;
}

static void find_ties(const struct best *b, struct problem *p, bool tested)
{
    double *list = xcalloc(2 * p->count + 1, sizeof *list);
    struct candidate *winner = p->candidates;
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->candidates[i];
        c->ratio = ratio_of(winner->time, c->time);
        list[i] = i > 0 && tested ? equality_p(b, winner, c) : NAN;
    }
    false_discovery(list, p->count, list + p->count);
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->candidates[i];
        c->q = list[p->count + i];
        c->tied = i == 0 || (isnan(c->q) ? !tested && c->time.value == winner->time.value
                                         : c->q > FALSE_DISCOVERIES || c->ratio.low <= 1);
        p->tied += c->tied;
    }
    free(list);
}

static void gather_free(struct gather *g)
{
    vec_free(&g->entries);
    row_keys_free(&g->points);
    row_keys_free(&g->configurations);
    row_keys_free(&g->series);
    row_keys_free(&g->problems);
    for (size_t i = 0; i < g->best->run_count; i++) {
        table_free(&g->lists[i].made);
        vec_free(&g->lists[i].points);
        vec_free(&g->lists[i].configurations);
        vec_free(&g->lists[i].series);
        vec_free(&g->lists[i].problems);
    }
    free(g->lists);
    numbering_free(&g->racy);
}

/*
 * Refuses columns in which larger is better, because best_find() looks for the smallest value. All
 * of these columns are derived from the time.
 */
static bool smaller_is_better(const char *metric, struct error *e)
{
    static const char *const larger[] = {"bandwidth_gbs", "peak_pct", "ceiling_pct"};
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        if (strcmp(metric, larger[i]) == 0)
            return FAIL(
                e, ERROR_USAGE,
                "--metric %s: larger values of this column are better, but redsweep best ranks "
                "smaller values first; use time_us_median, from which the column is computed",
                metric);
    return true;
}

static bool known_metric(const struct results *runs, size_t run_count, const char *metric,
                         struct error *e)
{
    for (size_t i = 0; i < run_count; i++) {
        const struct table *t = &runs[i].rows;
        if (table_column(t, metric) >= 0)
            continue;
        char suggestion[SUGGESTION_SIZE];
        return FAIL(e, ERROR_USAGE, "--metric: %s has no column '%s'%s", runs[i].path, metric,
                    table_suggestion(t, metric, suggestion));
    }
    return true;
}

static bool refuse_nothing(const struct best *b, const char *metric, struct error *e)
{
    const struct {
        size_t rows;
        const char *are, *what;
    } parts[] = {{b->failed, "are not ok", ""},
                 {b->untimed, "have no ", metric},
                 {b->unresolved, "have a time below the clock's resolution", ""},
                 {b->raced, "dropped out of a search", ""},
                 {b->racy, "belong to racy kernels", ""},
                 {b->beside, "belong to kernels used only for comparison", ""}};
    struct text why = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].rows)
            text_append(&why, "%s%zu %s%s", why.length ? ", " : ": ", parts[i].rows, parts[i].are,
                        parts[i].what);
    FAIL(e, ERROR_CONFIG, "no row can be ranked%s%s", text_shown(&why),
         b->untimed ? "; a simulator run has counts but no times, so measure on a GPU, or rank by "
                      "a count: redsweep best RUN --metric gld_transactions"
                    : "");
    text_free(&why);
    return false;
}

bool best_find(const struct results *runs, size_t run_count, const struct best_options *options,
               struct best *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->runs = runs;
    out->run_count = run_count;
    out->axes = results_axes(runs, run_count);
    out->metric = options->metric;
    out->same_bits = options->same_bits;
    if (!smaller_is_better(options->metric, e) ||
        !known_metric(runs, run_count, options->metric, e))
        return false;
    struct gather g = {.best = out, .options = options};
    bool tested = strcmp(options->metric, "time_us_median") == 0;
    find_all_lists(&g);
    gather_rows(&g);
    if (g.entries.count > 0)
        qsort(g.entries.items, g.entries.count, sizeof *g.entries.items, compare_entries);
    split_entries(&g);
    gather_free(&g);
    for (size_t i = 0; i < out->problem_count; i++)
        find_ties(out, &out->problems[i], tested);
    for (size_t i = 0; i < out->problem_count; i++)
        best_find_beaten(&out->problems[i]);
    best_series(out);
    if (out->problem_count)
        return true;
    refuse_nothing(out, options->metric, e);
    best_free(out);
    return false;
}

void best_free(struct best *b)
{
    for (size_t i = 0; i < b->series_count; i++)
        free(b->series[i].ranges);
    free(b->series);
    free(b->problems);
    free(b->pool);
    text_free(&b->racy_kernels);
    memset(b, 0, sizeof *b);
}
