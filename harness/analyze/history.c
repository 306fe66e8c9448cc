/* Implements history.h. */
#include "analyze/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- Reading --------------------------------------------------------------------------------- */

static char *series_of(const struct results *r, size_t row)
{
    return xasprintf("%s\n%s", column_text(r->known.device, row),
                     results_axis(r, row, AXIS_kernel));
}

/*
 * Returns a name for a row's problem, made of all axes that are not part of a configuration. The
 * caller frees it.
 */
static char *problem_of(const struct results *r, size_t row)
{
    struct text t = {0};
    text_append(&t, "%s %s, n %s, %s, scope %s", results_axis(r, row, AXIS_type),
                results_axis(r, row, AXIS_op), results_axis(r, row, AXIS_n),
                results_axis(r, row, AXIS_cache), results_axis(r, row, AXIS_scope));
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (axis_is_run_time(i) && results_has_axis(r, i))
            text_append(&t, ", %s %s", axis_table[i].name, results_axis(r, row, i));
    return t.bytes;
}

/*
 * Returns whether to use a row. Its result must be right, its time must not be too short for the
 * clock, the search must not have dropped it early, and it must come from the run's own device (so
 * CPU rows in a run on a GPU are left out).
 */
static bool takes_part(const struct results *r, size_t row)
{
    return results_good(r, row) && !results_raced(r, row) && !results_unresolved(r, row) &&
           column_number(r->known.time_us_median, row) > 0 &&
           strcmp(column_text(r->known.backend, row), results_backend(r)) == 0;
}

static void read_run(const struct results *r, uint32_t run, struct history *h)
{
    size_t first = h->cells.count;
    struct numbering seen = {0};
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!takes_part(r, row))
            continue;
        char *series = series_of(r, row), *problem = problem_of(r, row);
        struct history_cell cell = {.series = (uint32_t)numbering_add(&h->series, series),
                                    .problem = (uint32_t)numbering_add(&h->problems, problem),
                                    .run = run,
                                    .us = column_number(r->known.time_us_median, row),
                                    .low = column_number(r->known.time_us_ci95_lo, row),
                                    .high = column_number(r->known.time_us_ci95_hi, row)};
        free(series);
        free(problem);
        char *key = xasprintf("%u %u", cell.series, cell.problem);
        size_t at = first + numbering_add(&seen, key);
        free(key);
        if (at == h->cells.count)
            vec_push(&h->cells, cell);
        else if (cell.us < h->cells.items[at].us)
            h->cells.items[at] = cell;
    }
    numbering_free(&seen);
}

bool history_read(const struct run_list *runs, struct history *out, struct text *passed_over,
                  struct error *e)
{
    *out = (struct history){.runs = runs};
    for (size_t i = 0; i < runs->items.count; i++) {
        struct results r;
        bool read = results_read(runs->items.items[i].folder, &r, e);
        if (!read && !passed_over)
            return false;
        if (!read) {
            text_append_safely(passed_over, "left out: %s\n", e->text);
            error_clear(e);
            continue;
        }
        read_run(&r, (uint32_t)i, out);
        results_free(&r);
    }
    return true;
}

void history_free(struct history *h)
{
    numbering_free(&h->series);
    numbering_free(&h->problems);
    vec_free(&h->cells);
}

/* ---- Series ---------------------------------------------------------------------------------- */

size_t history_values(const struct history *h, size_t series, double *values, size_t *at,
                      size_t *problems)
{
    size_t runs = h->runs->items.count, used = 0;
    size_t *in_runs = xcalloc(h->problems.texts.count + 1, sizeof *in_runs);
    bool *has = xcalloc(runs + 1, sizeof *has);
    double *sums = xcalloc(runs + 1, sizeof *sums);
    for (size_t i = 0; i < h->cells.count; i++)
        if (h->cells.items[i].series == series) {
            in_runs[h->cells.items[i].problem]++;
            has[h->cells.items[i].run] = true;
        }
    for (size_t run = 0; run < runs; run++)
        if (has[run])
            at[used++] = run;
    *problems = 0;
    for (size_t k = 0; k < h->problems.texts.count; k++)
        *problems += used && in_runs[k] == used;
    for (size_t i = 0; i < h->cells.count; i++)
        if (h->cells.items[i].series == series && in_runs[h->cells.items[i].problem] == used)
            sums[h->cells.items[i].run] += log(h->cells.items[i].us);
    for (size_t k = 0; k < used && *problems; k++)
        values[k] = sums[at[k]] / (double)*problems;
    free(in_runs);
    free(has);
    free(sums);
    return *problems ? used : 0;
}

/* ---- Exports --------------------------------------------------------------------------------- */

static char *benchmark_name(const struct history *h, const struct history_cell *c)
{
    const char *series = h->series.texts.items[c->series];
    const char *kernel = strchr(series, '\n') + 1;
    return xasprintf("%s: %s", kernel, h->problems.texts.items[c->problem]);
}

/*
 * Writes the last run's cells in the order of the run's rows. `append` appends one cell in the
 * format that is written.
 */
static void write_cells(const struct history *h, FILE *to,
                        void (*append)(const struct history_cell *, const char *, struct text *))
{
    const char *before = "\n";
    for (size_t i = 0; i < h->cells.count; i++) {
        const struct history_cell *c = &h->cells.items[i];
        if (c->run + 1 != h->runs->items.count)
            continue;
        struct text t = {0};
        char *name = benchmark_name(h, c);
        append(c, name, &t);
        fprintf(to, "%s%s", before, t.bytes);
        before = ",\n";
        free(name);
        text_free(&t);
    }
}

/*
 * Appends {"name", "unit", "value", "range"}, the members of BenchmarkResult in src/extract.ts of
 * github-action-benchmark (04dcc2c). In that format, the range is a string. Here it is half the
 * width of the 95 % interval.
 */
static void append_github(const struct history_cell *c, const char *name, struct text *t)
{
    text_append(t, "  {\"name\": ");
    text_append_json(t, name);
    text_append(t, ", \"unit\": \"us\", \"value\": ");
    text_number(t, c->us);
    if (c->high >= c->low)
        text_append(t, ", \"range\": \"± %.3g\"", (c->high - c->low) / 2);
    text_append(t, "}");
}

void history_write_github(const struct history *h, FILE *to)
{
    fprintf(to, "[");
    write_cells(h, to, append_github);
    fprintf(to, "\n]\n");
}

/*
 * Appends {name: {"latency": {"value", "lower_value", "upper_value"}}}, the format described at
 * https://bencher.dev/docs/reference/bencher-metric-format. Bencher's latency is in nanoseconds.
 */
static void append_bencher(const struct history_cell *c, const char *name, struct text *t)
{
    text_append(t, "  ");
    text_append_json(t, name);
    text_append(t, ": {\"latency\": {\"value\": ");
    text_number(t, 1000 * c->us);
    if (c->high >= c->low) {
        text_append(t, ", \"lower_value\": ");
        text_number(t, 1000 * c->low);
        text_append(t, ", \"upper_value\": ");
        text_number(t, 1000 * c->high);
    }
    text_append(t, "}}");
}

void history_write_bencher(const struct history *h, FILE *to)
{
    fprintf(to, "{");
    write_cells(h, to, append_bencher);
    fprintf(to, "\n}\n");
}
