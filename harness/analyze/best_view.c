/*
 * What best found as a view: see best.h.
 */
#include "analyze/best.h"

#include <math.h>
#include <string.h>

#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "record/outcome.h"

enum { NAMES_SHOWN = 6, BRIEF_ROWS = 20, BRIEF_WINNER = 34 };

/* One line of the table of configurations: a candidate of a problem, and what it is there. */
struct configuration_row {
    const struct problem *problem;
    const struct candidate *candidate;
    const char *standing;
};

struct best_view {
    const struct best *best;
    struct numbering tunables; /* of all runs */
    VEC(struct configuration_row) rows;
    metered_rows metered;
};

void best_name(const struct best *b, const struct candidate *c, struct text *out)
{
    results_configuration(&b->runs[c->run], c->row, out);
}

static const struct problem *problem_at(const void *rows, size_t row)
{
    return (const struct problem *)rows + row;
}

static void append_candidate(const struct problem *p, const struct candidate *c, struct text *out)
{
    results_configuration(&p->runs[c->run], c->row, out);
}

/* The names of what is tied with the winner, a line each. */
static void append_tied(const struct problem *p, struct text *out)
{
    for (size_t i = 1; i < p->count; i++) {
        if (!p->candidates[i].tied)
            continue;
        append_candidate(p, &p->candidates[i], out);
        text_append(out, " (%+.1f %%)\n", (p->candidates[i].ratio.value - 1) * 100);
    }
}

/* "1.39 (1.37 to 1.41)" for people, the number alone for programs. */
static void put_margin(struct view_row *out, const struct problem *p, const struct candidate *other,
                       double unit, int places)
{
    struct estimate r = ratio_of(p->candidates[0].time, other->time);
    struct text t = {0};
    if (!isnan(r.value))
        text_append(&t, "%.*f", places, r.value * unit);
    if (!isnan(r.low))
        text_append(&t, " (%.*f to %.*f)", places, r.low * unit, places, r.high * unit);
    view_put_made(out, &t);
    view_put_number(out, r.value * unit);
}

static void put_winner(const void *rows, size_t row, struct view_row *out)
{
    const struct problem *p = problem_at(rows, row);
    const struct candidate *c = &p->candidates[0];
    const struct results *r = &p->runs[c->run];
    struct text name = {0}, tied = {0};
    append_candidate(p, c, &name);
    append_tied(p, &tied);
    results_put_named(out, r, c->row, "backend");
    results_put_named(out, r, c->row, "device");
    results_put_problem(out, r, c->row, NULL, 0, p->axes);
    view_put_made(out, &name);
    view_put_numbers(out, (const double[]){c->time.value, c->time.low, c->time.high}, 3);
    results_put_named(out, r, c->row, "bandwidth_gbs");
    view_put_number(out, results_achieved(r, c->row));
    results_put_named(out, r, c->row, "peak_pct");
    view_put_format(out, "%zu of %zu", p->tied, p->count);
    view_put_made(out, &tied);
    view_put_numbers(out, (const double[]){(double)p->tied, (double)p->count}, 2);
    put_margin(out, p, &p->reference, 1, 3);
    put_margin(out, p, &p->limit, 100, 1);
    struct text fastest = {0};
    if (!isnan(p->fastest.time.value))
        append_candidate(p, &p->fastest, &fastest);
    view_put_made(out, &fastest);
    view_put_number(out, ratio_of(p->fastest.time, c->time).value);
}

static void rank_winners(struct view_table *t, const char *metric)
{
    for (size_t i = 0; i < t->columns.count; i++) {
        struct column *c = &t->columns.items[i];
        if (strcmp(c->name, axis_table[AXIS_n].name) == 0) {
            c->kind = COLUMN_SIZE;
            c->audience = FOR_ALL;
            c->rank = RANK_PROBLEM;
        }
        c->rank = strcmp(c->name, "winner") == 0 ? RANK_KEY
                  : strcmp(c->name, metric) == 0 ? RANK_TIME
                                                 : c->rank;
    }
}

