/* Implements the functions of best.h that add to a view. */
#include "analyze/best.h"

#include <math.h>
#include <string.h>

#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "base/utf8.h"
#include "record/outcome.h"

enum { NAMES_SHOWN = 6, BRIEF_ROWS = 20, BRIEF_WINNER = 34 };

/* A candidate and its standing in a problem: winner, tied, reference or limit. */
struct configuration_row {
    const struct problem *problem;
    const struct candidate *candidate;
    const char *standing;
};
typedef VEC(struct configuration_row) configuration_rows;

static void append_candidate(const struct problem *p, const struct candidate *c, struct text *out)
{
    results_configuration(&p->runs[c->run], c->row, out);
}

/* Appends the names of the configurations that are tied with the winner, one per line. */
static void append_tied(const struct problem *p, struct text *out)
{
    for (size_t i = 1; i < p->count; i++) {
        if (!p->candidates[i].tied)
            continue;
        append_candidate(p, &p->candidates[i], out);
        text_append(out, " (%+.1f %%)\n", (p->candidates[i].ratio.value - 1) * 100);
    }
}

static const struct candidate *winner_of(const struct problem *p)
{
    return &p->candidates[0];
}

/* Returns a winner's name, cut to `most` bytes unless `most` is 0. The table owns the name. */
static const char *winner_name(const struct problem *p, size_t most, struct table *t)
{
    struct text name = {0};
    append_candidate(p, winner_of(p), &name);
    size_t shown = most ? utf8_cut(text_shown(&name), most) : name.length;
    if (shown < name.length) {
        name.length = shown;
        text_append(&name, "…");
    }
    return name.bytes ? table_keep(t, name.bytes) : "";
}

static const char *tied_names(const struct problem *p, struct table *t)
{
    struct text tied = {0};
    append_tied(p, &tied);
    return tied.bytes ? table_keep(t, tied.bytes) : "";
}

/*
 * Returns the time of `other` divided by the winner's time, multiplied by `unit`, as a string such
 * as "1.39 (1.37 to 1.41)". Returns "" if `other` has no time. The table owns the string.
 */
static const char *margin_text(const struct problem *p, const struct candidate *other, double unit,
                               int places, struct table *t)
{
    struct estimate r = ratio_of(winner_of(p)->time, other->time);
    struct text out = {0};
    if (!isnan(r.value))
        text_append(&out, "%.*f", places, r.value * unit);
    if (!isnan(r.low))
        text_append(&out, " (%.*f to %.*f)", places, r.low * unit, places, r.high * unit);
    return out.bytes ? table_keep(t, out.bytes) : "";
}

static double margin(const struct problem *p, const struct candidate *other)
{
    return ratio_of(winner_of(p)->time, other->time).value;
}

static struct run_row *winner_rows(const struct best *b, const struct problem *of, size_t count)
{
    struct run_row *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = best_row(b, winner_of(&of[i]));
    return rows;
}

/* Returns the heading that people see for a metric, or NULL if it is the metric's name. */
static const char *heading_of(const char *metric)
{
    return strcmp(metric, "time_us_median") == 0 ? "µs" : NULL;
}

/*
 * Returns an array that says for each winner whether its value varies between launches, or NULL if
 * none does. The table owns the array.
 */
static const bool *winners_vary(const struct best *b, const struct problem *of, struct table *t)
{
    bool any = false, *varies = xcalloc(t->row_count + 1, sizeof *varies);
    const struct column **metric = xcalloc(b->run_count, sizeof *metric);
    for (size_t i = 0; i < b->run_count; i++)
        metric[i] = table_find(&b->runs[i].rows, b->metric);
    for (size_t i = 0; i < t->row_count; i++) {
        const struct candidate *c = winner_of(&of[i]);
        varies[i] = column_varies(metric[c->run], c->row);
        any = any || varies[i];
    }
    free(metric);
    table_keep(t, (char *)varies);
    return any ? varies : NULL;
}

/*
 * Adds the winners' bandwidths in GB/s and in % of the achievable bandwidth and, if `peak` is true,
 * in % of the device's peak.
 */
