/*
 * A comparison for people: first what was compared and what is different about it, then what
 * came out, the largest changes, the counts, and one sentence at the end.
 */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/grid.h"

enum { LARGEST = 10 };

/* "+3.2 %" */
static void change_text(double ratio, char out[40])
{
    double percent = (ratio - 1) * 100;
    if (isnan(ratio))
        out[0] = '\0';
    else if (fabs(percent) >= 1000)
        snprintf(out, 40, "%.3g×", ratio);
    else
        snprintf(out, 40, "%+.*f %%", fabs(percent) < 99.95 ? 1 : 0, percent);
}

static void add_change(struct grid *g, double ratio)
{
    char text[40];
    change_text(ratio, text);
    grid_add(g, "%s", text);
}

/* "cold, kernel", from the run that knows. */
static void add_state(struct grid *g, const struct diff *d, size_t pair)
{
    const struct pair *p = &d->match.pairs[pair];
    const char *cache = results_text(d->a, p->a, "cache"),
               *scope = results_text(d->a, p->a, "scope");
    cache = *cache ? cache : results_text(d->b, p->b, "cache");
    scope = *scope ? scope : results_text(d->b, p->b, "scope");
    grid_add(g, "%s%s%s", cache, *cache && *scope ? ", " : "", scope);
}

/* kernel, type op, n, setting, cache, scope of a pair: what names it to a reader. */
static void add_names(struct grid *g, const struct diff *d, size_t pair)
{
    size_t row = d->match.pairs[pair].a;
    struct text setting = {0};
    results_setting(d->a, row, &setting);
    grid_add(g, "%s", results_text(d->a, row, "kernel"));
    grid_add(g, "%s %s", results_text(d->a, row, "type"), results_text(d->a, row, "op"));
    grid_add(g, "%s", results_text(d->a, row, "n"));
    grid_add(g, "%s", text_shown(&setting));
    add_state(g, d, pair);
    text_free(&setting);
}

static void add_name_headings(struct grid *g)
{
    static const char *const names[] = {"kernel", "type op", "n", "setting", "cache, scope"};
    for (int i = 0; i < 5; i++)
        grid_add(g, "%s", names[i]);
}

static void print_run(const char *letter, const struct results *r, FILE *to)
{
    char started[64], name[160];
    results_told(r, "provenance.started", started, sizeof started);
    results_told(r, "provenance.run", name, sizeof name);
    fprintf(to, "%s  %s: %s (%s)%s%s%s%s, %zu rows%s\n", letter, r->path, results_device(r),
            results_backend(r), *name ? ", " : "", name, *started ? ", " : "", started,
            r->rows.row_count, r->rows.torn ? "; its last row is torn and left aside" : "");
}

