/*
 * Makes a view of a comparison: the runs and their differences, the results, the largest changes,
 * the counts, and a one-sentence conclusion. Programs also get a table of all points, with columns
 * METRIC_a and METRIC_b for each metric that both runs have. A point that only one run has gets the
 * verdict ONLY_A or ONLY_B, and the cells for the other run are empty.
 */
#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "base/utf8.h"

enum { LARGEST = 10, MAX_BROKEN = 20 };

/*
 * A row of a table of points: the rows of the point in both runs, and their comparison. If only one
 * run has the point, `p` is NULL and the row of the other run is NUMBERING_NONE.
 */
struct point_row {
    size_t a, b;
    const struct point_diff *p;
};

/*
 * Returns row i of the table of all points: the pairs, followed by the points that only one run
 * has.
 */
static struct point_row point_row(const struct diff *d, size_t i)
{
    const struct match *m = &d->match;
    if (i < m->pairs.count)
        return (struct point_row){m->pairs.items[i].a, m->pairs.items[i].b, &d->points[i]};
    i -= m->pairs.count;
    if (i < m->only_a.count)
        return (struct point_row){m->only_a.items[i], NUMBERING_NONE, NULL};
    return (struct point_row){NUMBERING_NONE, m->only_b.items[i - m->only_a.count], NULL};
}

/*
 * Adds the columns that name the points. An axis that run a lacks, because it is a published table,
 * comes from the rows of run b.
 */
static void add_names(struct table *t, const struct diff *d, const struct point_row *at)
{
    struct numbering tunables = {0};
    struct run_row *rows = xcalloc(t->row_count + 1, sizeof *rows);
    for (size_t i = 0; i < t->row_count; i++) {
        bool in_a = at[i].a != NUMBERING_NONE, in_b = at[i].b != NUMBERING_NONE;
        rows[i] = (struct run_row){.run = in_a ? d->a : d->b,
                                   .row = (uint32_t)(in_a ? at[i].a : at[i].b),
                                   .other = in_a && in_b ? d->b : NULL,
                                   .other_row = (uint32_t)(in_b ? at[i].b : 0)};
    }
    results_tunables(d->a, &tunables);
    results_tunables(d->b, &tunables);
    results_add_names(t, rows, d->axes, &tunables);
    numbering_free(&tunables);
    free(rows);
}

/*
 * Returns a list with the row of run a, or of run b if `b` is true, from which each row of the
 * table comes. The table owns the list.
 */
static const uint32_t *rows_of(struct table *t, const struct point_row *at, bool b)
{
    uint32_t *rows = xmalloc((t->row_count + 1) * sizeof *rows);
    for (size_t i = 0; i < t->row_count; i++) {
        size_t row = b ? at[i].b : at[i].a;
        rows[i] = row == NUMBERING_NONE ? ROW_NONE : (uint32_t)row;
    }
    return table_keep(t, rows);
}

static const char *verdict_of(const struct point_row *at)
{
    return at->p ? verdict_name(at->p->verdict) : at->b == NUMBERING_NONE ? "ONLY_A" : "ONLY_B";
}

static void add_reasons(struct table *t, const struct diff *d, const struct point_row *at)
{
    struct column *reasons =
        table_add(t, (struct column){.name = "reason", .audience = FOR_PEOPLE, .optional = true});
    for (size_t i = 0; i < t->row_count; i++) {
        const struct point_diff *p = at[i].p;
        const char *reason = !p ? ""
                             : p->verdict == VERDICT_BROKEN
                                 ? column_text(d->b->known.reason, at[i].b)
                                 : column_text(d->a->known.reason, at[i].a);
        char *cut = xstrndup(reason, utf8_cut(reason, 60));
        column_set_text(reasons, i, cut);
        free(cut);
    }
}

/* Adds the names of the counts that got worse at each point. */
static void add_worse_counts(struct table *t, const struct diff *d, const struct point_row *at)
{
    struct column *c = table_add(
        t, (struct column){.name = "worse_counts", .audience = FOR_PAGES, .optional = true});
    struct text names = {0};
    for (size_t i = 0; i < t->row_count; i++) {
        names.length = 0;
        if (at[i].p)
            diff_worse_counts(d, (size_t)(at[i].p - d->points), &names);
        column_set_text(c, i, names.length ? names.bytes : "");
    }
    text_free(&names);
}