static void add_speed(struct table *t, const struct run_row *rows, bool peak)
{
    results_add(t, rows, "bandwidth_gbs",
                (struct column){.name = "bandwidth_gbs",
                                .heading = "GB/s",
                                .kind = COLUMN_NUMBER,
                                .digits = 4,
                                .optional = true});
    table_add_numbers(t, i, results_achieved(rows[i].run, rows[i].row), "achievable_pct",
                      .heading = "% of achievable", .kind = COLUMN_NUMBER, .digits = 3,
                      .optional = true);
    if (peak)
        results_add(t, rows, "peak_pct",
                    (struct column){.name = "peak_pct",
                                    .heading = "% of peak",
                                    .kind = COLUMN_NUMBER,
                                    .digits = 3,
                                    .optional = true});
}

/* Returns the name of the problem's fastest peer, or "" if there is none. */
static const char *peer_name(const struct problem *p)
{
    const struct candidate *peer = &p->reference;
    return isnan(peer->time.value) ? "" : results_axis(&p->runs[peer->run], peer->row, AXIS_kernel);
}

static void add_reference(struct table *t, const struct problem *of)
{
    table_add_texts(t, i, margin_text(&of[i], &of[i].reference, 1, 3, t), "reference",
                    .heading = "speedup over peer", .audience = FOR_PEOPLE, .optional = true);
    table_add_numbers(t, i, margin(&of[i], &of[i].reference), "speedup_over_peer",
                      .kind = COLUMN_NUMBER, .digits = 4, .audience = FOR_PROGRAMS);
    table_add_texts(t, i, peer_name(&of[i]), "peer", .audience = FOR_PROGRAMS);
}

static const char *ties_text(const struct problem *p, struct table *t)
{
    return p->tied == 1 ? "none"
                        : table_keep(t, xasprintf("%zu of %zu", p->tied - 1, p->count - 1));
}

static void add_ties_columns(struct table *t, const struct problem *of)
{
    table_add_texts(t, i, ties_text(&of[i], t), "ties", .heading = "others tied",
                    .audience = FOR_PEOPLE);
    table_add_texts(t, i, tied_names(&of[i], t), "tied_configurations", .details = true);
    table_add_numbers(t, i, (double)of[i].tied, "tied", .kind = COLUMN_COUNT,
                      .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, (double)of[i].count, "candidates", .kind = COLUMN_COUNT,
                      .audience = FOR_PROGRAMS);
}

/*
 * Returns the name of the fastest candidate with any bits, or "" if the user did not ask for bits.
 * The table owns the name.
 */
static const char *fastest_name(const struct problem *p, struct table *t)
{
    struct text name = {0};
    if (!isnan(p->fastest.time.value))
        append_candidate(p, &p->fastest, &name);
    return name.bytes ? table_keep(t, name.bytes) : "";
}

static void add_any_bits(struct table *t, const struct problem *of)
{
    table_add_texts(t, i, fastest_name(&of[i], t), "fastest_of_any_bits",
                    .heading = "fastest with any bits", .optional = true);
    table_add_numbers(t, i, ratio_of(of[i].fastest.time, winner_of(&of[i])->time).value,
                      "same_bits_cost", .heading = "same bits cost", .kind = COLUMN_CHANGE,
                      .optional = true);
}

/*
 * Adds a table of the winners of `count` problems. If `whole` is true, the table covers all series,
 * so its rows name the whole problem instead of only n.
 */
