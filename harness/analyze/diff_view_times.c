/*
 * Adds the tables of a comparison's times: a table of kernels, with a line for all kernels
 * together, a table of sizes, a table of kernels in individual problems (cells), and a table of the
 * problems' offsets. diff_view.c adds the tables of points.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
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

/*
 * Adds the columns of effects: the verdict, the ratio with its interval, p, the adjusted p, and
 * `detectable`. If a row's effect is NULL, its cells are empty.
 */
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

/* Marks the rows whose effect is SLOW. */
static void mark_slow(struct view_table *t, const struct diff *d, const struct effect *const *of)
{
    if (!(d->findings.fail_on & FAIL_SLOW))
        return;
    t->bad = view_marks(t);
    for (size_t i = 0; i < t->cells.row_count; i++)
        t->bad[i] = of[i] && of[i]->verdict == TIME_SLOW;
}

/*
 * What a table says about a part of the points, those of a kernel or of a size: how they changed
 * or, if no change was found, how large a change can be ruled out.
 */
struct finding {
    size_t points, slow, fast;
    /* the smallest effects that are detectable in half of the points, and in all points */
    double seen_half, seen_all;
    const char *words; /* The table owns the words. */
};

enum { PERCENT_DIGITS = 2 };

/* Returns a string such as "not by 3.9 % or more", which the table owns. */
static const char *words_of_bound(struct table *t, double bound)
{
    char percent[SHOWN_SIZE];
    show_number(bound * 100, PERCENT_DIGITS, percent);
    return table_keep(t, xasprintf("not by %s %% or more", percent));
}

/*
 * Returns what the verdicts on single points say, such as "2 slower". If no point changed, returns
 * "none seen" if a doubled time would have been detected in at least half of the points, and
 * otherwise "unknown".
 */
static const char *words_of_points(struct table *t, const struct finding *f)
{
    if (f->slow > 0 && f->fast > 0)
        return table_keep(t, xasprintf("%zu slower, %zu faster", f->slow, f->fast));
    if (f->slow > 0 || f->fast > 0)
        return table_keep(t, xasprintf("%zu %s", f->slow + f->fast, f->slow ? "slower" : "faster"));
    return f->seen_half <= 1 ? "none seen" : "unknown";
}

/*
 * Returns what to say about a kernel, or about all kernels together. This is based on the effect
 * `e` over all problems if the effect's interval is narrow enough, and otherwise on the points.
 */
static const char *words_of_effect(struct table *t, const struct effect *e, const struct finding *f,
                                   double minimum_effect)
{
    if (!e || e->verdict == TIME_SLOW || e->verdict == TIME_FAST)
        return !e ? "" : e->verdict == TIME_SLOW ? "slower" : "faster";
    if (e->verdict != TIME_SAME && !(e->ratio.low > 0.5 && e->ratio.high < 2))
        return words_of_points(t, f);
    double bound =
        e->verdict == TIME_SAME ? minimum_effect : fmax(e->ratio.high, 1 / e->ratio.low) - 1;
    const char *words = words_of_bound(t, bound);
    return f->slow + f->fast == 0
               ? words
               : table_keep(t, xasprintf("%s; points: %s", words, words_of_points(t, f)));
}

/*
 * A judged point with the number of its part, which is a kernel or a size. Lists are sorted by
 * part, then by detectable effect.
 */
struct part_point {
    uint32_t part;
    double detectable; /* infinite if not even the largest change is detectable */
    enum verdict verdict;
};

static int compare_part_points(const void *a, const void *b)
{
    const struct part_point *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->detectable > y->detectable) - (x->detectable < y->detectable);
}

/* Fills in out[part] for each part that has points. */
static void find_parts(struct part_point *list, size_t count, struct finding *out)
{
    if (count)
        qsort(list, count, sizeof *list, compare_part_points);
    for (size_t first = 0, end; first < count; first = end) {
        struct finding *f = &out[list[first].part];
        for (end = first; end < count && list[end].part == list[first].part; end++) {
            f->slow += list[end].verdict == VERDICT_SLOW;
            f->fast += list[end].verdict == VERDICT_FAST;
        }
        f->points = end - first;
        f->seen_half = list[first + (f->points - 1) / 2].detectable;
        f->seen_all = list[end - 1].detectable;
    }
}

/* Returns a list of the judged points with their parts. The caller frees the list. */
static struct part_point *points_of_parts(const struct diff *d, const uint32_t *parts)
{
    struct part_point *list = xcalloc(d->timed.count + 1, sizeof *list);
    for (size_t i = 0; i < d->timed.count; i++) {
        const struct point_diff *p = &d->points[d->timed.items[i].pair];
        double detectable = p->effect->detectable;
        list[i] =
            (struct part_point){parts[i], isnan(detectable) ? HUGE_VAL : detectable, p->verdict};
    }
    return list;
}

