/*
 * A comparison as a view: what was compared and what is different about it, then what came out, the
 * largest changes, the counts, and one sentence at the end. Programs also get a table of all
 * points: the point's axes and tunables (of both runs, by name), verdict, both statuses, times with
 * intervals, the tested ratio with its interval, p alone, in its family and of the others around,
 * the smallest ratio that would have been found, what was taken out and allowed for, shares of the
 * ceilings, and METRIC_a, METRIC_b of each common metric. Rows of one run only have the verdict
 * ONLY_A or ONLY_B. Kernels and problems are in diff_view_times.c.
 */
#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "base/utf8.h"

enum { LARGEST = 10, MAX_BROKEN = 20 };

/* Pairs of a table; the table of all points has no list,
 * and the rows of one run behind the pairs. */
struct pair_list {
    const struct diff *d;
    const struct numbering *tunables;
    const size_t *pairs;
    bool metrics;
};

struct diff_view {
    const struct diff *d;
    struct numbering tunables;     /* of both runs */
    struct numbering metric_names; /* METRIC_a, METRIC_b of each metric */
    size_t pairs[VERDICT_COUNT][MAX_BROKEN];
    struct pair_list lists[VERDICT_COUNT], points;
    struct diff_view_times *times;
};

/* A row of such a table; `p` NULL: it is in one run only, and the other's row is NUMBERING_NONE. */
struct point_row {
    size_t a, b;
    const struct point_diff *p;
};

static struct point_row point_row(const struct pair_list *list, size_t row)
{
    const struct match *m = &list->d->match;
    size_t i = list->pairs ? list->pairs[row] : row;
    if (i < m->pairs.count)
        return (struct point_row){m->pairs.items[i].a, m->pairs.items[i].b, &list->d->points[i]};
    i -= m->pairs.count;
    if (i < m->only_a.count)
        return (struct point_row){m->only_a.items[i], NUMBERING_NONE, NULL};
    return (struct point_row){NUMBERING_NONE, m->only_b.items[i - m->only_a.count], NULL};
}

static void put_metrics(const struct diff *d, struct point_row at, struct view_row *out)
{
    for (size_t i = 0; i < d->metrics.count; i++) {
        const struct metric_diff *m = &d->metrics.items[i];
        bool in_a = at.a != NUMBERING_NONE, in_b = at.b != NUMBERING_NONE;
        results_put(out, d->a, in_a ? at.a : 0, in_a ? m->column_a : -1);
        results_put(out, d->b, in_b ? at.b : 0, in_b ? m->column_b : -1);
    }
}

static void put_estimate(struct view_row *out, struct estimate x)
{
    view_put_numbers(out, (const double[]){x.value, x.low, x.high}, 3);
}

static void put_point(const void *rows, size_t row, struct view_row *out)
{
    static const struct estimate none = {NAN, NAN, NAN};
    const struct pair_list *list = rows;
    const struct diff *d = list->d;
    struct point_row at = point_row(list, row);
    const struct point_diff *p = at.p;
    bool in_a = at.a != NUMBERING_NONE, in_b = at.b != NUMBERING_NONE;
    if (in_a) /* what a published table does not know, the run does */
        results_put_names(out, d->a, at.a, in_b ? d->b : NULL, at.b, list->tunables, d->axes);
    else
        results_put_names(out, d->b, at.b, NULL, 0, list->tunables, d->axes);
    view_put(out, p ? verdict_name(p->verdict) : in_a ? "ONLY_A" : "ONLY_B");
    view_put(out, in_a ? results_text(d->a, at.a, "status") : "");
    view_put(out, in_b ? results_text(d->b, at.b, "status") : "");
    const char *reason = !p                             ? ""
                         : p->verdict == VERDICT_BROKEN ? results_text(d->b, at.b, "reason")
                                                        : results_text(d->a, at.a, "reason");
    view_put_format(out, "%.*s", (int)utf8_cut(reason, 60), reason);
    put_estimate(out, p ? diff_time(d->a, at.a) : none);
    put_estimate(out, p ? diff_time(d->b, at.b) : none);
    put_estimate(out, p ? diff_ratio(d, (size_t)(p - d->points)) : none);
    const struct point_effect *effect = p ? p->effect : NULL;
    const double tested[] = {effect ? effect->p : NAN,
                             effect ? effect->p_family : NAN,
                             effect ? effect->unrest : NAN,
                             effect ? 1 + effect->detectable : NAN,
                             effect ? effect->offset_us : NAN,
                             effect ? effect->allowance_us : NAN,
                             p ? diff_share(d, d->a, at.a) : NAN,
                             p ? diff_share(d, d->b, at.b) : NAN};
    view_put_numbers(out, tested, sizeof tested / sizeof *tested);
    view_put(out, p ? bits_verdict_name(diff_bits(d, (size_t)(p - d->points))) : "");
    if (list->metrics)
        put_metrics(d, at, out);
}

