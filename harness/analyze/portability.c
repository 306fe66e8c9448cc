/* Implements portability.h. */
#include "analyze/portability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/best.h"
#include "analyze/match.h"
#include "analyze/results_columns.h"
#include "table/numbering.h"
#include "base/command.h"

/* A configuration that competes in a problem. */
struct contender {
    /* `row` is a row of `run`, the first run with this configuration */
    size_t problem, row;
    int run;
    /* the configuration's time in each run, or NaN if it does not compete there */
    double us[PORTABILITY_RUNS_MAX];
};

/*
 * The best configuration of a problem. Only problems with a configuration that competes in all runs
 * have one.
 */
struct answer {
    const struct contender *best;
    double portability;
    double cost[PORTABILITY_RUNS_MAX]; /* its time in each run divided by the run's fastest */
};

struct portability {
    struct results runs[PORTABILITY_RUNS_MAX];
    int run_count;
    unsigned axes; /* the problem's axes that at least one run has */
    struct row_keys problems, points;
    key_columns problem_columns[PORTABILITY_RUNS_MAX], point_columns[PORTABILITY_RUNS_MAX];
    VEC(struct contender) contenders; /* indexed by the numbers of points */
    VEC(struct answer) answers;
    char names[PORTABILITY_RUNS_MAX][24]; /* column names */
    char *headings[PORTABILITY_RUNS_MAX];
};

static void take_run(struct portability *p, int run)
{
    const struct results *r = &p->runs[run];
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!best_competes(r, row))
            continue;
        uint32_t problem = row_keys_number(&p->problems, p->problem_columns[run].items, row);
        uint32_t place = row_keys_number(&p->points, p->point_columns[run].items, row);
        if (place == p->contenders.count) {
            struct contender c = {.problem = problem, .row = row, .run = run};
            for (int i = 0; i < PORTABILITY_RUNS_MAX; i++)
                c.us[i] = NAN;
            vec_push(&p->contenders, c);
        }
        p->contenders.items[place].us[run] = column_number(r->known.time_us_median, row);
    }
}

static void take_runs(struct portability *p)
{
    struct numbering tunables = {0};
    for (int i = 0; i < p->run_count; i++)
        results_tunables(&p->runs[i], &tunables);
    for (int i = 0; i < p->run_count; i++) {
        match_columns(&p->runs[i], key_problem(), &tunables, &p->problem_columns[i]);
        match_columns(&p->runs[i], KEY_POINT, &tunables, &p->point_columns[i]);
    }
    p->problems.column_count = p->problem_columns[0].count;
    p->points.column_count = p->point_columns[0].count;
    for (int i = 0; i < p->run_count; i++)
        take_run(p, i);
    numbering_free(&tunables);
}

/*
 * Returns the harmonic mean over the runs of the fastest time divided by the configuration's time,
 * or NaN if the configuration lacks a time in one of the runs.
 */
static double portability_of(const struct contender *c, const double *fastest, int runs)
{
    double sum = 0;
    for (int i = 0; i < runs; i++)
        sum += c->us[i] / fastest[i];
    return runs / sum;
}

static void answer_all(struct portability *p)
{
    size_t problems = p->problems.first.count;
    double(*fastest)[PORTABILITY_RUNS_MAX] = xcalloc(problems + 1, sizeof *fastest);
    /* the index of each problem's answer plus 1, or 0 if there is none yet */
    size_t *answer_of = xcalloc(problems + 1, sizeof *answer_of);
    for (size_t k = 0; k < problems; k++)
        for (int i = 0; i < p->run_count; i++)
            fastest[k][i] = INFINITY;
    for (size_t c = 0; c < p->contenders.count; c++)
        for (int i = 0; i < p->run_count; i++) {
            const struct contender *from = &p->contenders.items[c];
            fastest[from->problem][i] = fmin(fastest[from->problem][i], from->us[i]);
        }
    for (size_t c = 0; c < p->contenders.count; c++) {
        const struct contender *from = &p->contenders.items[c];
        double value = portability_of(from, fastest[from->problem], p->run_count);
        if (isnan(value))
            continue;
        if (!answer_of[from->problem]) {
            vec_push(&p->answers, (struct answer){.portability = 0});
            answer_of[from->problem] = p->answers.count;
        }
        struct answer *a = &p->answers.items[answer_of[from->problem] - 1];
        if (value <= a->portability)
            continue;
        *a = (struct answer){.best = from, .portability = value};
        for (int i = 0; i < p->run_count; i++)
            a->cost[i] = from->us[i] / fastest[from->problem][i];
    }
    free(fastest);
    free(answer_of);
}