/*
 * Returns the findings about the kernels, indexed by kernel number, followed by the finding about
 * all kernels together. The caller frees the array.
 */
static struct finding *findings_of_kernels(const struct diff *d)
{
    size_t kernels = d->kernels.texts.count;
    struct finding *out = xcalloc(kernels + 1, sizeof *out);
    uint32_t *parts = xcalloc(d->timed.count + 1, sizeof *parts);
    for (size_t i = 0; i < d->timed.count; i++)
        parts[i] = d->timed.items[i].kernel;
    struct part_point *list = points_of_parts(d, parts);
    find_parts(list, d->timed.count, out);
    for (size_t i = 0; i < d->timed.count; i++)
        list[i].part = (uint32_t)kernels;
    find_parts(list, d->timed.count, out);
    free(list);
    free(parts);
    return out;
}

#define SEEN(value) ((value) < HUGE_VAL ? 1 + (value) : NAN)

static void add_findings(struct table *t, const struct finding *of, enum audience audience)
{
    table_add_numbers(t, i, of[i].points ? SEEN(of[i].seen_half) : NAN, "seen_half",
                      .heading = "seen at half from", .kind = COLUMN_CHANGE, .audience = audience);
    table_add_numbers(t, i, of[i].points ? SEEN(of[i].seen_all) : NAN, "seen_all",
                      .heading = "at all from", .kind = COLUMN_CHANGE, .audience = audience);
    table_add_texts(t, i, of[i].words, "finding", .heading = "changed", .audience = audience);
}

/* Adds the columns of findings to a table of kernels. `of` has the summary of each row's kernel. */
static void add_findings_of_kernels(const struct diff *d, struct table *t,
                                    const struct diff_summary *of, enum audience audience)
{
    size_t kernels = d->kernels.texts.count;
    struct finding *all = findings_of_kernels(d);
    struct finding *shown = xcalloc(t->row_count + 1, sizeof *shown);
    for (size_t i = 0; i < t->row_count; i++) {
        size_t number = of[i].kernel ? numbering_find(&d->kernels, of[i].kernel) : kernels;
        if (number != NUMBERING_NONE)
            shown[i] = all[number];
        shown[i].words =
            shown[i].points ? words_of_effect(t, of[i].effect, &shown[i], d->options.minimum_effect)
                            : "";
    }
    add_findings(t, shown, audience);
    free(shown);
    free(all);
}

/* Adds a table with a row for each n of the judged points, in order of appearance. */
static void add_sizes(const struct diff *d, struct view *v)
{
    struct numbering sizes = {0};
    uint32_t *parts = xcalloc(d->timed.count + 1, sizeof *parts);
    for (size_t i = 0; i < d->timed.count; i++)
        parts[i] = (uint32_t)numbering_add(
            &sizes, results_axis(d->a, d->match.pairs.items[d->timed.items[i].pair].a, AXIS_n));
    struct finding *of = xcalloc(sizes.texts.count + 1, sizeof *of);
    struct part_point *list = points_of_parts(d, parts);
    find_parts(list, d->timed.count, of);
    if (sizes.texts.count > 0) {
        view_line(v, "%s", "");
        struct view_table *view = view_add_table(v, "sizes", FOR_ALL, sizes.texts.count);
        struct table *t = &view->cells;
        view_table_title(view, "Individual points by size, and the smallest change of one point "
                               "that would have been found:");
        for (size_t i = 0; i < sizes.texts.count; i++)
            of[i].words = words_of_points(t, &of[i]);
        table_add_numbers(t, i, strtod(sizes.texts.items[i], NULL), "n", .kind = COLUMN_SIZE,
                          .names_row = true);
        table_add_numbers(t, i, (double)of[i].points, "points", .kind = COLUMN_COUNT);
        add_findings(t, of, FOR_ALL);
    }
    free(list);
    free(of);
    free(parts);
    numbering_free(&sizes);
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
                          .kind = COLUMN_COUNT, .audience = FOR_PROGRAMS);
    table_add_numbers(t, i, of[i].geometric_mean, "geometric_mean", .heading = "time b/a",
                      .kind = COLUMN_NUMBER, .digits = 4, .audience = shared);
    table_add_numbers(t, i, of[i].share_a, "share_a_pct", .heading = "a, % of its ceiling",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = shared);
    table_add_numbers(t, i, of[i].share_b, "share_b_pct", .heading = "b, % of its ceiling",
                      .kind = COLUMN_NUMBER, .digits = 3, .audience = shared);
    add_effects(t, effects, judged);
    /* People see the verdict in words, in the column `finding`. */
    table_find(t, "verdict")->audience = FOR_PROGRAMS;
    add_findings_of_kernels(d, t, of, judged);
    mark_slow(view, d, effects);
    free(effects);
}