/*
 * Adds the two times of each point with their intervals, and their ratio. `time` says who sees the
 * times and the ratio, `interval` who sees the intervals of the times.
 */
static void add_times(struct table *t, const struct diff *d, const struct point_row *at,
                      enum audience time, enum audience interval)
{
    static const struct estimate none = {NAN, NAN, NAN};
    struct estimate *of = xmalloc((t->row_count + 1) * sizeof *of);
    for (size_t i = 0; i < t->row_count; i++)
        of[i] = at[i].p ? diff_time(d->a, at[i].a) : none;
    table_add_numbers(t, i, of[i].value, "time_us_a", .heading = "a µs", .kind = COLUMN_NUMBER,
                      .digits = 5, .audience = time, .rank = RANK_TIME);
    table_add_numbers(t, i, of[i].low, "time_us_a_lo", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = interval);
    table_add_numbers(t, i, of[i].high, "time_us_a_hi", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = interval);
    for (size_t i = 0; i < t->row_count; i++)
        of[i] = at[i].p ? diff_time(d->b, at[i].b) : none;
    table_add_numbers(t, i, of[i].value, "time_us_b", .heading = "b µs", .kind = COLUMN_NUMBER,
                      .digits = 5, .audience = time, .rank = RANK_TIME);
    table_add_numbers(t, i, of[i].low, "time_us_b_lo", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = interval);
    table_add_numbers(t, i, of[i].high, "time_us_b_hi", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = interval);
    for (size_t i = 0; i < t->row_count; i++)
        of[i] = at[i].p ? diff_ratio(d, (size_t)(at[i].p - d->points)) : none;
    table_add_numbers(t, i, of[i].value, "ratio", .heading = "change", .kind = COLUMN_CHANGE,
                      .audience = time, .rank = RANK_TIME);
    table_add_numbers(t, i, of[i].low, "ratio_lo", .heading = "from", .kind = COLUMN_CHANGE,
                      .audience = time, .rank = RANK_TIME);
    table_add_numbers(t, i, of[i].high, "ratio_hi", .heading = "to", .kind = COLUMN_CHANGE,
                      .audience = time, .rank = RANK_TIME);
    free(of);
}

/*
 * Returns the effect on a point, or NULL if the point was not judged or is missing in one of the
 * runs.
 */
static const struct point_effect *effect_of(const struct point_row *at)
{
    return at->p ? at->p->effect : NULL;
}
#define EFFECT(member) (effect_of(&at[i]) ? effect_of(&at[i])->member : NAN)

static void add_effects(struct table *t, const struct diff *d, const struct point_row *at,
                        enum audience time, enum audience all)
{
    table_add_numbers(t, i, EFFECT(p), "p", .kind = COLUMN_NUMBER, .digits = 1, .audience = all);
    table_add_numbers(t, i, EFFECT(p_family), "p_family", .kind = COLUMN_NUMBER, .digits = 1,
                      .audience = time);
    table_add_numbers(t, i, EFFECT(unrest), "unrest", .kind = COLUMN_NUMBER, .digits = 1,
                      .audience = all);
    table_add_numbers(t, i, 1 + EFFECT(detectable), "detectable", .kind = COLUMN_CHANGE,
                      .audience = time);
    table_add_numbers(t, i, EFFECT(offset_us), "offset_us", .kind = COLUMN_NUMBER, .digits = 3,
                      .audience = all);
    table_add_numbers(t, i, EFFECT(allowance_us), "allowance_us", .kind = COLUMN_NUMBER,
                      .digits = 3, .audience = all);
    table_add_numbers(t, i, at[i].p ? diff_share(d, d->a, at[i].a) : NAN, "share_a_pct",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = all);
    table_add_numbers(t, i, at[i].p ? diff_share(d, d->b, at[i].b) : NAN, "share_b_pct",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = all);
    table_add_texts(t, i,
                    at[i].p ? bits_verdict_name(diff_bits(d, (size_t)(at[i].p - d->points))) : "",
                    "bits", .audience = all);
}