static void rank_points(struct view_table *t)
{
    static const struct {
        const char *column;
        enum column_rank rank;
    } ranks[] = {{"kernel", RANK_KEY},     {"verdict", RANK_TIME}, {"time_us_a", RANK_TIME},
                 {"time_us_b", RANK_TIME}, {"ratio", RANK_TIME},   {"ratio_lo", RANK_TIME},
                 {"ratio_hi", RANK_TIME},  {"n", RANK_PROBLEM},    {"setting", RANK_PROBLEM}};
    for (size_t i = 0; i < t->columns.count; i++)
        for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++)
            if (strcmp(t->columns.items[i].name, ranks[k].column) == 0)
                t->columns.items[i].rank = ranks[k].rank;
}

/* Columns of points: `times` are what people see of changed points,
 * else statuses and the reason. */
static void add_point_columns(struct view_table *t, const struct pair_list *list, bool times)
{
    enum audience all = list->pairs ? FOR_PROGRAMS : FOR_PAGES,
                  verdict = list->pairs ? FOR_PROGRAMS : FOR_ALL, status = times ? all : FOR_ALL,
                  time = times ? FOR_ALL : FOR_PROGRAMS;
    const struct column columns[] = {VIEW_COLUMN("verdict", NULL, COLUMN_TEXT, 0, verdict),
                                     VIEW_COLUMN("status_a", "a", COLUMN_TEXT, 0, status),
                                     VIEW_COLUMN("status_b", "b", COLUMN_TEXT, 0, status),
                                     VIEW_OPTIONAL("reason", NULL, COLUMN_TEXT, 0, FOR_PEOPLE),
                                     VIEW_COLUMN("time_us_a", "a µs", COLUMN_NUMBER, 5, time),
                                     VIEW_COLUMN("time_us_a_lo", NULL, COLUMN_NUMBER, 5, all),
                                     VIEW_COLUMN("time_us_a_hi", NULL, COLUMN_NUMBER, 5, all),
                                     VIEW_COLUMN("time_us_b", "b µs", COLUMN_NUMBER, 5, time),
                                     VIEW_COLUMN("time_us_b_lo", NULL, COLUMN_NUMBER, 5, all),
                                     VIEW_COLUMN("time_us_b_hi", NULL, COLUMN_NUMBER, 5, all),
                                     VIEW_COLUMN("ratio", "change", COLUMN_CHANGE, 0, time),
                                     VIEW_COLUMN("ratio_lo", "from", COLUMN_CHANGE, 0, time),
                                     VIEW_COLUMN("ratio_hi", "to", COLUMN_CHANGE, 0, time),
                                     VIEW_COLUMN("p", NULL, COLUMN_NUMBER, 1, all),
                                     VIEW_COLUMN("p_family", NULL, COLUMN_NUMBER, 1, time),
                                     VIEW_COLUMN("unrest", NULL, COLUMN_NUMBER, 1, all),
                                     VIEW_COLUMN("detectable", NULL, COLUMN_CHANGE, 0, time),
                                     VIEW_COLUMN("offset_us", NULL, COLUMN_NUMBER, 3, all),
                                     VIEW_COLUMN("allowance_us", NULL, COLUMN_NUMBER, 3, all),
                                     VIEW_COLUMN("share_a_pct", NULL, COLUMN_NUMBER, 3, all),
                                     VIEW_COLUMN("share_b_pct", NULL, COLUMN_NUMBER, 3, all),
                                     VIEW_COLUMN("bits", NULL, COLUMN_TEXT, 0, all)};
    results_name_columns(t, AXES_FOR_ALL, list->tunables, list->d->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
    rank_points(t);
}

static bool point_is_bad(const void *rows, size_t row)
{
    const struct pair_list *list = rows;
    const struct point_diff *p = point_row(list, row).p;
    unsigned fail_on = list->d->findings.fail_on;
    return p && ((p->verdict == VERDICT_SLOW && fail_on & FAIL_SLOW) ||
                 (p->verdict == VERDICT_BROKEN && fail_on & FAIL_WRONG) ||
                 (p->verdict == VERDICT_UNTIMED && fail_on & FAIL_MISSING) ||
                 (fail_on & FAIL_BITS &&
                  diff_bits(list->d, (size_t)(p - list->d->points)) == BITS_DIFFER));
}

static void add_points(struct diff_view *w, struct view *v)
{
    const struct diff *d = w->d;
    const struct match *m = &d->match;
    w->points = (struct pair_list){.d = d, .tunables = &w->tunables, .metrics = true};
    view_html_heading(v, "points", "Points");
    struct view_table *t = view_table(v, "points", FOR_PAGES, put_point, &w->points,
                                      m->pairs.count + m->only_a.count + m->only_b.count);
    add_point_columns(t, &w->points, true);
    for (size_t i = 0; i < t->columns.count; i++) /* block, unroll and tunables, to filter by */
        if (t->columns.items[i].audience == FOR_PROGRAMS) {
            t->columns.items[i].audience = FOR_PAGES;
            t->columns.items[i].optional = true;
        }
    t->searchable = true;
    t->is_bad = point_is_bad;
    for (size_t i = 0; i < 2 * d->metrics.count; i++) {
        const struct metric_diff *metric = &d->metrics.items[i / 2];
        const struct results *r = i % 2 ? d->b : d->a;
        size_t column = (size_t)(i % 2 ? metric->column_b : metric->column_a);
        char *name = xasprintf("%s_%c", r->rows.columns.items[column]->name, i % 2 ? 'b' : 'a');
        size_t number = numbering_add(&w->metric_names, name);
        struct column c = results_view_column(r, column, FOR_PAGES);
        c.name = w->metric_names.texts.items[number];
        vec_push(&t->columns, c);
        free(name);
    }
}

static bool every_row(const void *rows, size_t row)
{
    (void)rows;
    (void)row;
    return true;
}

/* The largest changes of a verdict, or the first points of one that is not about a change. */
static void add_changed(struct diff_view *w, struct view *v, enum verdict verdict, const char *name,
                        const char *title)
{
    const struct diff *d = w->d;
    bool broken = verdict == VERDICT_BROKEN || verdict == VERDICT_FIXED;
    bool listed = broken || verdict == VERDICT_UNTIMED;
    size_t all = d->all->verdicts[verdict], count = 0, *pairs = w->pairs[verdict];
    if (!all)
        return;
    for (size_t i = 0; listed && i < d->match.pairs.count && count < MAX_BROKEN; i++)
        if (d->points[i].verdict == verdict)
            pairs[count++] = i;
    if (!listed)
        count = diff_largest(d, verdict, pairs, LARGEST);
    w->lists[verdict] = (struct pair_list){.d = d, .tunables = &w->tunables, .pairs = pairs};
    view_line(v, "%s", "");
    struct view_table *t = view_table(v, name, FOR_PEOPLE, put_point, &w->lists[verdict], count);
    if (listed)
        view_table_title(t, "%s: %zu", title, all);
    else if (all > count)
        view_table_title(t, "%s (the ten largest changes of %zu):", title, all);
    else
        view_table_title(t, "%s:", title);
    add_point_columns(t, &w->lists[verdict], !broken);
    unsigned kind = verdict == VERDICT_SLOW      ? FAIL_SLOW
                    : verdict == VERDICT_BROKEN  ? FAIL_WRONG
                    : verdict == VERDICT_UNTIMED ? FAIL_MISSING
                                                 : 0;
    t->is_bad = d->findings.fail_on & kind ? every_row : NULL;
}

static void put_transfer(const void *rows, size_t row, struct view_row *out)
{
    const struct diff *d = rows;
    const struct transfer *t = &d->transfers.items[row];
    const struct pair *pairs = d->match.pairs.items;
    results_put_problem(out, d->a, pairs[t->pair].a, d->b, pairs[t->pair].b, d->axes);
    view_put_number(out, (double)t->configurations);
    view_put_number(out, t->correlation);
    const size_t winners[] = {t->winner_a, t->winner_b};
    for (int i = 0; i < 2; i++) {
        struct text name = {0};
        results_configuration(d->a, pairs[winners[i]].a, &name);
        view_put_made(out, &name);
    }
    view_put_number(out, t->cost);
}

static void add_transfers(const struct diff *d, struct view *v)
{
    static const struct column columns[] = {
        VIEW_COLUMN("configurations", "points", COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("rank_correlation", "correlation", COLUMN_NUMBER, 3, FOR_ALL),
        VIEW_COLUMN("winner_a", "a's winner", COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("winner_b", "b's winner", COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("cost_of_winner_a_on_b", "a's winner on b costs", COLUMN_CHANGE, 0, FOR_ALL)};
    view_line(v, "%s", "");
    struct view_table *t = view_table(v, "transfers", FOR_ALL, put_transfer, d, d->transfers.count);
    view_table_title(t, "How well configurations carry over (rank correlation of their times), and "
                        "what a's winner costs on b:");
    results_problem_columns(t, AXES_FOR_ALL, d->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
}

static void put_metric(const void *rows, size_t row, struct view_row *out)
{
    const struct diff *d = rows;
    const struct metric_diff *m = &d->metrics.items[row];
    bool differ = m->equal < m->both;
    size_t largest = d->match.pairs.items[m->largest_pair].a;
    view_put(out, d->a->rows.columns.items[m->column_a]->name);
    view_put_number(out, (double)m->both);
    view_put_number(out, (double)m->equal);
    view_put_number(out, m->deterministic && !*m->rule ? (double)m->worse : NAN);
    view_put_number(out, m->deterministic && !*m->rule ? (double)m->better : NAN);
    if (*m->rule || m->deterministic)
        view_put(out, *m->rule ? "another rule" : "exactly");
    else
        view_put_format(out, "to %g %%", d->options.minimum_effect * 100);
    view_put(out, m->rule);
    view_put_number(out, m->geometric_mean);
    view_put_number(out, differ ? m->largest : NAN);
    if (differ)
        view_put_format(out, "%s, n %s", results_axis(d->a, largest, AXIS_kernel),
                        results_axis(d->a, largest, AXIS_n));
}

static bool metric_is_worse(const void *rows, size_t row)
{
    return ((const struct diff *)rows)->metrics.items[row].worse > 0;
}

static void add_metrics(const struct diff *d, struct view *v)
{
    if (!d->metrics.count)
        return;
    static const struct column columns[] = {
        VIEW_COLUMN("metric", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("points", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("equal", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_OPTIONAL("worse", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_OPTIONAL("better", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("compared", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("rule_differs", NULL, COLUMN_TEXT, 0, FOR_PROGRAMS),
        VIEW_COLUMN("geometric_mean", "b/a", COLUMN_NUMBER, 5, FOR_ALL),
        VIEW_COLUMN("largest", NULL, COLUMN_NUMBER, 5, FOR_ALL),
        VIEW_COLUMN("of", NULL, COLUMN_TEXT, 0, FOR_ALL)};
    view_line(v, "%s", "");
    struct view_table *t = view_table(v, "metrics", FOR_ALL, put_metric, d, d->metrics.count);
    view_table_title(t, "Counts:");
    t->is_bad = d->findings.fail_on & FAIL_COUNTS ? metric_is_worse : NULL;
    view_columns(t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < d->metrics.count; i++)
        if (*d->metrics.items[i].rule)
            view_table_note(t, "  %s is not the same count on both: %s.",
                            d->a->rows.columns.items[d->metrics.items[i].column_a]->name,
                            d->metrics.items[i].rule);
}

static void put_figure(const void *rows, size_t row, struct view_row *out)
{
    static const char *const words[] = {"equal", "same order", "differs", "missing"};
    const struct diff *d = rows;
    const struct figure *f = &d->figures.items[row];
    const char *name = d->a->rows.columns.items[f->column]->name,
               *here = f->column_b ? f->column_b : "";
    bool other = *here && strcmp(here, name) != 0;
    struct text setting = {0};
    results_setting(d->a, f->row, &setting);
    view_put(out, name);
    view_put(out, here);
    view_put_format(out, "%s%s%s", name, other ? " as " : "", other ? here : "");
    view_put(out, results_axis(d->a, f->row, AXIS_kernel));
    view_put_made(out, &setting);
    view_put(out, table_cell(&d->a->rows, f->row, f->column));
    view_put_number(out, f->value);
    view_put(out, f->kind == FIGURE_COUNT ? "count" : "order");
    view_put(out, words[f->verdict]);
    view_put(out, f->why);
    view_put_format(out, "%s%s%.300s", words[f->verdict], *f->why ? ": " : "", f->why);
}

/* "counts: 20 equal, 0 differ, 15 missing; orders: …" */
static void add_figure_totals(const struct diff *d, struct view_table *t)
{
    size_t totals[2][FIGURE_VERDICTS] = {{0}};
    for (size_t i = 0; i < d->figures.count; i++)
        totals[d->figures.items[i].kind][d->figures.items[i].verdict]++;
    const size_t *counts = totals[FIGURE_COUNT], *orders = totals[FIGURE_ORDER];
    view_table_note(t,
                    "counts: %zu equal, %zu differ, %zu missing; orders: %zu the same, %zu differ, "
                    "%zu missing",
                    counts[FIGURE_EQUAL], counts[FIGURE_DIFFERS], counts[FIGURE_MISSING],
                    orders[FIGURE_SAME_ORDER], orders[FIGURE_DIFFERS], orders[FIGURE_MISSING]);
}

static bool figure_is_bad(const void *rows, size_t row)
{
    const struct figure *f = &((const struct diff *)rows)->figures.items[row];
    return f->kind == FIGURE_COUNT && f->verdict != FIGURE_EQUAL;
}

static void add_figures(const struct diff *d, struct view *v)
{
    if (!d->figures.count)
        return;
    enum audience programs = FOR_PROGRAMS;
    const struct column columns[] = {
        VIEW_COLUMN("quantity", NULL, COLUMN_TEXT, 0, programs),
        VIEW_COLUMN("counted_as", NULL, COLUMN_TEXT, 0, programs),
        VIEW_COLUMN("quantity_as", "quantity", COLUMN_TEXT, 0, FOR_PEOPLE),
        VIEW_COLUMN("kernel", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("setting", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("published", NULL, COLUMN_NUMBER, 0, FOR_ALL), /* as it was printed: a text */
        VIEW_COLUMN("here", NULL, COLUMN_NUMBER, 6, FOR_ALL),
        VIEW_COLUMN("kind", NULL, COLUMN_TEXT, 0, programs),
        VIEW_COLUMN("verdict", NULL, COLUMN_TEXT, 0, programs),
        VIEW_COLUMN("why", NULL, COLUMN_TEXT, 0, programs),
        VIEW_COLUMN("outcome", "verdict", COLUMN_TEXT, 0, FOR_PEOPLE)};
    const struct provenance *made = &d->a->manifest.provenance;
    view_line(v, "%s", "");
    struct view_table *t = view_table(v, "published", FOR_ALL, put_figure, d, d->figures.count);
    view_table_title(t, "%s\npublished: %s, %s, in %s\nhere:      %s, %s\n",
                     *made->title ? made->title : d->a->path, results_device(d->a),
                     *made->tool ? made->tool : "tool unknown",
                     *made->source ? made->source : "source unknown", results_device(d->b),
                     d->b->path);
    view_columns(t, columns, sizeof columns / sizeof *columns);
    t->is_bad = figure_is_bad;
    add_figure_totals(d, t);
}

static void add_run(const char *letter, const struct results *r, struct view *v)
{
    const char *started = r->manifest.provenance.started, *name = r->manifest.provenance.run;
    view_line(v, "%s  %s: %s (%s)%s%s%s%s, %zu rows%s", letter, r->path, results_device(r),
              results_backend(r), *name ? ", " : "", name, *started ? ", " : "", started,
              r->rows.row_count, r->rows.torn ? "; last row truncated, ignored" : "");
}

/* The k-th line of what differs in the runs' provenance. */
static void put_change(const void *rows, size_t row, struct view_row *out)
{
    const char *line = rows;
    for (; row > 0; row--)
        line = strchr(line, '\n') + 1;
    view_put_format(out, "%.*s", (int)strcspn(line, "\n"), line);
}

static void add_environment(const struct diff *d, struct view *v)
{
    size_t count = 0;
    view_line(v, "\nEnvironment differences:%s", d->changes.length ? "" : " none recorded");
    for (const char *line = text_shown(&d->changes); *line; count++) {
        size_t length = strcspn(line, "\n");
        view_line(v, "  %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    struct view_table *t =
        view_table(v, "environment", FOR_PROGRAMS, put_change, text_shown(&d->changes), count);
    vec_push(&t->columns, (struct column){.name = "difference"});
}

/* Rows that only one run has, counted by kernel in the order of their appearance. */
static void add_only(const char *letter, const struct results *r, const size_t *rows, size_t count,
                     struct view *v)
{
    struct numbering kernels = {0};
    size_t *counts = xcalloc(count + 1, sizeof *counts);
    for (size_t i = 0; i < count; i++)
        counts[numbering_add(&kernels, results_axis(r, rows[i], AXIS_kernel))]++;
    struct text line = {0};
    for (size_t i = 0; i < kernels.texts.count; i++)
        text_append(&line, "%s %s (%zu)", i ? "," : "", kernels.texts.items[i], counts[i]);
    if (count)
        view_line(v, "  only in %s:%s", letter, line.bytes);
    text_free(&line);
    free(counts);
    numbering_free(&kernels);
}

static void add_match(const struct diff *d, struct view *v)
{
    const struct match *m = &d->match;
    view_line(v, "\n%zu point%s in both runs, %zu only in a, %zu only in b.", m->pairs.count,
              m->pairs.count == 1 ? " is" : "s are", m->only_a.count, m->only_b.count);
    add_only("a", d->a, m->only_a.items, m->only_a.count, v);
    add_only("b", d->b, m->only_b.items, m->only_b.count, v);
    struct text ignored = {0};
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (m->ignored & KEY_AXIS(i))
            text_append(&ignored, "%s%s", ignored.length ? ", " : "", axis_table[i].name);
    if (ignored.length)
        view_line(v, "  not matched, as one run does not know it: %s", ignored.bytes);
    text_free(&ignored);
    if (m->duplicates_a || m->duplicates_b)
        view_line(v, "  duplicate points ignored: %zu of a, %zu of b", m->duplicates_a,
                  m->duplicates_b);
    size_t silent = m->pairs.count - d->all->timed - d->all->verdicts[VERDICT_BROKEN] -
                    d->all->verdicts[VERDICT_FIXED] - d->all->verdicts[VERDICT_UNTIMED];
    if (silent)
        view_line(v, "  %zu of the common points have no times to compare", silent);
    diff_view_bits(d, v);
}

static void put_lost(const void *rows, size_t row, struct view_row *out)
{
    const struct diff_lost *lost = (const struct diff_lost *)rows + row;
    view_put(out, lost->kernel);
    view_put_numbers(out,
                     (const double[]){(double)lost->vanished, (double)lost->skipped,
                                      (double)lost->failed,
                                      lost->untimed_b ? (double)lost->untimed_b : NAN,
                                      lost->untimed_a ? (double)lost->untimed_a : NAN},
                     5);
}

static void add_lost(const struct diff *d, struct view *v)
{
    static const struct column columns[] = {
        VIEW_COLUMN("kernel", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("vanished", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("skipped", "not run", COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("failed", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_OPTIONAL("untimed_b", "no time in b", COLUMN_COUNT, 0, FOR_ALL),
        VIEW_OPTIONAL("untimed_a", "no time in a", COLUMN_COUNT, 0, FOR_ALL)};
    if (!d->lost.count)
        return;
    view_line(v, "%s", "");
    struct view_table *t =
        view_table(v, "missing", FOR_ALL, put_lost, d->lost.items, d->lost.count);
    view_table_title(t, d->findings.untimed_a || d->findings.untimed_b
                            ? "Points that are ok in a and missing in b, or ok in both and timed "
                              "in one:"
                            : "Points that are ok in a and missing in b:");
    view_columns(t, columns, sizeof columns / sizeof *columns);
    t->is_bad = d->findings.fail_on & FAIL_MISSING ? every_row : NULL;
}

static void add_facts(const struct diff *d, struct view *v)
{
    view_fact(v, "a", d->a->path);
    view_fact(v, "device_a", results_device(d->a));
    view_fact(v, "backend_a", results_backend(d->a));
    view_fact_number(v, "rows_a", (double)d->a->rows.row_count);
    view_fact(v, "b", d->b->path);
    view_fact(v, "device_b", results_device(d->b));
    view_fact(v, "backend_b", results_backend(d->b));
    view_fact_number(v, "rows_b", (double)d->b->rows.row_count);
    view_fact(v, "same_device", d->same_device ? "yes" : "no");
    view_fact_number(v, "minimum_effect", d->options.minimum_effect);
    view_fact_number(v, "family_wise_error_rate", d->options.error_rate);
    view_fact_number(v, "clock_step_us", d->margins.step_us);
    view_fact_number(v, "context_sd_us", d->margins.context_sd_us);
    view_fact(v, "share_of", d->ceiling);
    view_fact_number(v, "matched", (double)d->match.pairs.count);
    view_fact_number(v, "duplicates_a", (double)d->match.duplicates_a);
    view_fact_number(v, "duplicates_b", (double)d->match.duplicates_b);
}

struct diff_view *diff_view(const struct diff *d, bool strict, struct view *v)
{
    struct diff_view *w = xcalloc(1, sizeof *w);
    w->d = d;
    results_tunables(d->a, &w->tunables);
    results_tunables(d->b, &w->tunables);
    view_title(v, "%s against %s", d->b->path, d->a->path);
    v->main_table = "points";
    add_facts(d, v);
    diff_view_page(d, v);
    add_run("a", d->a, v);
    add_run("b", d->b, v);
    add_environment(d, v);
    add_match(d, v);
    w->times = diff_view_times(d, v);
    add_lost(d, v);
    add_changed(w, v, VERDICT_UNTIMED, "untimed", "Timed in one run only");
    if (d->same_device) {
        add_changed(w, v, VERDICT_BROKEN, "broken", "No longer right");
        add_changed(w, v, VERDICT_FIXED, "fixed", "Right again");
        add_changed(w, v, VERDICT_SLOW, "slower", "Slower");
        add_changed(w, v, VERDICT_FAST, "faster", "Faster");
    } else {
        add_changed(w, v, VERDICT_BROKEN, "broken", "Right on a, not on b");
        if (d->transfers.count)
            add_transfers(d, v);
    }
    add_metrics(d, v);
    add_figures(d, v);
    add_points(w, v);
    char *conclusion = diff_conclusion(d, strict);
    view_conclude(v, conclusion);
    v->no_result = diff_exit_code(d, strict) == DIFF_NOTHING;
    free(conclusion);
    return w;
}

void diff_view_free(struct diff_view *w)
{
    numbering_free(&w->tunables);
    numbering_free(&w->metric_names);
    diff_view_times_free(w->times);
    free(w);
}
