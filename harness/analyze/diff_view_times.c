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

/* Cells of a table: the numbers of those that changed, largest first; NULL: all cells. */
struct cell_list {
    const struct diff *d;
    size_t *cells;
};

struct diff_view_times {
    struct cell_list changed, all;
    VEC(size_t) largest;
};

static const char *time_verdict_name(enum time_verdict v)
{
    static const char *const names[TIME_VERDICTS] = {"UNKNOWN", "FAST", "SLOW", "SAME"};
    return names[v];
}

/* Verdict, ratio with interval, p, p in its family, detectable; empty for NULL. */
static void put_effect(struct view_row *out, const struct effect *e)
{
    const struct estimate none = {NAN, NAN, NAN}, ratio = e ? e->ratio : none;
    view_put(out, e ? time_verdict_name(e->verdict) : "");
    view_put_numbers(out,
                     (const double[]){ratio.value, ratio.low, ratio.high, e ? e->p : NAN,
                                      e ? e->p_family : NAN, e ? 1 + e->detectable : NAN},
                     6);
}

static void add_effect_columns(struct view_table *t, enum audience readers)
{
    const struct column columns[] = {VIEW_COLUMN("verdict", NULL, COLUMN_TEXT, 0, readers),
                                     VIEW_COLUMN("ratio", "change", COLUMN_CHANGE, 0, readers),
                                     VIEW_COLUMN("ratio_lo", "from", COLUMN_CHANGE, 0, readers),
                                     VIEW_COLUMN("ratio_hi", "to", COLUMN_CHANGE, 0, readers),
                                     VIEW_COLUMN("p", NULL, COLUMN_NUMBER, 1, FOR_PROGRAMS),
                                     VIEW_COLUMN("p_family", NULL, COLUMN_NUMBER, 1, FOR_PROGRAMS),
                                     VIEW_COLUMN("detectable", NULL, COLUMN_CHANGE, 0, readers)};
    view_columns(t, columns, sizeof columns / sizeof *columns);
}

static void put_summary(const void *rows, size_t row, struct view_row *out)
{
    const struct diff_summary *s = (const struct diff_summary *)rows + row;
    view_put(out, s->kernel ? s->kernel : "all");
    view_put_number(out, (double)s->timed);
    for (int i = VERDICT_FAST; i < VERDICT_COUNT; i++)
        view_put_number(out, (double)s->verdicts[i]);
    view_put_numbers(out, (const double[]){s->geometric_mean, s->share_a, s->share_b}, 3);
    put_effect(out, s->effect);
}

static bool summary_is_slow(const void *rows, size_t row)
{
    const struct diff_summary *s = (const struct diff_summary *)rows + row;
    return s->effect && s->effect->verdict == TIME_SLOW;
}