/* Adds the columns METRIC_a and METRIC_b for each metric that both runs have. */
static void add_metrics_of_points(struct table *t, const struct diff *d, const uint32_t *rows_a,
                                  const uint32_t *rows_b)
{
    for (size_t i = 0; i < 2 * d->metrics.count; i++) {
        const struct metric_diff *metric = &d->metrics.items[i / 2];
        const struct column *c = i % 2 ? metric->b : metric->a;
        struct column like = *c;
        like.name = table_keep(t, xasprintf("%s_%c", c->name, i % 2 ? 'b' : 'a'));
        like.audience = FOR_PAGES;
        like.as_printed = false;
        table_show(t, like, c, i % 2 ? rows_b : rows_a);
    }
}

/*
 * Adds the columns of a table of points. People see times if `times` is true, otherwise statuses
 * and reasons. If `listed` is true, all points in the table have the same verdict.
 */
static void add_point_columns(struct table *t, const struct diff *d, const struct point_row *at,
                              bool times, bool listed)
{
    enum audience all = listed ? FOR_PROGRAMS : FOR_PAGES,
                  verdict = listed ? FOR_PROGRAMS : FOR_ALL, status = times ? all : FOR_ALL,
                  time = times ? FOR_ALL : FOR_PROGRAMS;
    const uint32_t *rows_a = rows_of(t, at, false), *rows_b = rows_of(t, at, true);
    add_names(t, d, at);
    table_add_texts(t, i, verdict_of(&at[i]), "verdict", .audience = verdict, .rank = RANK_TIME);
    table_show(t, (struct column){.name = "status_a", .heading = "a", .audience = status},
               d->a->known.status, rows_a);
    table_show(t, (struct column){.name = "status_b", .heading = "b", .audience = status},
               d->b->known.status, rows_b);
    add_reasons(t, d, at);
    if (!listed)
        add_worse_counts(t, d, at);
    add_times(t, d, at, time, all);
    add_effects(t, d, at, time, all);
    if (!listed)
        add_metrics_of_points(t, d, rows_a, rows_b);
}

static bool point_is_bad(const struct diff *d, const struct point_diff *p)
{
    unsigned fail_on = d->findings.fail_on;
    return p && ((p->verdict == VERDICT_SLOW && fail_on & FAIL_SLOW) ||
                 (p->verdict == VERDICT_BROKEN && fail_on & FAIL_WRONG) ||
                 (p->verdict == VERDICT_UNTIMED && fail_on & FAIL_MISSING) ||
                 (fail_on & FAIL_COUNTS && diff_worse_counts(d, (size_t)(p - d->points), NULL)) ||
                 (fail_on & FAIL_BITS && diff_bits(d, (size_t)(p - d->points)) == BITS_DIFFER));
}

/*
 * Makes the table of all points when a writer first asks for it. There may be 10^6 points, and the
 * terminal shows none of them.
 */
static void make_points(const void *context, struct view_table *t)
{
    const struct diff *d = context;
    size_t count = t->cells.row_count;
    struct point_row *at = xmalloc((count + 1) * sizeof *at);
    t->bad = view_marks(t);
    for (size_t i = 0; i < count; i++) {
        at[i] = point_row(d, i);
        t->bad[i] = point_is_bad(d, at[i].p);
    }
    add_point_columns(&t->cells, d, at, true, false);
    /* so that the page can filter by these columns */
    for (size_t i = 0; i < t->cells.columns.count; i++)
        if (t->cells.columns.items[i]->audience == FOR_PROGRAMS) {
            t->cells.columns.items[i]->audience = FOR_PAGES;
            t->cells.columns.items[i]->optional = true;
        }
    free(at);
}

static void add_points(const struct diff *d, struct view *v)
{
    const struct match *m = &d->match;
    view_html_heading(v, "points", "Points");
    struct view_table *t =
        view_add_table(v, "points", FOR_PAGES, m->pairs.count + m->only_a.count + m->only_b.count);
    t->searchable = true;
    t->make = make_points;
    t->context = d;
}

/* Marks every row of a table as bad if `bad` is true. */
static void mark_all(struct view_table *t, bool bad)
{
    if (bad) {
        t->bad = view_marks(t);
        memset(t->bad, true, t->cells.row_count);
    }
}

/*
 * Adds a table of points with the given verdict: for SLOW and FAST, those that changed most; for
 * other verdicts, the first ones.
 */