static struct view_table *add_winners(const struct best *b, size_t first, size_t count, bool whole,
                                      struct view *v)
{
    struct view_table *view = view_add_table(v, "winners", FOR_ALL, count);
    struct table *t = &view->cells;
    const struct problem *of = b->problems + first;
    struct run_row *rows = winner_rows(b, of, count);
    best_add_device(t, rows, FOR_PROGRAMS);
    results_add_problem(t, rows, b->axes, whole ? FOR_ALL : FOR_PROGRAMS, PROBLEM_BY_SIZE);
    table_add_texts(t, i, winner_name(&of[i], 0, t), "winner", .rank = RANK_KEY);
    table_add_numbers(t, i, winner_of(&of[i])->time.value, b->metric,
                      .heading = heading_of(b->metric), .kind = COLUMN_NUMBER, .digits = 5,
                      .rank = RANK_TIME, .varies = winners_vary(b, of, t));
    table_add_numbers(t, i, winner_of(&of[i])->time.low, "lo", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, winner_of(&of[i])->time.high, "hi", .kind = COLUMN_NUMBER, .digits = 5,
                      .audience = FOR_PROGRAMS);
    add_speed(t, rows, true);
    add_ties_columns(t, of);
    add_reference(t, of);
    table_add_texts(t, i, margin_text(&of[i], &of[i].limit, 100, 1, t), "limit",
                    .heading = "% of limit", .audience = FOR_PEOPLE, .optional = true);
    table_add_numbers(t, i, margin(&of[i], &of[i].limit) * 100, "limit_pct", .kind = COLUMN_NUMBER,
                      .digits = 4, .audience = FOR_PROGRAMS);
    add_any_bits(t, of);
    free(rows);
    return view;
}

void best_add_winners(const struct best *b, struct view *v)
{
    add_winners(b, 0, b->problem_count, true, v);
}

static const char *device_of(const struct best *b, size_t problem)
{
    const struct candidate *c = &b->problems[problem].candidates[0];
    return column_text(b->runs[c->run].known.device, c->row);
}

static bool is_cut(const struct problem *p)
{
    struct text name = {0};
    append_candidate(p, winner_of(p), &name);
    bool cut = utf8_cut(text_shown(&name), BRIEF_WINNER) < name.length;
    text_free(&name);
    return cut;
}

static void add_brief(const struct best *b, size_t first, size_t count, struct view *v)
{
    size_t shown = count < BRIEF_ROWS ? count : BRIEF_ROWS;
    struct view_table *view = view_add_table(v, "winners", FOR_ALL, shown);
    struct table *t = &view->cells;
    const struct problem *of = b->problems + first;
    struct run_row *rows = winner_rows(b, of, shown);
    view_table_title(view, "%s on %s", heading_of(b->metric) ? "Fastest" : "Winners",
                     device_of(b, first));
    results_add_problem(t, rows, b->axes, FOR_ALL, PROBLEM_BY_SIZE);
    table_add_texts(t, i, winner_name(&of[i], BRIEF_WINNER, t), "winner", .rank = RANK_KEY);
    table_add_numbers(t, i, winner_of(&of[i])->time.value, b->metric,
                      .heading = heading_of(b->metric), .kind = COLUMN_NUMBER, .digits = 5,
                      .rank = RANK_TIME, .varies = winners_vary(b, of, t));
    add_speed(t, rows, false);
    add_reference(t, of);
    table_add_texts(t, i, ties_text(&of[i], t), "ties", .heading = "others tied");
    if (shown < count)
        view_table_note(view, "redsweep best also prints %zu more rows", count - shown);
    bool cut = false;
    for (size_t i = 0; i < shown; i++)
        cut = cut || is_cut(&of[i]);
    if (cut)
        view_table_note(view, "… marks a shortened setting; redsweep best prints it in full");
    free(rows);
}

/*
 * Returns whether the problem's winner ran on the run's own device. A CPU function in a run on a
 * GPU did not.
 */
static bool is_of_device(const struct best *b, size_t problem)
{
    const struct candidate *c = &b->problems[problem].candidates[0];
    const struct results *r = &b->runs[c->run];
    return strcmp(column_text(r->known.backend, c->row), results_backend(r)) == 0;
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

/*
 * Returns whether the metric is a time. Counts are exact, so a tie in a count means an equal value.
 */
static bool is_time(const struct best *b)
{
    return heading_of(b->metric) != NULL;
}

/*
 * Adds a line for each problem with the names of the configurations that are tied with its winner.
 * A long list is cut, and its end says how many names were omitted.
 */
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
            if (is_time(b))
                text_append(&line, " (+%.1f %%)", (p->candidates[c].ratio.value - 1) * 100);
        }
        if (found > NAMES_SHOWN)
            text_append(&line, "; and %zu more", found - NAMES_SHOWN);
        if (found && !any)
            view_line(v,
                      "\n"
                      "  %s the winner (--csv writes all of them):",
                      is_time(b) ? "Statistically indistinguishable from" : "The same count as");
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
    view_line(v, "\n"
                 "  Winners by range of n:");
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