static void print_changes(const struct diff *d, FILE *to)
{
    const char *line = d->changes.bytes;
    fprintf(to, "\nWhat else differs between a and b%s\n",
            line && *line ? ":" : ": nothing that is recorded.");
    while (line && *line) {
        size_t length = strcspn(line, "\n");
        fprintf(to, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Rows that only one run has, counted by kernel in the order of their appearance. */
static void print_only(const char *letter, const struct results *r, const size_t *rows,
                       size_t count, FILE *to)
{
    if (!count)
        return;
    fprintf(to, "  only in %s:", letter);
    bool *counted = calloc(count, sizeof *counted);
    for (size_t i = 0, groups = 0; counted && i < count; i++) {
        const char *kernel = results_text(r, rows[i], "kernel");
        size_t same = 0;
        for (size_t j = i; !counted[i] && j < count; j++)
            if (strcmp(kernel, results_text(r, rows[j], "kernel")) == 0) {
                same++;
                counted[j] = j > i;
            }
        if (same)
            fprintf(to, "%s %s (%zu)", groups++ ? "," : "", kernel, same);
    }
    fprintf(to, "\n");
    free(counted);
}

static void print_match(const struct diff *d, FILE *to)
{
    const struct match *m = &d->match;
    fprintf(to, "\n%zu points are in both runs, %zu only in a, %zu only in b.\n", m->pair_count,
            m->only_a_count, m->only_b_count);
    print_only("a", d->a, m->only_a, m->only_a_count, to);
    print_only("b", d->b, m->only_b, m->only_b_count, to);
    if (m->ignored)
        fprintf(to,
                "  one run does not know the %s of its points, so that was left out of the match\n",
                m->ignored == KEY_CACHE   ? "cache state"
                : m->ignored == KEY_SCOPE ? "scope"
                                          : "cache state and the scope");
    if (m->repeated_a || m->repeated_b)
        fprintf(to, "  left aside, as their run has the point already: %zu of a, %zu of b\n",
                m->repeated_a, m->repeated_b);
    size_t silent = m->pair_count - d->all.timed - d->all.verdicts[VERDICT_BROKEN] -
                    d->all.verdicts[VERDICT_FIXED];
    if (silent)
        fprintf(to, "  %zu of the common points have no times to compare\n", silent);
}

static void add_summary(struct grid *g, const struct diff *d, const struct diff_summary *s)
{
    grid_add(g, "%s", s->kernel ? s->kernel : "all");
    grid_add(g, "%zu", s->timed);
    if (d->same_device) {
        static const enum verdict shown[] = {VERDICT_FAST, VERDICT_SLOW, VERDICT_SAME,
                                             VERDICT_AMBIG};
        for (int i = 0; i < 4; i++)
            grid_add(g, "%zu", s->verdicts[shown[i]]);
        add_change(g, s->geometric_mean);
        return;
    }
    grid_number(g, s->geometric_mean, 4);
    grid_number(g, s->share_a, 3);
    grid_number(g, s->share_b, 3);
}

static void print_summary(const struct diff *d, FILE *to)
{
    if (!d->all.timed) {
        fprintf(to, "\nNo point has times in both runs: only counts can be compared.\n");
        return;
    }
    static const char *const same[] = {"kernel", "points", "FAST", "SLOW", "SAME", "AMBIG", "time"};
    const char *const other[] = {"kernel", "points", "time b/a", "a, % of its ceiling",
                                 "b, % of its ceiling"};
    struct grid g = {.columns = d->same_device ? 7 : 5};
    for (size_t i = 0; i < g.columns; i++)
        grid_add(&g, "%s", d->same_device ? same[i] : other[i]);
    for (size_t k = 0; k < d->kernel_count; k++)
        if (d->kernels[k].timed)
            add_summary(&g, d, &d->kernels[k]);
    add_summary(&g, d, &d->all);
    if (d->same_device)
        fprintf(to,
                "\nTimes of b against a (geometric mean), and verdicts at a least effect of "
                "%g %%:\n",
                d->options.least_effect * 100);
    else
        fprintf(to,
                "\nTwo devices: times are not judged. The ratio is a geometric mean, the shares "
                "are medians of\neach point's bandwidth over its device's %s:\n",
                strcmp(d->ceiling, "peak_pct") == 0 ? "datasheet peak" : "measured ceiling");
    grid_print(&g, 2, to);
    grid_free(&g);
    if (d->same_device && d->margin.step_us + d->margin.context_us > 0)
        fprintf(
            to,
            "  A difference counts from %.3g us on: a step of the clock (%.3g), and what launches "
            "may take\n  longer in one run's context than in the other's (%.3g).\n",
            d->margin.step_us + d->margin.context_us, d->margin.step_us, d->margin.context_us);
    if (d->all.blind)
        fprintf(to, "  %zu of the SAME points are too noisy to exclude a change of %g %%.\n",
                d->all.blind, d->options.least_effect * 100);
    if (d->all.other_repeat && d->same_device)
        fprintf(
            to,
            "  %zu of the points have a time of another number of launches (column repeat) in b "
            "than in a;\n  %zu of them are AMBIG because their change may come from that.\n",
            d->all.other_repeat, d->all.by_repeat);
}

static double size_of_change(const struct diff *d, size_t pair)
{
    return fabs(log(d->points[pair].ratio.value));
}

/* Insertion into a short sorted list: the least change falls out at its end. */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < d->match.pair_count; i++) {
        if (d->points[i].verdict != v)
            continue;
        size_t at = count;
        while (at > 0 && size_of_change(d, i) > size_of_change(d, pairs[at - 1]))
            at--;
        if (at == most)
            continue;
        if (count < most)
            count++;
        memmove(pairs + at + 1, pairs + at, (count - 1 - at) * sizeof *pairs);
        pairs[at] = i;
    }
    return count;
}

static void print_largest(const struct diff *d, enum verdict v, const char *heading, FILE *to)
{
    size_t pairs[LARGEST], count = diff_largest(d, v, pairs, LARGEST);
    if (!count)
        return;
    static const char *const names[] = {"a µs", "b µs", "change", "from", "to", "q"};
    struct grid g = {.columns = 11};
    add_name_headings(&g);
    for (int i = 0; i < 6; i++)
        grid_add(&g, "%s", names[i]);
    for (size_t i = 0; i < count; i++) {
        const struct point_diff *p = &d->points[pairs[i]];
        add_names(&g, d, pairs[i]);
        grid_number(&g, p->a.value, 5);
        grid_number(&g, p->b.value, 5);
        add_change(&g, p->ratio.value);
        add_change(&g, p->ratio.low);
        add_change(&g, p->ratio.high);
        grid_add(&g, "%.1g", p->q);
    }
    size_t all = d->all.verdicts[v];
    fprintf(to, "\n%s%s", heading, all > count ? " (the ten largest changes of " : "");
    if (all > count)
        fprintf(to, "%zu)", all);
    fprintf(to, ":\n");
    grid_print(&g, 2, to);
    grid_free(&g);
}

static void print_broken(const struct diff *d, enum verdict v, const char *heading, FILE *to)
{
    if (!d->all.verdicts[v])
        return;
    struct grid g = {.columns = 7};
    add_name_headings(&g);
    grid_add(&g, "status");
    grid_add(&g, "reason");
    size_t shown = 0;
    for (size_t i = 0; i < d->match.pair_count && shown < 2 * LARGEST; i++) {
        const struct pair *pair = &d->match.pairs[i];
        if (d->points[i].verdict != v)
            continue;
        bool b_failed = v == VERDICT_BROKEN;
        add_names(&g, d, i);
        grid_add(&g, "%s -> %s", results_text(d->a, pair->a, "status"),
                 results_text(d->b, pair->b, "status"));
        grid_add(&g, "%.60s",
                 b_failed ? results_text(d->b, pair->b, "reason")
                          : results_text(d->a, pair->a, "reason"));
        shown++;
    }
    fprintf(to, "\n%s: %zu\n", heading, d->all.verdicts[v]);
    grid_print(&g, 2, to);
    grid_free(&g);
}

static void print_transfers(const struct diff *d, FILE *to)
{
    if (!d->transfer_count)
        return;
    static const char *const names[] = {
        "type op",     "n",          "cache, scope", "points",
        "correlation", "a's winner", "b's winner",   "a's winner on b costs"};
    struct grid g = {.columns = 8};
    for (int i = 0; i < 8; i++)
        grid_add(&g, "%s", names[i]);
    for (size_t i = 0; i < d->transfer_count; i++) {
        const struct transfer *t = &d->transfers[i];
        size_t row = d->match.pairs[t->pair].a, winners[] = {t->winner_a, t->winner_b};
        grid_add(&g, "%s %s", results_text(d->a, row, "type"), results_text(d->a, row, "op"));
        grid_add(&g, "%s", results_text(d->a, row, "n"));
        add_state(&g, d, t->pair);
        grid_add(&g, "%zu", t->configurations);
        grid_number(&g, t->correlation, 3);
        for (int w = 0; w < 2; w++) {
            size_t winner = d->match.pairs[winners[w]].a;
            struct text setting = {0};
            results_setting(d->a, winner, &setting);
            grid_add(&g, "%s, %s", results_text(d->a, winner, "kernel"),
                     text_shown(&setting));
            text_free(&setting);
        }
        add_change(&g, t->cost);
    }
    fprintf(to, "\nHow well configurations carry over (rank correlation of their times), and what "
                "a's winner costs on b:\n");
    grid_print(&g, 2, to);
    grid_free(&g);
}

static void print_metrics(const struct diff *d, FILE *to)
{
    if (!d->metric_count)
        return;
    static const char *const names[] = {"metric", "points",  "equal", "compared",
                                        "b/a",    "largest", "of"};
    struct grid g = {.columns = 7};
    for (int i = 0; i < 7; i++)
        grid_add(&g, "%s", names[i]);
    for (size_t i = 0; i < d->metric_count; i++) {
        const struct metric_diff *m = &d->metrics[i];
        grid_add(&g, "%s", d->a->rows.columns[m->column_a]);
        grid_add(&g, "%zu", m->both);
        grid_add(&g, "%zu", m->equal);
        if (*m->rule)
            grid_add(&g, "another rule");
        else if (m->deterministic)
            grid_add(&g, "exactly");
        else
            grid_add(&g, "to %g %%", d->options.least_effect * 100);
        grid_number(&g, m->geometric_mean, 5);
        if (m->equal < m->both) {
            size_t row = d->match.pairs[m->largest_pair].a;
            grid_number(&g, m->largest, 5);
            grid_add(&g, "%s, n %s", results_text(d->a, row, "kernel"),
                     results_text(d->a, row, "n"));
        } else {
            grid_add(&g, "%s", "");
            grid_add(&g, "%s", "");
        }
    }
    fprintf(to, "\nCounts:\n");
    grid_print(&g, 2, to);
    grid_free(&g);
    for (size_t i = 0; i < d->metric_count; i++)
        if (*d->metrics[i].rule)
            fprintf(to, "  %s is not the same count on both: %s.\n",
                    d->a->rows.columns[d->metrics[i].column_a], d->metrics[i].rule);
}

static void print_verdict(const struct diff *d, FILE *to)
{
    size_t slow = d->all.verdicts[VERDICT_SLOW], broken = d->all.verdicts[VERDICT_BROKEN];
    if (!d->same_device)
        fprintf(to, "\nDifferent devices: no verdict on times.\n");
    else if (slow || broken)
        fprintf(to, "\nA regression: %zu points are slower, %zu no longer right.\n", slow, broken);
    else if (d->all.timed)
        fprintf(to, "\nNothing is slower: %zu faster, %zu the same, %zu ambiguous.\n",
                d->all.verdicts[VERDICT_FAST], d->all.verdicts[VERDICT_SAME],
                d->all.verdicts[VERDICT_AMBIG]);
}

void diff_print(const struct diff *d, FILE *to)
{
    print_run("a", d->a, to);
    print_run("b", d->b, to);
    print_changes(d, to);
    print_match(d, to);
    print_summary(d, to);
    if (d->same_device) {
        print_broken(d, VERDICT_BROKEN, "No longer right", to);
        print_broken(d, VERDICT_FIXED, "Right again", to);
        print_largest(d, VERDICT_SLOW, "Slower", to);
        print_largest(d, VERDICT_FAST, "Faster", to);
        print_largest(d, VERDICT_AMBIG, "Ambiguous", to);
    } else {
        print_broken(d, VERDICT_BROKEN, "Right on a, not on b", to);
        print_transfers(d, to);
    }
    print_metrics(d, to);
    print_verdict(d, to);
}