static void add_changed(const struct diff *d, struct view *v, enum verdict verdict,
                        const char *name, const char *title)
{
    bool broken = verdict == VERDICT_BROKEN || verdict == VERDICT_FIXED;
    bool listed = broken || verdict == VERDICT_UNTIMED;
    size_t all = d->all->verdicts[verdict], count = 0, pairs[MAX_BROKEN];
    struct point_row at[MAX_BROKEN];
    if (!all)
        return;
    for (size_t i = 0; listed && i < d->match.pairs.count && count < MAX_BROKEN; i++)
        if (d->points[i].verdict == verdict)
            pairs[count++] = i;
    if (!listed)
        count = diff_largest(d, verdict, pairs, LARGEST);
    for (size_t i = 0; i < count; i++)
        at[i] = point_row(d, pairs[i]);
    view_line(v, "%s", "");
    struct view_table *t = view_add_table(v, name, FOR_PEOPLE, count);
    if (listed)
        view_table_title(t, "%s: %zu", title, all);
    else if (all > count)
        view_table_title(t, "%s (the ten largest changes of %zu):", title, all);
    else
        view_table_title(t, "%s:", title);
    add_point_columns(&t->cells, d, at, !broken, true);
    unsigned kind = verdict == VERDICT_SLOW      ? FAIL_SLOW
                    : verdict == VERDICT_BROKEN  ? FAIL_WRONG
                    : verdict == VERDICT_UNTIMED ? FAIL_MISSING
                                                 : 0;
    mark_all(t, d->findings.fail_on & kind);
}

static void add_transfers(const struct diff *d, struct view *v)
{
    view_line(v, "%s", "");
    size_t count = d->transfers.count;
    struct view_table *t = view_add_table(v, "transfers", FOR_ALL, count);
    const struct transfer *of = d->transfers.items;
    struct run_row *rows = diff_transfer_rows(d);
    view_table_title(t,
                     "The fastest configuration of each problem on each device, how much slower "
                     "the winner of one\n"
                     "device is on the other device, and how well configurations carry over (rank "
                     "correlation of their times):");
    results_add_problem(&t->cells, rows, d->axes, FOR_ALL, PROBLEM_BY_SIZE);
    table_add_numbers(&t->cells, i, diff_winner_time(d, &of[i], false), "time_us_a",
                      .heading = "a µs", .kind = COLUMN_NUMBER, .digits = 5);
    table_add_numbers(&t->cells, i, diff_winner_time(d, &of[i], true), "time_us_b",
                      .heading = "b µs", .kind = COLUMN_NUMBER, .digits = 5);
    table_add_numbers(&t->cells, i,
                      diff_winner_time(d, &of[i], true) / diff_winner_time(d, &of[i], false),
                      "ratio", .heading = "change", .kind = COLUMN_CHANGE);
    table_add_numbers(&t->cells, i, of[i].cost, "cost_of_winner_a_on_b", .heading = "a's on b",
                      .kind = COLUMN_CHANGE);
    table_add_numbers(&t->cells, i, of[i].cost_back, "cost_of_winner_b_on_a", .heading = "b's on a",
                      .kind = COLUMN_CHANGE);
    table_add_numbers(&t->cells, i, of[i].correlation, "rank_correlation", .heading = "correlation",
                      .kind = COLUMN_NUMBER, .digits = 3);
    table_add_numbers(&t->cells, i, (double)of[i].configurations, "configurations",
                      .heading = "points", .kind = COLUMN_COUNT);
    table_add_texts(&t->cells, i, diff_winner(d, &t->cells, &of[i], false), "winner_a",
                    .heading = "a's winner");
    table_add_texts(&t->cells, i, diff_winner(d, &t->cells, &of[i], true), "winner_b",
                    .heading = "b's winner");
    free(rows);
}

/* Returns how a metric was compared: "exactly", for example. The table owns the string. */
static const char *how_compared(const struct diff *d, const struct metric_diff *m, struct table *t)
{
    if (*m->rule || m->deterministic)
        return *m->rule ? "another rule" : "exactly";
    return table_keep(t, xasprintf("to %g %%", d->options.minimum_effect * 100));
}

/*
 * Returns the kernel and the n for which a metric differs most, or "" if it does not differ. The
 * table owns the string.
 */