static const char *configuration_of(const struct portability *p, const struct answer *a,
                                    struct table *t)
{
    struct text configuration = {0};
    results_configuration(&p->runs[a->best->run], a->best->row, &configuration);
    return table_keep(t, configuration.bytes);
}

static void add_columns(const struct portability *p, struct table *t)
{
    const struct answer *of = p->answers.items;
    struct run_row *rows = xcalloc(t->row_count + 1, sizeof *rows);
    for (size_t i = 0; i < t->row_count; i++)
        rows[i] =
            (struct run_row){.run = &p->runs[of[i].best->run], .row = (uint32_t)of[i].best->row};
    results_add_problem(t, rows, p->axes, FOR_ALL, PROBLEM_BY_SIZE);
    table_add_texts(t, i, configuration_of(p, &of[i], t), "configuration");
    table_add_numbers(t, i, of[i].portability * 100, "portability_pct", .heading = "portability, %",
                      .kind = COLUMN_NUMBER, .digits = 4);
    for (int k = 0; k < p->run_count; k++)
        table_add_numbers(t, i, of[i].cost[k], p->names[k], .heading = p->headings[k],
                          .kind = COLUMN_CHANGE);
    free(rows);
}

static void name_runs(struct portability *p, struct view *v)
{
    for (int i = 0; i < p->run_count; i++) {
        const struct results *r = &p->runs[i];
        const char *uuid = r->manifest.provenance.device.uuid;
        snprintf(p->names[i], sizeof p->names[i], "cost_%d", i + 1);
        p->headings[i] = xasprintf("cost on %d", i + 1);
        view_line(v, "%d: %s, %s%s%s", i + 1, r->path, results_device(r), *uuid ? ", " : "", uuid);
    }
}

static int show(struct portability *p, const struct view_output *output, struct error *e)
{
    struct view v = {.main_table = "problems"};
    double sum = 0, worst = 1;
    char line[160];
    view_title(&v, "%d runs", p->run_count);
    name_runs(p, &v);
    struct view_table *table = view_add_table(&v, "problems", FOR_ALL, p->answers.count);
    view_table_title(table, "The configuration that is best across all runs, and how much slower "
                            "it is than the fastest configuration of each run");
    add_columns(p, &table->cells);
    for (size_t i = 0; i < p->answers.count; i++) {
        sum += p->answers.items[i].portability;
        worst = fmin(worst, p->answers.items[i].portability);
    }
    size_t count = p->answers.count;
    snprintf(
        line, sizeof line,
        "%zu problem%s: performance portability %.1f %% on average, %.1f %% at worst; no verdict",
        count, count == 1 ? "" : "s", sum / (double)count * 100, worst * 100);
    view_conclude(&v, line);
    int code = view_output(&v, output, e) ? EXIT_FINE : EXIT_REFUSED;
    view_free(&v);
    return code;
}

int portability_show(const char *const *paths, int count, const struct view_output *output,
                     struct error *e)
{
    struct portability *p = xcalloc(1, sizeof *p); /* too large for the stack */
    bool ok =
        count <= PORTABILITY_RUNS_MAX ||
        FAIL(e, ERROR_USAGE, "%d runs are named, but at most %d can be compared; leave some out",
             count, PORTABILITY_RUNS_MAX);
    for (; ok && p->run_count < count; p->run_count++) {
        ok = results_read(paths[p->run_count], &p->runs[p->run_count], e);
        if (!ok)
            break;
    }
    if (ok) {
        take_runs(p);
        p->axes = results_axes(p->runs, (size_t)p->run_count) & key_problem();
        answer_all(p);
    }
    ok = ok && (p->answers.count > 0 || FAIL(e, ERROR_CONFIG,
                                             "no configuration has a time in all of these runs; "
                                             "measure the same config on all cards"));
    int code = ok ? show(p, output, e) : EXIT_REFUSED;
    for (int i = 0; i < p->run_count; i++) {
        results_free(&p->runs[i]);
        vec_free(&p->problem_columns[i]);
        vec_free(&p->point_columns[i]);
        free(p->headings[i]);
    }
    row_keys_free(&p->problems);
    row_keys_free(&p->points);
    vec_free(&p->contenders);
    vec_free(&p->answers);
    free(p);
    return code;
}