/*
 * Appends text such as "unroll, block 128: 1.2 % slower than the winners on average (geometric
 * mean), …".
 */
static void append_choice(const struct best *b, const struct series *f, struct text *out)
{
    const struct problem *p = &b->problems[f->first];
    while (!best_candidate(p, f->overall))
        p++;
    char size[40];
    show_size(f->worst_n, size);
    append_candidate(p, best_candidate(p, f->overall), out);
    text_append(out,
                ": %.1f %% %s than the winners on average (geometric mean), and at most %.1f %% "
                "(at n = %s)",
                f->regret * 100, is_time(b) ? "slower" : "more", f->worst * 100, size);
    if (f->measured < f->count)
        text_append(out, "; measured at only %zu of %zu sizes", f->measured, f->count);
}

/*
 * Appends text such as "float32 sum, cache cold, scope kernel": the workload and the axes, except n
 * and the configuration's axes.
 */
void best_append_series(const struct best *b, const struct series *f, struct text *out)
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
        best_append_series(b, &b->series[i], &line);
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
    best_append_series(b, f, &name);
    view_table_title(add_winners(b, f->first, f->count, false, v), "%s (%s): %s\n",
                     column_text(r->known.device, c->row), column_text(r->known.backend, c->row),
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
        text_append(out, "Excluded: %zu row%s whose time is below the clock's resolution.", rows,
                    rows == 1 ? "" : "s");
}

static bool is_changed(const struct best *b, const struct candidate *c)
{
    const struct results *r = &b->runs[c->run];
    const char *kernel = results_axis(r, c->row, AXIS_kernel);
    for (size_t i = 0; i < r->changed.count; i++)
        if (strcmp(r->changed.items[i], kernel) == 0)
            return true;
    return false;
}

/* Adds a line that names the winning kernels that have changed since they were measured. */
static void add_changed(const struct best *b, struct view *v)
{
    struct text names = {0};
    VEC(const char *) named = {0};
    for (size_t i = 0; i < b->problem_count; i++) {
        const struct candidate *c = winner_of(&b->problems[i]);
        const char *kernel = results_axis(&b->runs[c->run], c->row, AXIS_kernel);
        bool known = !is_changed(b, c);
        for (size_t k = 0; k < named.count && !known; k++)
            known = strcmp(named.items[k], kernel) == 0;
        if (known)
            continue;
        vec_push(&named, kernel);
        text_append(&names, "%s%s", names.length ? ", " : "", kernel);
    }
    if (names.length)
        view_line(v,
                  "The code of these kernels has changed since they were measured: %s. The times "
                  "are those of the old code; measure the kernels again.",
                  names.bytes);
    vec_free(&named);
    text_free(&names);
}

void best_add_excluded(const struct best *b, struct view *v)
{
    add_changed(b, v);
    struct text unresolved = {0};
    if (b->racy)
        view_line(v, "Excluded: %zu row%s from kernels marked racy (%s).", b->racy,
                  b->racy == 1 ? "" : "s", b->racy_kernels.bytes);
    if (b->failed || b->untimed)
        view_line(v, "Excluded: %zu row%s not ok, %zu without %s.", b->failed,
                  b->failed == 1 ? " that is" : "s that are", b->untimed, b->metric);
    best_append_unresolved(b->unresolved, &unresolved);
    if (unresolved.length)
        view_line(v, "%s", unresolved.bytes);
    if (b->raced)
        view_line(v,
                  "Excluded: %zu row%s that a search dropped, because they have too few samples to "
                  "compete.",
                  b->raced, b->raced == 1 ? "" : "s");
    text_free(&unresolved);
}