static const char *where_largest(const struct diff *d, const struct metric_diff *m, struct table *t)
{
    if (m->equal == m->both)
        return "";
    size_t row = d->match.pairs.items[m->largest_pair].a;
    return table_keep(t, xasprintf("%s, n %s", results_axis(d->a, row, AXIS_kernel),
                                   results_axis(d->a, row, AXIS_n)));
}

static void add_metric_columns(const struct diff *d, struct table *t)
{
    const struct metric_diff *of = d->metrics.items;
    table_add_texts(t, i, of[i].a->name, "metric");
    table_add_numbers(t, i, (double)of[i].both, "points", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, (double)of[i].equal, "equal", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, of[i].deterministic && !*of[i].rule ? (double)of[i].worse : NAN,
                      "worse", .kind = COLUMN_COUNT, .optional = true);
    table_add_numbers(t, i, of[i].deterministic && !*of[i].rule ? (double)of[i].better : NAN,
                      "better", .kind = COLUMN_COUNT, .optional = true);
    table_add_texts(t, i, how_compared(d, &of[i], t), "compared");
    table_add_texts(t, i, of[i].rule, "rule_differs", .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, of[i].geometric_mean, "geometric_mean", .heading = "b/a",
                      .kind = COLUMN_NUMBER, .digits = 5);
    table_add_numbers(t, i, of[i].equal < of[i].both ? of[i].largest : NAN, "largest",
                      .kind = COLUMN_NUMBER, .digits = 5);
    table_add_texts(t, i, where_largest(d, &of[i], t), "of");
}

static void add_metrics(const struct diff *d, struct view *v)
{
    if (!d->metrics.count)
        return;
    view_line(v, "%s", "");
    struct view_table *t = view_add_table(v, "metrics", FOR_ALL, d->metrics.count);
    view_table_title(t, "Counts:");
    if (d->findings.fail_on & FAIL_COUNTS) {
        t->bad = view_marks(t);
        for (size_t i = 0; i < d->metrics.count; i++)
            t->bad[i] = d->metrics.items[i].worse > 0;
    }
    add_metric_columns(d, &t->cells);
    for (size_t i = 0; i < d->metrics.count; i++)
        if (*d->metrics.items[i].rule)
            view_table_note(t, "  %s counts different things on the two devices: %s.",
                            d->metrics.items[i].a->name, d->metrics.items[i].rule);
}

static void add_run(const char *letter, const struct results *r, struct view *v)
{
    const char *started = r->manifest.provenance.started, *name = r->manifest.provenance.run;
    view_line(v, "%s  %s: %s (%s)%s%s%s%s, %zu row%s%s", letter, r->path, results_device(r),
              results_backend(r), *name ? ", " : "", name, *started ? ", " : "", started,
              r->rows.row_count, r->rows.row_count == 1 ? "" : "s",
              r->rows.torn ? "; the last row is truncated and was ignored" : "");
}

/* Adds the differences in the provenance of the runs, one per line. */
static void add_environment(const struct diff *d, struct view *v)
{
    VEC(const char *) lines = {0};
    view_line(v, "\nEnvironment differences:%s", d->changes.length ? "" : " none recorded");
    for (const char *line = text_shown(&d->changes); *line; line += strspn(line, "\n")) {
        size_t length = strcspn(line, "\n");
        view_line(v, "  %.*s", (int)length, line);
        vec_push(&lines, line);
        line += length;
    }
    struct table *t = &view_add_table(v, "environment", FOR_PROGRAMS, lines.count)->cells;
    table_add_texts(t, i, table_keep(t, xstrndup(lines.items[i], strcspn(lines.items[i], "\n"))),
                    "difference");
    vec_free(&lines);
}

/*
 * Adds a line with the number of rows of each kernel that only run `r` has. `rows` lists these
 * rows. Kernels are in order of first appearance.
 */
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
        view_line(v, "  ignored when matching points, because only one run has this axis: %s",
                  ignored.bytes);
    text_free(&ignored);
    if (m->duplicates_a || m->duplicates_b)
        view_line(v, "  ignored, because they are duplicates: %zu points of a, %zu points of b",
                  m->duplicates_a, m->duplicates_b);
    size_t silent = m->pairs.count - d->all->timed - d->all->verdicts[VERDICT_BROKEN] -
                    d->all->verdicts[VERDICT_FIXED] - d->all->verdicts[VERDICT_UNTIMED];
    if (silent)
        view_line(v, "  without times that could be compared: %zu of these points", silent);
    diff_view_bits(d, v);
}

