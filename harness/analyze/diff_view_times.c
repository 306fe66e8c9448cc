/*
 * Times of a comparison as tables: kernels and all, kernels in single problems, and the offsets of
 * problems. The points are in diff_view.c.
 */
#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "analyze/results_columns.h"
#include "base/memory.h"

enum { LARGEST = 10 };

static const char *time_verdict_name(enum time_verdict v)
{
    static const char *const names[TIME_VERDICTS] = {"UNKNOWN", "FAST", "SLOW", "SAME"};
    return names[v];
}

#define EFFECT(member) (of[i] ? of[i]->member : NAN)

/* Verdict, ratio with interval, p, p in its family, detectable; empty for NULL. */
static void add_effects(struct table *t, const struct effect *const *of, enum audience audience)
{
    table_add_texts(t, i, of[i] ? time_verdict_name(of[i]->verdict) : "", "verdict",
                    .audience = audience);
    table_add_numbers(t, i, EFFECT(ratio.value), "ratio", .heading = "change",
                      .kind = COLUMN_CHANGE, .audience = audience);
    table_add_numbers(t, i, EFFECT(ratio.low), "ratio_lo", .heading = "from", .kind = COLUMN_CHANGE,
                      .audience = audience);
    table_add_numbers(t, i, EFFECT(ratio.high), "ratio_hi", .heading = "to", .kind = COLUMN_CHANGE,
                      .audience = audience);
    table_add_numbers(t, i, EFFECT(p), "p", .kind = COLUMN_NUMBER, .digits = 1,
                      .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, EFFECT(p_family), "p_family", .kind = COLUMN_NUMBER, .digits = 1,
                      .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, 1 + EFFECT(detectable), "detectable", .kind = COLUMN_CHANGE,
                      .audience = audience);
}

/* Rows whose effect is SLOW are marked. */
static void mark_slow(struct view_table *t, const struct diff *d, const struct effect *const *of)
{
    if (!(d->findings.fail_on & FAIL_SLOW))
        return;
    t->bad = view_marks(t);
    for (size_t i = 0; i < t->cells.row_count; i++)
        t->bad[i] = of[i] && of[i]->verdict == TIME_SLOW;
}

static void add_summary_columns(const struct diff *d, struct view_table *view,
                                const struct diff_summary *of)
{
    struct table *t = &view->cells;
    enum audience judged = d->same_device ? FOR_ALL : FOR_PROGRAMS,
                  shared = d->same_device ? FOR_PROGRAMS : FOR_ALL;
    const struct effect **effects = xcalloc(t->row_count + 1, sizeof *effects);
    for (size_t i = 0; i < t->row_count; i++)
        effects[i] = of[i].effect;
    table_add_texts(t, i, of[i].kernel ? of[i].kernel : "all", "kernel");
    table_add_numbers(t, i, (double)of[i].timed, "timed", .heading = "points",
                      .kind = COLUMN_COUNT);
    for (int k = VERDICT_FAST; k < VERDICT_COUNT; k++)
        table_add_numbers(t, i, (double)of[i].verdicts[k], verdict_name((enum verdict)k),
                          .kind = COLUMN_COUNT,
                          .audience = k >= VERDICT_BROKEN ? FOR_PROGRAMS : judged);
    table_add_numbers(t, i, of[i].geometric_mean, "geometric_mean", .heading = "time b/a",
                      .kind = COLUMN_NUMBER, .digits = 4, .audience = shared);
    table_add_numbers(t, i, of[i].share_a, "share_a_pct", .heading = "a, % of its ceiling",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = shared);
    table_add_numbers(t, i, of[i].share_b, "share_b_pct", .heading = "b, % of its ceiling",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = shared);
    add_effects(t, effects, judged);
    mark_slow(view, d, effects);
    free(effects);
}

/* What was subtracted from the times, and the margins. */
static void add_margin_notes(const struct diff *d, struct view_table *t)
{
    double offset = 0;
    for (size_t i = 0; i < d->times.group_count; i++)
        offset = fmax(offset, fabs(d->times.groups[i].removed_us));
    if (offset > 0)
        view_table_note(
            t,
            "  Subtracted from kernels and points: the offset common to all kernels of a "
            "problem, up to %.2g us.",
            offset);
    if (margin_of_placement(&d->margins) > 0)
        view_table_note(t,
                        "  Margins: %.2g us for a point (clock step %.2g, standard deviation "
                        "of contexts %.2g), %.2g us\n  for a kernel, %.2g us for all.",
                        margin_of_placement(&d->margins), d->margins.step_us,
                        d->margins.context_sd_us, d->margins.step_us,
                        fmax(d->margins.step_us, margin_of_contexts(&d->margins)));
    size_t restless = 0;
    for (size_t i = 0; i < d->times.point_count; i++)
        restless += d->times.points[i].unrest > 0;
    if (restless > 0)
        view_table_note(t,
                        "  Between processes single points move: %zu points are judged only beyond "
                        "twice what others\n  of their problem moved (unrest). `redsweep gate` "
                        "measures both sides in one process.",
                        restless);
    if (d->times.cells_alone > 0)
        view_table_note(
            t,
            "  Not judged: %zu kernels at one problem that changed nowhere else, as they "
            "do between processes.",
            d->times.cells_alone);
}