static double ratio_to_winner(const struct configuration_row *at, int end)
{
    struct estimate r = ratio_of(winner_of(at->problem)->time, at->candidate->time);
    return end < 0 ? r.low : end > 0 ? r.high : r.value;
}

static void add_configuration_columns(const struct best *b, const configuration_rows *list,
                                      struct table *t)
{
    const struct configuration_row *of = list->items;
    struct run_row *rows = xcalloc(list->count + 1, sizeof *rows);
    struct numbering tunables = {0}; /* of all runs */
    for (size_t i = 0; i < list->count; i++)
        rows[i] = best_row(b, of[i].candidate);
    for (size_t i = 0; i < b->run_count; i++)
        results_tunables(&b->runs[i], &tunables);
    best_add_device(t, rows, FOR_ALL);
    results_add_names(t, rows, b->axes, &tunables);
    table_add_texts(t, i, of[i].standing, "standing");
    table_add_numbers(t, i, of[i].candidate->time.value, b->metric, .kind = COLUMN_NUMBER,
                      .digits = 5);
    table_add_numbers(t, i, of[i].candidate->time.low, "lo", .kind = COLUMN_NUMBER, .digits = 5);
    table_add_numbers(t, i, of[i].candidate->time.high, "hi", .kind = COLUMN_NUMBER, .digits = 5);
    table_add_numbers(t, i, ratio_to_winner(&of[i], 0), "ratio", .kind = COLUMN_NUMBER,
                      .digits = 4);
    table_add_numbers(t, i, ratio_to_winner(&of[i], -1), "ratio_lo", .kind = COLUMN_NUMBER,
                      .digits = 4);
    table_add_numbers(t, i, ratio_to_winner(&of[i], 1), "ratio_hi", .kind = COLUMN_NUMBER,
                      .digits = 4);
    table_add_numbers(t, i, of[i].candidate->q, "q", .kind = COLUMN_NUMBER, .digits = 1);
    results_add(t, rows, "bandwidth_gbs",
                (struct column){.name = "bandwidth_gbs", .kind = COLUMN_NUMBER, .digits = 4});
    numbering_free(&tunables);
    free(rows);
}

/*
 * Collects the winners, the configurations tied with them, and the references and limits of their
 * problems.
 */
static void collect_configurations(const struct best *b, configuration_rows *out)
{
    for (size_t i = 0; i < b->problem_count; i++) {
        const struct problem *p = &b->problems[i];
        for (size_t k = 0; k < p->count; k++)
            if (p->candidates[k].tied)
                vec_push(out,
                         (struct configuration_row){p, &p->candidates[k], k ? "tied" : "winner"});
        if (!isnan(p->reference.time.value))
            vec_push(out, (struct configuration_row){p, &p->reference, "reference"});
        if (!isnan(p->limit.time.value))
            vec_push(out, (struct configuration_row){p, &p->limit, "limit"});
    }
}

/* Adds a line about the point whose bits the user asked for. */
static void add_point(const struct best *b, struct view *v)
{
    const struct best_point *point = b->same_bits;
    struct text name = {0};
    results_configuration(&b->runs[point->run], point->row, &name);
    view_fact(v, "same_bits_as", point->bits);
    view_line(v, "Only configurations with the same bits as %s (%s)\n", name.bytes, point->bits);
    text_free(&name);
}

static void add_configurations(const struct best *b, struct view *v)
{
    configuration_rows list = {0};
    collect_configurations(b, &list);
    struct view_table *t = view_add_table(v, "configurations", FOR_PROGRAMS, list.count);
    add_configuration_columns(b, &list, &t->cells);
    vec_free(&list);
}

void best_view(const struct best *b, struct view *v)
{
    view_title(v, "best of %s", b->runs[b->run_count - 1].path);
    v->main_table = "configurations";
    view_fact(v, "metric", b->metric);
    if (b->same_bits)
        add_point(b, v);
    for (size_t i = 0; i < b->series_count; i++)
        add_series(b, &b->series[i], v);
    best_add_energy(b, v);
    best_add_excluded(b, v);
    add_configurations(b, v);
}