static void add_summary_columns(const struct diff *d, struct view_table *t)
{
    enum audience judged = d->same_device ? FOR_ALL : FOR_PROGRAMS,
                  shared = d->same_device ? FOR_PROGRAMS : FOR_ALL;
    const struct column first[] = {VIEW_COLUMN("kernel", NULL, COLUMN_TEXT, 0, FOR_ALL),
                                   VIEW_COLUMN("timed", "points", COLUMN_COUNT, 0, FOR_ALL)};
    const struct column last[] = {
        VIEW_COLUMN("geometric_mean", "time b/a", COLUMN_NUMBER, 4, shared),
        VIEW_COLUMN("share_a_pct", "a, % of its ceiling", COLUMN_NUMBER, 3, shared),
        VIEW_COLUMN("share_b_pct", "b, % of its ceiling", COLUMN_NUMBER, 3, shared)};
    view_columns(t, first, 2);
    for (int i = VERDICT_FAST; i < VERDICT_COUNT; i++)
        vec_push(&t->columns,
                 (struct column)VIEW_COLUMN(verdict_name((enum verdict)i), NULL, COLUMN_COUNT, 0,
                                            i >= VERDICT_BROKEN ? FOR_PROGRAMS : judged));
    view_columns(t, last, 3);
    add_effect_columns(t, judged);
    if (d->findings.fail_on & FAIL_SLOW)
        t->is_bad = summary_is_slow;
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
    struct view_table *t = view_table(v, "kernels", d->all->timed ? FOR_ALL : FOR_PROGRAMS,
                                      put_summary, d->summaries.items, timed);
    add_summary_columns(d, t);
    struct view_table *others = view_table(v, "kernels", FOR_PROGRAMS, put_summary,
                                           d->summaries.items + timed, d->summaries.count - timed);
    add_summary_columns(d, others);
    if (!d->same_device) {
        view_table_title(t,
                         "Two devices: times are not judged. The ratio is a geometric mean, the "
                         "shares are medians of\neach point's bandwidth over its device's %s:",
                         strcmp(d->ceiling, "peak_pct") == 0 ? "datasheet peak"
                                                             : "measured ceiling");
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

static void put_cell(const void *rows, size_t row, struct view_row *out)
{
    const struct cell_list *list = rows;
    const struct diff *d = list->d;
    const struct effect *e = &d->times.cells[list->cells ? list->cells[row] : row];
    size_t pair = d->problem_pairs.items[e->group];
    view_put(out, d->kernels.texts.items[e->kernel]);
    results_put_problem(out, d->a, d->match.pairs.items[pair].a, d->b, d->match.pairs.items[pair].b,
                        d->axes);
    view_put_number(out, (double)e->points);
    put_effect(out, e);
}

static bool cell_is_slow(const void *rows, size_t row)
{
    const struct cell_list *list = rows;
    return list->d->times.cells[list->cells ? list->cells[row] : row].verdict == TIME_SLOW;
}

static void add_cells(struct view *v, const char *name, enum audience readers,
                      const struct cell_list *list, size_t count, size_t changed)
{
    static const struct column kernel = VIEW_COLUMN("kernel", NULL, COLUMN_TEXT, 0, FOR_ALL),
                               points = VIEW_COLUMN("points", NULL, COLUMN_COUNT, 0, FOR_ALL);
    struct view_table *t = view_table(v, name, readers, put_cell, list, count);
    if (changed > count)
        view_table_title(t, "Kernels in single problems (the %zu largest changes of %zu):", count,
                         changed);
    else
        view_table_title(t, "Kernels in single problems:");
    view_columns(t, &kernel, 1);
    results_problem_columns(t, AXES_FOR_ALL, list->d->axes);
    view_columns(t, &points, 1);
    add_effect_columns(t, FOR_ALL);
    if (list->d->findings.fail_on & FAIL_SLOW)
        t->is_bad = cell_is_slow;
}

static double size_of_cell(const struct diff *d, size_t cell)
{
    return fabs(log(d->times.cells[cell].ratio.value));
}

/* The changed cells, largest first: those that people see are few. */
static size_t find_changed(const struct diff *d, struct diff_view_times *w)
{
    size_t changed = 0;
    for (size_t i = 0; i < d->times.cell_count; i++) {
        enum time_verdict verdict = d->times.cells[i].verdict;
        if (verdict != TIME_SLOW && verdict != TIME_FAST)
            continue;
        changed++;
        vec_push(&w->largest, i);
        for (size_t at = w->largest.count - 1;
             at > 0 && size_of_cell(d, i) > size_of_cell(d, w->largest.items[at - 1]); at--) {
            w->largest.items[at] = w->largest.items[at - 1];
            w->largest.items[at - 1] = i;
        }
        if (w->largest.count > LARGEST)
            w->largest.count--;
    }
    return changed;
}

static void put_offset(const void *rows, size_t row, struct view_row *out)
{
    const struct diff *d = rows;
    const struct problem_offset *o = &d->times.groups[row];
    const struct pair *pair = &d->match.pairs.items[d->problem_pairs.items[row]];
    results_put_problem(out, d->a, pair->a, d->b, pair->b, d->axes);
    view_put_numbers(out,
                     (const double[]){(double)o->kernels, o->observed_us, o->removed_us,
                                      o->error_us, o->inflation},
                     5);
}

static void add_offsets(const struct diff *d, struct view *v)
{
    static const struct column columns[] = {
        VIEW_COLUMN("kernels", NULL, COLUMN_COUNT, 0, FOR_ALL),
        VIEW_COLUMN("offset_us", NULL, COLUMN_NUMBER, 3, FOR_ALL),
        VIEW_COLUMN("removed_us", NULL, COLUMN_NUMBER, 3, FOR_ALL),
        VIEW_COLUMN("error_us", NULL, COLUMN_NUMBER, 2, FOR_ALL),
        VIEW_COLUMN("inflation", NULL, COLUMN_NUMBER, 3, FOR_ALL)};
    struct view_table *t =
        view_table(v, "offsets", FOR_PROGRAMS, put_offset, d, d->times.group_count);
    results_problem_columns(t, AXES_FOR_ALL, d->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
}

struct diff_view_times *diff_view_times(const struct diff *d, struct view *v)
{
    struct diff_view_times *w = xcalloc(1, sizeof *w);
    add_summary(d, v);
    size_t changed = find_changed(d, w);
    w->changed = (struct cell_list){d, w->largest.items};
    w->all = (struct cell_list){d, NULL};
    if (changed) {
        view_line(v, "%s", "");
        add_cells(v, "changed_problems", FOR_PEOPLE, &w->changed, w->largest.count, changed);
    }
    add_cells(v, "problems", FOR_PROGRAMS, &w->all, d->times.cell_count, 0);
    add_offsets(d, v);
    return w;
}

void diff_view_times_free(struct diff_view_times *w)
{
    vec_free(&w->largest);
    free(w);
}