static void add_summary(const struct diff *d, struct view *v)
{
    size_t timed = d->timed_kernels + 1;
    if (d->all->timed)
        view_line(v, "%s", "");
    else
        view_line(v, "\nNo point has times in both runs.");
    struct view_table *t =
        view_add_table(v, "kernels", d->all->timed ? FOR_ALL : FOR_PROGRAMS, timed);
    add_summary_columns(d, t, d->summaries.items);
    struct view_table *others =
        view_add_table(v, "kernels", FOR_PROGRAMS, d->summaries.count - timed);
    add_summary_columns(d, others, d->summaries.items + timed);
    if (!d->same_device) {
        view_table_title(t,
                         "Two devices: times are not judged. The ratio is a geometric mean, the "
                         "shares are medians of\neach point's bandwidth over its device's %s:",
                         d->of_peak ? "datasheet peak" : "measured ceiling");
        return;
    }
    view_table_title(
        t,
        "Times of b against a: points by verdict, then each kernel over all its "
        "problems, at a minimum\neffect of %g %% (detectable: the smallest change that "
        "would have been found):",
        d->options.minimum_effect * 100);
    add_margin_notes(d, t);
}

/* The rows that the problems' names come from, by their numbers; the caller's. */
static struct run_row *rows_of_problems(const struct diff *d)
{
    struct run_row *rows = xcalloc(d->problem_pairs.count + 1, sizeof *rows);
    for (size_t i = 0; i < d->problem_pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[d->problem_pairs.items[i]];
        rows[i] = (struct run_row){d->a, d->b, pair->a, pair->b};
    }
    return rows;
}

/* Kernels in single problems. */
static struct view_table *add_cells(struct view *v, const struct diff *d, const char *name,
                                    enum audience audience, const struct effect *const *of,
                                    size_t count)
{
    struct view_table *view = view_add_table(v, name, audience, count);
    struct table *t = &view->cells;
    struct run_row *problems = rows_of_problems(d), *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = problems[of[i]->group];
    view_table_title(view, "Kernels in single problems:");
    table_add_texts(t, i, d->kernels.texts.items[of[i]->kernel], "kernel");
    results_add_problem(t, rows, d->axes, FOR_ALL, PROBLEM_PLAIN);
    table_add_numbers(t, i, (double)of[i]->points, "points", .kind = COLUMN_COUNT);
    add_effects(t, of, FOR_ALL);
    mark_slow(view, d, of);
    free(rows);
    free(problems);
    return view;
}

static double size_of(const struct effect *e)
{
    return fabs(log(e->ratio.value));
}

/* The changed cells, largest first, in `largest`: those that people see are few. Their number. */
static size_t find_changed(const struct diff *d, const struct effect *largest[LARGEST],
                           size_t *count)
{
    size_t changed = 0;
    for (size_t i = 0; i < d->times.cell_count; i++) {
        const struct effect *e = &d->times.cells[i];
        if (e->verdict != TIME_SLOW && e->verdict != TIME_FAST)
            continue;
        changed++;
        size_t at = *count;
        while (at > 0 && size_of(e) > size_of(largest[at - 1]))
            at--;
        if (at == LARGEST)
            continue;
        *count += *count < LARGEST;
        memmove(&largest[at + 1], &largest[at], (*count - at - 1) * sizeof *largest);
        largest[at] = e;
    }
    return changed;
}

static void add_offsets(const struct diff *d, struct view *v)
{
    struct table *t = &view_add_table(v, "offsets", FOR_PROGRAMS, d->times.group_count)->cells;
    const struct problem_offset *of = d->times.groups;
    struct run_row *rows = rows_of_problems(d);
    results_add_problem(t, rows, d->axes, FOR_ALL, PROBLEM_PLAIN);
    table_add_numbers(t, i, (double)of[i].kernels, "kernels", .kind = COLUMN_COUNT);
    table_add_numbers(t, i, of[i].observed_us, "offset_us", .kind = COLUMN_NUMBER, .digits = 3);
    table_add_numbers(t, i, of[i].removed_us, "removed_us", .kind = COLUMN_NUMBER, .digits = 3);
    table_add_numbers(t, i, of[i].error_us, "error_us", .kind = COLUMN_NUMBER, .digits = 2);
    table_add_numbers(t, i, of[i].inflation, "inflation", .kind = COLUMN_NUMBER, .digits = 3);
    free(rows);
}

static void add_all_cells(const struct diff *d, struct view *v)
{
    const struct effect **all = xcalloc(d->times.cell_count + 1, sizeof *all);
    for (size_t i = 0; i < d->times.cell_count; i++)
        all[i] = &d->times.cells[i];
    add_cells(v, d, "problems", FOR_PROGRAMS, all, d->times.cell_count);
    free(all);
}

void diff_view_times(const struct diff *d, struct view *v)
{
    const struct effect *largest[LARGEST];
    size_t shown = 0, changed = find_changed(d, largest, &shown);
    add_summary(d, v);
    if (changed) {
        view_line(v, "%s", "");
        struct view_table *t = add_cells(v, d, "changed_problems", FOR_PEOPLE, largest, shown);
        if (changed > shown)
            view_table_title(
                t, "Kernels in single problems (the %zu largest changes of %zu):", shown, changed);
    }
    add_all_cells(d, v);
    add_offsets(d, v);
}