/* A table of winners; `whole`: of all series, so that people need the problem's names too. */
static struct view_table *add_winners(const struct best *b, size_t first, size_t count, bool whole,
                                      struct view *v)
{
    const char *metric = b->metric;
    enum audience programs = FOR_PROGRAMS, people = FOR_PEOPLE, all = FOR_ALL;
    const struct column device[] = {VIEW_COLUMN("backend", NULL, COLUMN_TEXT, 0, programs),
                                    VIEW_COLUMN("device", NULL, COLUMN_TEXT, 0, programs)};
    const struct column columns[] = {
        VIEW_COLUMN("winner", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN(metric, strcmp(metric, "time_us_median") == 0 ? "µs" : NULL, COLUMN_NUMBER, 5,
                    FOR_ALL),
        VIEW_COLUMN("lo", NULL, COLUMN_NUMBER, 5, programs),
        VIEW_COLUMN("hi", NULL, COLUMN_NUMBER, 5, programs),
        VIEW_OPTIONAL("bandwidth_gbs", "GB/s", COLUMN_NUMBER, 4, all),
        VIEW_OPTIONAL("achievable_pct", "% of achievable", COLUMN_NUMBER, 3, all),
        VIEW_OPTIONAL("peak_pct", "% of peak", COLUMN_NUMBER, 3, all),
        VIEW_COLUMN("ties", "tied", COLUMN_TEXT, 0, people),
        {.name = "tied_configurations", .details = true},
        VIEW_COLUMN("tied", NULL, COLUMN_COUNT, 0, programs),
        VIEW_COLUMN("candidates", NULL, COLUMN_COUNT, 0, programs),
        VIEW_OPTIONAL("reference", "speedup over CUB", COLUMN_TEXT, 0, people),
        VIEW_COLUMN("speedup_over_cub", NULL, COLUMN_NUMBER, 4, programs),
        VIEW_OPTIONAL("limit", "% of limit", COLUMN_TEXT, 0, people),
        VIEW_COLUMN("limit_pct", NULL, COLUMN_NUMBER, 4, programs),
        VIEW_OPTIONAL("fastest_of_any_bits", "fastest of any bits", COLUMN_TEXT, 0, all),
        VIEW_OPTIONAL("same_bits_cost", "same bits cost", COLUMN_CHANGE, 0, all)};
    struct view_table *t =
        view_table(v, "winners", FOR_ALL, put_winner, b->problems + first, count);
    view_columns(t, device, 2);
    results_problem_columns(t, whole ? AXES_FOR_ALL : AXES_FOR_PROGRAMS, b->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
    rank_winners(t, metric);
    return t;
}

void best_add_winners(const struct best *b, struct view *v)
{
    add_winners(b, 0, b->problem_count, true, v);
}

static const char *device_of(const struct best *b, size_t problem)
{
    const struct candidate *c = &b->problems[problem].candidates[0];
    return results_text(&b->runs[c->run], c->row, "device");
}

static void put_brief(const void *rows, size_t row, struct view_row *out)
{
    const struct problem *p = problem_at(rows, row);
    const struct candidate *c = &p->candidates[0];
    const struct results *r = &p->runs[c->run];
    struct text name = {0};
    append_candidate(p, c, &name);
    results_put_problem(out, r, c->row, NULL, 0, p->axes);
    view_put_cut(out, &name, BRIEF_WINNER);
    view_put_number(out, c->time.value);
    results_put_named(out, r, c->row, "bandwidth_gbs");
    view_put_number(out, results_achieved(r, c->row));
    put_margin(out, p, &p->reference, 1, 3);
    view_put_format(out, "%zu of %zu", p->tied, p->count);
}

static void add_brief(const struct best *b, size_t first, size_t count, struct view *v)
{
    bool timed = strcmp(b->metric, "time_us_median") == 0;
    const struct column columns[] = {
        VIEW_COLUMN("winner", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN(b->metric, timed ? "µs" : NULL, COLUMN_NUMBER, 5, FOR_ALL),
        VIEW_OPTIONAL("bandwidth_gbs", "GB/s", COLUMN_NUMBER, 4, FOR_ALL),
        VIEW_OPTIONAL("achievable_pct", "% of achievable", COLUMN_NUMBER, 3, FOR_ALL),
        VIEW_OPTIONAL("reference", "speedup over CUB", COLUMN_TEXT, 0, FOR_PEOPLE),
        VIEW_COLUMN("speedup_over_cub", NULL, COLUMN_NUMBER, 4, FOR_PROGRAMS),
        VIEW_COLUMN("ties", "tied", COLUMN_TEXT, 0, FOR_ALL)};
    size_t shown = count < BRIEF_ROWS ? count : BRIEF_ROWS;
    struct view_table *t = view_table(v, "winners", FOR_ALL, put_brief, b->problems + first, shown);
    view_table_title(t, "%s on %s", timed ? "Fastest" : "Winners", device_of(b, first));
    results_problem_columns(t, AXES_FOR_ALL, b->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
    rank_winners(t, b->metric);
    if (shown < count)
        view_table_note(t, "%zu more: see redsweep best", count - shown);
}

/* Whether the winner of the problem ran on its run's own device, not on the CPU beside it. */
static bool is_of_device(const struct best *b, size_t problem)
{
    const struct candidate *c = &b->problems[problem].candidates[0];
    const struct results *r = &b->runs[c->run];
    return strcmp(results_text(r, c->row, "backend"), results_backend(r)) == 0;
}

bool best_add_brief(const struct best *b, struct view *v)
{
    bool any = false;
    v->main_table = "winners";
    for (size_t first = 0, end; first < b->problem_count; first = end) {
        for (end = first + 1;
             end < b->problem_count && strcmp(device_of(b, end), device_of(b, first)) == 0;)
            end++;
        if (!is_of_device(b, first))
            continue;
        add_brief(b, first, end - first, v);
        any = true;
    }
    return any;
}

/* What is tied with each problem's winner, by name; the rest of a long list is counted. */
static void add_ties(const struct best *b, const struct series *f, struct view *v)
{
    bool any = false;
    for (size_t i = f->first; i < f->first + f->count; i++) {
        const struct problem *p = &b->problems[i];
        size_t found = 0;
        char size[40];
        struct text line = {0};
        show_size(p->n, size);
        text_append(&line, "  n = %s:", size);
        for (size_t c = 1; c < p->count; c++) {
            if (!p->candidates[c].tied || found++ >= NAMES_SHOWN)
                continue;
            text_append(&line, "%s ", found > 1 ? ";" : "");
            append_candidate(p, &p->candidates[c], &line);
            text_append(&line, " (+%.1f %%)", (p->candidates[c].ratio.value - 1) * 100);
        }
        if (found > NAMES_SHOWN)
            text_append(&line, "; and %zu more", found - NAMES_SHOWN);
        if (found && !any)
            view_line(v, "\n  Statistically indistinguishable from the winner (with --csv: all):");
        any = any || found;
        if (found)
            view_line(v, "%s", line.bytes);
        text_free(&line);
    }
}

static void add_ranges(const struct best *b, const struct series *f, struct view *v)
{
    if (f->count < 2)
        return;
    view_line(v, "\n  A winner per range of n:");
    for (size_t i = 0; i < f->range_count; i++) {
        const struct range *r = &f->ranges[i];
        const struct problem *p = &b->problems[r->first];
        char first[40], last[40];
        struct text name = {0};
        show_size(p->n, first);
        show_size(b->problems[r->last].n, last);
        append_candidate(p, best_candidate(p, r->configuration), &name);
        view_line(v, "  %s%s%s: %s (regret %.1f %%)", first, r->last > r->first ? " to " : "",
                  r->last > r->first ? last : "", name.bytes, r->regret * 100);
        text_free(&name);
    }
}

/* "unroll, block 128: 1.2 % slower than the winners on geometric mean, …" */
static void append_choice(const struct best *b, const struct series *f, struct text *out)
{
    const struct problem *p = &b->problems[f->first];
    while (!best_candidate(p, f->overall))
        p++;
    char size[40];
    show_size(f->worst_n, size);
    append_candidate(p, best_candidate(p, f->overall), out);
    text_append(out,
                ": %.1f %% slower than the winners on geometric mean, at most %.1f %% (n = %s)",
                f->regret * 100, f->worst * 100, size);
    if (f->measured < f->count)
        text_append(out, "; measured at %zu of %zu sizes only", f->measured, f->count);
}

/* "float32 sum, cold, kernel": a series is named by its problem without n, after what its kernels
 * do. */
static void append_series(const struct best *b, const struct series *f, struct text *out)
{
    const struct candidate *c = &b->problems[f->first].candidates[0];
    const struct results *r = &b->runs[c->run];
    const char *workload = results_workload(r, results_axis(r, c->row, AXIS_kernel));
    if (*workload && strcmp(workload, "reduce") != 0)
        text_append(out, "%s of ", workload);
    char shape[SHAPE_TEXT] = "";
    text_append(out, "%s %s", results_axis(r, c->row, AXIS_type), results_axis(r, c->row, AXIS_op));
    if (f->count == 1)
        text_append(out, "%s%s", *results_shape(r, c->row, shape) ? ", " : "", shape);
    for (enum axis_index i = AXIS_n + 1; i < AXIS_COUNT; i++)
        if (b->axes >> i & 1 && !axis_is_configuration(i) && !(*shape && axis_in_shape(i)))
            text_append(out, ", %s %s", axis_table[i].name, results_axis(r, c->row, i));
}

void best_add_choices(const struct best *b, struct view *v)
{
    bool any = false;
    for (size_t i = 0; i < b->series_count; i++) {
        struct text line = {0};
        if (b->series[i].count < 2)
            continue;
        if (!any)
            view_line(v, "One configuration for all sizes:");
        any = true;
        append_series(b, &b->series[i], &line);
        text_append(&line, ": ");
        append_choice(b, &b->series[i], &line);
        view_bullet(v, "%s", line.bytes);
        text_free(&line);
    }
}

static void add_series(const struct best *b, const struct series *f, struct view *v)
{
    const struct candidate *c = &b->problems[f->first].candidates[0];
    const struct results *r = &b->runs[c->run];
    struct text name = {0}, choice = {0};
    append_series(b, f, &name);
    view_table_title(add_winners(b, f->first, f->count, false, v), "%s (%s): %s\n",
                     results_text(r, c->row, "device"), results_text(r, c->row, "backend"),
                     name.bytes);
    add_ties(b, f, v);
    add_ranges(b, f, v);
    append_choice(b, f, &choice);
    if (f->count > 1)
        view_line(v, "  One for all sizes: %s", choice.bytes);
    view_line(v, "%s", "");
    text_free(&choice);
    text_free(&name);
}

void best_append_unresolved(size_t rows, struct text *out)
{
    if (rows)
        text_append(out, "Excluded: %zu rows whose time is below the clock's resolution.", rows);
}

void best_add_excluded(const struct best *b, struct view *v)
{
    struct text unresolved = {0};
    if (b->racy)
        view_line(v, "Excluded: %zu rows from kernels marked racy (%s).", b->racy,
                  b->racy_kernels.bytes);
    if (b->failed || b->untimed)
        view_line(v, "Excluded: %zu rows that are not ok, %zu without %s.", b->failed, b->untimed,
                  b->metric);
    best_append_unresolved(b->unresolved, &unresolved);
    if (unresolved.length)
        view_line(v, "%s", unresolved.bytes);
    if (b->raced)
        view_line(v, "Excluded: %zu rows that lost a race: their few samples decide nothing else.",
                  b->raced);
    text_free(&unresolved);
}

static void put_configuration(const void *rows, size_t row, struct view_row *out)
{
    const struct best_view *w = rows;
    const struct configuration_row *at = &w->rows.items[row];
    const struct candidate *c = at->candidate;
    const struct results *r = &w->best->runs[c->run];
    struct estimate ratio = ratio_of(at->problem->candidates[0].time, c->time);
    results_put_named(out, r, c->row, "backend");
    results_put_named(out, r, c->row, "device");
    results_put_names(out, r, c->row, NULL, 0, &w->tunables, w->best->axes);
    view_put(out, at->standing);
    view_put_numbers(out,
                     (const double[]){c->time.value, c->time.low, c->time.high, ratio.value,
                                      ratio.low, ratio.high, c->q},
                     7);
    results_put_named(out, r, c->row, "bandwidth_gbs");
}

static void add_configurations(struct best_view *w, struct view *v)
{
    static const struct column device[] = {VIEW_COLUMN("backend", NULL, COLUMN_TEXT, 0, FOR_ALL),
                                           VIEW_COLUMN("device", NULL, COLUMN_TEXT, 0, FOR_ALL)};
    const struct column columns[] = {VIEW_COLUMN("standing", NULL, COLUMN_TEXT, 0, FOR_ALL),
                                     VIEW_COLUMN(w->best->metric, NULL, COLUMN_NUMBER, 5, FOR_ALL),
                                     VIEW_COLUMN("lo", NULL, COLUMN_NUMBER, 5, FOR_ALL),
                                     VIEW_COLUMN("hi", NULL, COLUMN_NUMBER, 5, FOR_ALL),
                                     VIEW_COLUMN("ratio", NULL, COLUMN_NUMBER, 4, FOR_ALL),
                                     VIEW_COLUMN("ratio_lo", NULL, COLUMN_NUMBER, 4, FOR_ALL),
                                     VIEW_COLUMN("ratio_hi", NULL, COLUMN_NUMBER, 4, FOR_ALL),
                                     VIEW_COLUMN("q", NULL, COLUMN_NUMBER, 1, FOR_ALL),
                                     VIEW_COLUMN("bandwidth_gbs", NULL, COLUMN_NUMBER, 4, FOR_ALL)};
    struct view_table *t =
        view_table(v, "configurations", FOR_PROGRAMS, put_configuration, w, w->rows.count);
    view_columns(t, device, 2);
    results_name_columns(t, AXES_FOR_ALL, &w->tunables, w->best->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
}

static void collect_configurations(struct best_view *w)
{
    for (size_t i = 0; i < w->best->problem_count; i++) {
        const struct problem *p = &w->best->problems[i];
        for (size_t k = 0; k < p->count; k++)
            if (p->candidates[k].tied)
                vec_push(&w->rows,
                         (struct configuration_row){p, &p->candidates[k], k ? "tied" : "winner"});
        if (!isnan(p->reference.time.value))
            vec_push(&w->rows, (struct configuration_row){p, &p->reference, "reference"});
        if (!isnan(p->limit.time.value))
            vec_push(&w->rows, (struct configuration_row){p, &p->limit, "limit"});
    }
}

/* Whose bits were asked for. */
static void add_point(const struct best *b, struct view *v)
{
    const struct best_point *point = b->same_bits;
    struct text name = {0};
    results_configuration(&b->runs[point->run], point->row, &name);
    view_fact(v, "same_bits_as", point->bits);
    view_line(v, "Only configurations with the bits of %s: %s\n", name.bytes, point->bits);
    text_free(&name);
}

struct best_view *best_view(const struct best *b, struct view *v)
{
    struct best_view *w = xcalloc(1, sizeof *w);
    w->best = b;
    for (size_t i = 0; i < b->run_count; i++)
        results_tunables(&b->runs[i], &w->tunables);
    view_title(v, "best of %s", b->runs[b->run_count - 1].path);
    v->main_table = "configurations";
    view_fact(v, "metric", b->metric);
    if (b->same_bits)
        add_point(b, v);
    for (size_t i = 0; i < b->series_count; i++)
        add_series(b, &b->series[i], v);
    best_add_energy(b, &w->metered, v);
    best_add_excluded(b, v);
    collect_configurations(w);
    add_configurations(w, v);
    return w;
}

void best_view_free(struct best_view *w)
{
    if (!w)
        return;
    numbering_free(&w->tunables);
    vec_free(&w->rows);
    vec_free(&w->metered);
    free(w);
}
