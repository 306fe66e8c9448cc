/*
 * The end of a run: see summary.h. Winners and what is tied with them are those of best.
 */
#include "analyze/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "analyze/best.h"
#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "base/utf8.h"

enum {
    SIZES_SHOWN = 20,
    KERNELS_SHOWN = 40,
    METRICS_SHOWN = 5,
    WINNER_SHOWN = 34,
    SETTING_SHOWN = 36
};

struct summary {
    const struct results *results;
    struct best best;
    bool has_best;
    char *first_kernel; /* the first one that the config names; NULL: a glob is first */
    char *heading;      /* of the column that compares with it */
    VEC(const struct problem *) problems;
    VEC(size_t) rows; /* without times: the rows that are shown */
    VEC(int) metrics; /* their columns */
};

static const char *backend_of(const struct results *r, size_t row)
{
    return results_text(r, row, "backend");
}

/* The first kernel of the config, where it is a name. */
static char *first_kernel(const struct results *r)
{
    cJSON *config = cJSON_Parse(r->manifest.provenance.config);
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(config, "kernels");
    const cJSON *first = cJSON_IsArray(kernels) ? kernels->child : kernels;
    char *name = cJSON_IsString(first) && !text_is_glob(first->valuestring)
                     ? xstrdup(first->valuestring)
                     : NULL;
    cJSON_Delete(config);
    return name;
}

/* ---- With times ------------------------------------------------------------------------------ */

/* The shortest time of the first kernel where the problem has one; NaN. */
static double first_time(const struct summary *s, const struct problem *p)
{
    for (size_t i = 0; s->first_kernel && i < p->count; i++) {
        const struct candidate *c = &p->candidates[i];
        if (strcmp(results_axis(s->results, c->row, AXIS_kernel), s->first_kernel) == 0)
            return c->time.value;
    }
    return NAN;
}

/* As much of a text as a terminal's line has room for: a kernel may have many tunables. */
static void put_cut(struct view_row *out, struct text *t, size_t most)
{
    size_t shown = utf8_cut(text_shown(t), most);
    view_put_format(out, "%.*s%s", (int)shown, text_shown(t), shown < t->length ? "…" : "");
    text_free(t);
}

static void put_problem(const void *rows, size_t row, struct view_row *out)
{
    const struct summary *s = rows;
    const struct problem *p = s->problems.items[row];
    const struct candidate *winner = &p->candidates[0];
    struct text name = {0};
    best_name(&s->best, winner, &name);
    results_put_problem(out, s->results, winner->row, NULL, 0, s->best.axes);
    put_cut(out, &name, WINNER_SHOWN);
    view_put_number(out, winner->time.value);
    results_put_named(out, s->results, winner->row, "bandwidth_gbs");
    view_put_number(out, results_achieved(s->results, winner->row));
    double first = first_time(s, p) / winner->time.value;
    view_put_number(out, first);
    view_put_number(out, p->reference.time.value / winner->time.value);
    view_put_format(out, "%zu of %zu", p->tied, p->count);
}

static void add_winners(struct summary *s, struct view *v)
{
    s->heading = xasprintf("x faster than %s", s->first_kernel ? s->first_kernel : "");
    const struct view_column columns[] = {
        VIEW_COLUMN("winner", NULL, VIEW_TEXT, 0, VIEW_ALL),
        VIEW_COLUMN("time_us_median", "µs", VIEW_NUMBER, 4, VIEW_ALL),
        VIEW_OPTIONAL("bandwidth_gbs", "GB/s", VIEW_NUMBER, 4, VIEW_ALL),
        VIEW_OPTIONAL("achievable_pct", "% of achievable", VIEW_NUMBER, 3, VIEW_ALL),
        VIEW_OPTIONAL("speedup_over_first", s->heading, VIEW_NUMBER, 3, VIEW_ALL),
        VIEW_OPTIONAL("speedup_over_cub", "x faster than CUB", VIEW_NUMBER, 3, VIEW_ALL),
        VIEW_COLUMN("ties", "tied", VIEW_TEXT, 0, VIEW_ALL)};
    size_t shown = s->problems.count < SIZES_SHOWN ? s->problems.count : SIZES_SHOWN;
    struct view_table *t = view_table(v, "winners", VIEW_ALL, put_problem, s, shown);
    view_table_title(t, "Fastest on %s", results_device(s->results));
    results_problem_columns(t, AXES_FOR_ALL, s->best.axes);
    for (size_t i = 0; i < t->columns.count; i++)
        if (strcmp(t->columns.items[i].name, axis_table[AXIS_n].name) == 0)
            t->columns.items[i].kind = VIEW_SIZE;
    view_columns(t, columns, sizeof columns / sizeof *columns);
    if (shown < s->problems.count)
        view_table_note(t, "%zu more: see redsweep best", s->problems.count - shown);
}