static void add_lost(const struct diff *d, struct view *v)
{
    if (!d->lost.count)
        return;
    view_line(v, "%s", "");
    struct view_table *t = view_add_table(v, "missing", FOR_ALL, d->lost.count);
    const struct diff_lost *of = d->lost.items;
    view_table_title(
        t, d->findings.untimed_a || d->findings.untimed_b
               ? "Points that are ok in a and missing in b, or ok in both and timed in only one:"
               : "Points that are ok in a and missing in b:");
    table_add_texts(&t->cells, i, of[i].kernel, "kernel");
    table_add_numbers(&t->cells, i, (double)of[i].vanished, "vanished", .kind = COLUMN_COUNT);
    table_add_numbers(&t->cells, i, (double)of[i].skipped, "skipped", .heading = "not run",
                      .kind = COLUMN_COUNT);
    table_add_numbers(&t->cells, i, (double)of[i].failed, "failed", .kind = COLUMN_COUNT);
    table_add_numbers(&t->cells, i, of[i].untimed_b ? (double)of[i].untimed_b : NAN, "untimed_b",
                      .heading = "no time in b", .kind = COLUMN_COUNT, .optional = true);
    table_add_numbers(&t->cells, i, of[i].untimed_a ? (double)of[i].untimed_a : NAN, "untimed_a",
                      .heading = "no time in a", .kind = COLUMN_COUNT, .optional = true);
    mark_all(t, d->findings.fail_on & FAIL_MISSING);
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
    view_fact(v, "share_of", d->of_peak ? "peak_pct" : "ceiling_pct");
    view_fact_number(v, "matched", (double)d->match.pairs.count);
    view_fact_number(v, "duplicates_a", (double)d->match.duplicates_a);
    view_fact_number(v, "duplicates_b", (double)d->match.duplicates_b);
}

/*
 * Adds a table of the points with each verdict. Verdicts that can make the comparison fail come
 * first.
 */
static void add_all_changed(const struct diff *d, struct view *v)
{
    if (d->same_device) {
        add_changed(d, v, VERDICT_BROKEN, "broken", "No longer right");
        diff_view_changed_problems(d, v);
        add_changed(d, v, VERDICT_SLOW, "slower", "Slower");
    } else {
        add_changed(d, v, VERDICT_BROKEN, "broken", "Right on a, not on b");
    }
    add_lost(d, v);
    add_changed(d, v, VERDICT_UNTIMED, "untimed", "Timed in only one run");
    if (d->same_device) {
        add_changed(d, v, VERDICT_FIXED, "fixed", "Right again");
        add_changed(d, v, VERDICT_FAST, "faster", "Faster");
    }
}

void diff_view(const struct diff *d, bool strict, const char *charts, struct view *v)
{
    view_title(v, "%s against %s", d->b->path, d->a->path);
    v->main_table = "points";
    add_facts(d, v);
    diff_view_links(d, v);
    if (!d->same_device)
        diff_view_winners(d, v);
    view_html_heading(v, "runs", "Runs");
    add_run("a", d->a, v);
    add_run("b", d->b, v);
    add_all_changed(d, v);
    if (charts) {
        struct text html = {0};
        view_html_heading(v, "charts", "Charts");
        view_html_charts(&html, charts);
        view_html(v, &html);
    }
    view_html_heading(v, "compared", "What was compared");
    add_environment(d, v);
    add_match(d, v);
    diff_view_times(d, v);
    if (!d->same_device && d->transfers.count)
        add_transfers(d, v);
    diff_view_waits(d, v);
    if (d->same_device)
        diff_view_winners(d, v);
    add_metrics(d, v);
    diff_view_published(d, v);
    add_points(d, v);
    enum view_verdict verdict;
    char *headline = diff_headline(d, strict, &verdict), *conclusion = diff_conclusion(d, strict);
    view_headline(v, verdict, headline);
    free(headline);
    view_conclude(v, conclusion);
    v->no_result = diff_exit_code(d, strict) == DIFF_NOTHING;
    free(conclusion);
}