/* Adds notes on the subtracted offset and on the margins. */
static void add_margin_notes(const struct diff *d, struct view_table *t)
{
    double offset = 0;
    for (size_t i = 0; i < d->times.group_count; i++)
        offset = fmax(offset, fabs(d->times.groups[i].removed_us));
    if (offset > 0)
        view_table_note(t,
                        "  An offset of up to %.2g us, which all kernels of a problem share, is "
                        "subtracted from all times.",
                        offset);
    if (margin_of_placement(&d->margins) > 0)
        view_table_note(
            t,
            "  Even if no kernel changed, times may differ by these margins: %.2g us for a point "
            "(the clock step\n"
            "  is %.2g us, and the standard deviation between contexts is %.2g us), %.2g us for a "
            "kernel and\n"
            "  %.2g us for all kernels together.",
            margin_of_placement(&d->margins), d->margins.step_us, d->margins.context_sd_us,
            d->margins.step_us, fmax(d->margins.step_us, margin_of_contexts(&d->margins)));
    size_t restless = 0;
    for (size_t i = 0; i < d->times.point_count; i++)
        restless += d->times.points[i].unrest > 0;
    if (restless > 0)
        view_table_note(t,
                        "  The times of individual points change between processes. %zu point%s "
                        "judged only if the change is more than\n"
                        "  twice as large as that of any other point of the same problem (unrest). "
                        "`redsweep gate` measures both sides in one process.",
                        restless, restless == 1 ? " is" : "s are");
    if (d->times.cells_alone > 0)
        view_table_note(
            t,
            "  The times of %zu kernel%s that changed in only one problem are not judged, because "
            "such changes also occur between two processes with the same kernels.",
            d->times.cells_alone, d->times.cells_alone == 1 ? "" : "s");
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
        view_table_title(
            t,
            "Times on two devices are not judged. For each kernel, time b/a is the geometric mean "
            "over its points,\n"
            "and the bandwidths in %% of the device's %s are medians over its points:",
            d->of_peak ? "datasheet peak" : "measured ceiling");
        return;
    }
    view_table_title(t,
                     "Times of b relative to a, for each kernel over all its problems, with a "
                     "minimum effect of %g %%\n"
                     "(detectable: the smallest change of the kernel that would have been found; "
                     "seen: the smallest\n"
                     "change of a single point that would have been found):",
                     d->options.minimum_effect * 100);
    add_margin_notes(d, t);
}

/*
 * Returns a list of rows that identify the problems, indexed by problem number. The caller frees
 * the list.
 */
static struct run_row *rows_of_problems(const struct diff *d)
{
    struct run_row *rows = xcalloc(d->problem_pairs.count + 1, sizeof *rows);
    for (size_t i = 0; i < d->problem_pairs.count; i++) {
        const struct pair *pair = &d->match.pairs.items[d->problem_pairs.items[i]];
        rows[i] = (struct run_row){d->a, d->b, pair->a, pair->b};
    }
    return rows;
}

/* Adds a table of kernels in individual problems. */
static struct view_table *add_cells(struct view *v, const struct diff *d, const char *name,
                                    enum audience audience, const struct effect *const *of,
                                    size_t count)
{
    struct view_table *view = view_add_table(v, name, audience, count);
    struct table *t = &view->cells;
    struct run_row *problems = rows_of_problems(d), *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = problems[of[i]->group];
    view_table_title(view, "Kernels at individual problems:");
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

/*
 * Returns how many cells changed. Lists those with the largest changes in `largest`, because people
 * see only a few, and sets *count to their number.
 */
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

void diff_view_changed_problems(const struct diff *d, struct view *v)
{
    const struct effect *largest[LARGEST];
    size_t shown = 0, changed = find_changed(d, largest, &shown);
    if (!changed)
        return;
    view_line(v, "%s", "");
    struct view_table *t = add_cells(v, d, "changed_problems", FOR_PEOPLE, largest, shown);
    if (changed > shown)
        view_table_title(
            t, "Kernels at individual problems (the %zu largest of %zu changes):", shown, changed);
}

void diff_view_times(const struct diff *d, struct view *v)
{
    add_summary(d, v);
    if (d->same_device)
        add_sizes(d, v);
    add_all_cells(d, v);
    add_offsets(d, v);
}