static bool find_winners(struct summary *s)
{
    const struct best_options how = {.metric = "time_us_median"};
    const char *backend = results_backend(s->results);
    struct error none = {0};
    s->has_best = best_find(s->results, 1, &how, &s->best, &none);
    for (size_t i = 0; s->has_best && i < s->best.problem_count; i++) {
        const struct problem *p = &s->best.problems[i];
        if (strcmp(backend_of(s->results, p->candidates[0].row), backend) == 0)
            vec_push(&s->problems, p);
    }
    return s->problems.count > 0;
}

/* ---- Without times --------------------------------------------------------------------------- */

static bool counts(const struct results *r, size_t row)
{
    return results_ok(r, row) && strcmp(backend_of(r, row), results_backend(r)) == 0;
}

/* The largest n that was counted. */
static double largest_n(const struct results *r)
{
    double n = 0;
    for (size_t row = 0; row < r->rows.row_count; row++)
        if (counts(r, row))
            n = fmax(n, results_number(r, row, axis_table[AXIS_n].name));
    return n;
}

/* Of each kernel the row with the largest block and unroll factor at the largest n. */
static void choose_rows(struct summary *s)
{
    const struct results *r = s->results;
    struct numbering kernels = {0};
    double n = largest_n(r);
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!counts(r, row) || results_number(r, row, axis_table[AXIS_n].name) != n)
            continue;
        size_t kernel = numbering_add(&kernels, results_axis(r, row, AXIS_kernel));
        if (kernel == s->rows.count) {
            vec_push(&s->rows, row);
            continue;
        }
        size_t *chosen = &s->rows.items[kernel];
        double block = results_number(r, row, "block"), other = results_number(r, *chosen, "block");
        if (block > other || (block == other && results_number(r, row, "unroll") >
                                                    results_number(r, *chosen, "unroll")))
            *chosen = row;
    }
    numbering_free(&kernels);
}

static void choose_metrics(struct summary *s)
{
    for (size_t i = 0; i < s->results->rows.column_count; i++)
        if (s->results->columns[i].role == ROLE_METRIC && !*s->results->columns[i].missing &&
            s->metrics.count < METRICS_SHOWN)
            vec_push(&s->metrics, (int)i);
}

static void put_counts(const void *rows, size_t row, struct view_row *out)
{
    const struct summary *s = rows;
    size_t at = s->rows.items[row];
    struct text setting = {0};
    view_put(out, results_axis(s->results, at, AXIS_kernel));
    results_setting(s->results, at, &setting);
    put_cut(out, &setting, SETTING_SHOWN);
    for (size_t i = 0; i < s->metrics.count; i++)
        results_put(out, s->results, at, s->metrics.items[i]);
}

static void add_counts(struct summary *s, struct view *v)
{
    const struct view_column names[] = {VIEW_COLUMN("kernel", NULL, VIEW_TEXT, 0, VIEW_ALL),
                                        VIEW_COLUMN("setting", NULL, VIEW_TEXT, 0, VIEW_ALL)};
    size_t shown = s->rows.count < KERNELS_SHOWN ? s->rows.count : KERNELS_SHOWN;
    char n[40];
    view_size(largest_n(s->results), n);
    struct view_table *t = view_table(v, "counts", VIEW_ALL, put_counts, s, shown);
    view_table_title(t,
                     "Counts on %s, n = %s (it has no clock, so there are no times and no winner)",
                     results_device(s->results), n);
    view_columns(t, names, 2);
    for (size_t i = 0; i < s->metrics.count; i++)
        vec_push(&t->columns,
                 results_view_column(s->results, (size_t)s->metrics.items[i], VIEW_ALL));
    if (shown < s->rows.count)
        view_table_note(t, "%zu more kernels: see redsweep show", s->rows.count - shown);
}

struct summary *summary_make(const struct results *r, struct view *v)
{
    struct summary *s = xcalloc(1, sizeof *s);
    s->results = r;
    s->first_kernel = first_kernel(r);
    if (find_winners(s)) {
        add_winners(s, v);
        return s;
    }
    choose_rows(s);
    choose_metrics(s);
    if (s->rows.count && s->metrics.count)
        add_counts(s, v);
    return s;
}

void summary_free(struct summary *s)
{
    if (!s)
        return;
    if (s->has_best)
        best_free(&s->best);
    free(s->first_kernel);
    free(s->heading);
    vec_free(&s->problems);
    vec_free(&s->rows);
    vec_free(&s->metrics);
    free(s);
}
