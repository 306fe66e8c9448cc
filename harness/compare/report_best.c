/*
 * The best configurations within the page: what `redsweep best` says, as a table.
 */
#include "compare/report.h"

#include <math.h>
#include <string.h>

#include "compare/best.h"
#include "compare/grid.h"

static void number_cell(struct text *page, double number, int digits)
{
    char shown[40];
    number_format(number, digits, shown);
    if (isnan(number))
        text_append(page, "<td></td>");
    else
        text_append(page, "<td class=\"n\" data-v=\"%.17g\">%s</td>", number, shown);
}

static void append_name(struct text *page, const struct best *b, const struct candidate *c)
{
    struct text name = {0};
    best_name(b, c, &name);
    report_text(page, text_shown(&name));
    text_free(&name);
}

/* The others that may be as good: all of their names, folded away where they are many. */
static void append_ties(struct text *page, const struct best *b, const struct problem *p)
{
    text_append(page, "<td class=\"n\" data-v=\"%zu\">", p->tied - 1);
    if (p->tied > 1) {
        text_append(page, "<details><summary>%zu of %zu</summary>", p->tied - 1, p->count - 1);
        for (size_t i = 1; i < p->count; i++) {
            if (!p->candidates[i].tied)
                continue;
            append_name(page, b, &p->candidates[i]);
            text_append(page, " (%+.1f %%)<br>", (p->candidates[i].ratio.value - 1) * 100);
        }
        text_append(page, "</details>");
    } else {
        text_append(page, "none");
    }
    text_append(page, "</td>");
}

/* Columns that are empty everywhere are left out. */
struct shown {
    bool ceiling, reference;
};

static struct shown what_to_show(const struct best *b)
{
    struct shown s = {false, false};
    for (size_t i = 0; i < b->problem_count; i++) {
        const struct candidate *c = &b->problems[i].candidates[0];
        s.ceiling = s.ceiling || !isnan(results_number(&b->runs[c->run], c->row, "ceiling_pct"));
        s.reference = s.reference || !isnan(b->problems[i].reference.time.value);
    }
    return s;
}

static void append_problem(struct text *page, const struct best *b, const struct problem *p,
                           const struct shown *shown)
{
    const struct candidate *winner = &p->candidates[0];
    const struct results *r = &b->runs[winner->run];
    static const char *const names[] = {"type", "op", "cache", "scope"};
    text_append(page, "<tr>");
    for (int i = 0; i < 4; i++) {
        text_append(page, "<td>");
        report_text(page, results_text(r, winner->row, names[i]));
        text_append(page, "</td>");
    }
    char size[32];
    best_size(p->n, size);
    const char *power = strchr(size, '^');
    text_append(page, "<td class=\"n\" data-v=\"%.17g\">", p->n);
    if (power)
        text_append(page, "2<sup>%s</sup></td><td>", power + 1);
    else
        text_append(page, "%s</td><td>", size);
    append_name(page, b, winner);
    text_append(page, "</td>");
    number_cell(page, winner->time.value, 5);
    number_cell(page, results_number(r, winner->row, "bandwidth_gbs"), 4);
    if (shown->ceiling)
        number_cell(page, results_number(r, winner->row, "ceiling_pct"), 3);
    number_cell(page, results_number(r, winner->row, "peak_pct"), 3);
    append_ties(page, b, p);
    if (shown->reference)
        number_cell(page, p->reference.time.value / winner->time.value, 4);
    text_append(page, "</tr>\n");
}

static void append_choice(struct text *page, const struct best *b, const struct family *f)
{
    const struct problem *p = &b->problems[f->first];
    const struct results *r = &b->runs[p->candidates[0].run];
    size_t row = p->candidates[0].row;
    if (f->count < 2)
        return;
    while (!best_candidate(p, f->overall))
        p++;
    text_append(page, "<li>%s %s, %s, %s: ", results_text(r, row, "type"),
                results_text(r, row, "op"), results_text(r, row, "cache"),
                results_text(r, row, "scope"));
    append_name(page, b, best_candidate(p, f->overall));
    text_append(page, ", %.1f %% slower than the winners on geometric mean, at most %.1f %%",
                f->regret * 100, f->worst * 100);
    if (f->measured < f->count)
        text_append(page, " (measured at %zu of %zu sizes)", f->measured, f->count);
    text_append(page, "</li>\n");
}

bool report_best(const struct results *r, struct text *page, struct error *e)
{
    struct best b;
    const struct best_options options = {.metric = "time_us_median"};
    text_append(page, "<h2 id=\"best\">Best</h2>\n");
    if (table_column(&r->rows, options.metric) < 0 || !best_find(r, 1, &options, &b, e)) {
        if (e->kind == ERROR_MEMORY)
            return false;
        error_clear(e);
        text_append(page, "<p>No right row has a time, so there is none.</p>\n");
        return true;
    }
    text_append(page, "<p>The fastest right configuration of each problem, and how many others "
                      "cannot be told apart from it (rank test, 5 %% false discoveries).</p>\n"
                      "<div class=\"wide\"><table><thead><tr>");
    const struct shown shown = what_to_show(&b);
    text_append(page,
                "<th>type</th><th>op</th><th>cache</th><th>scope</th><th>n</th>"
                "<th>winner</th><th>µs</th><th>GB/s</th>%s<th>%% of peak</th><th>tied</th>%s",
                shown.ceiling ? "<th>% of ceiling</th>" : "",
                shown.reference ? "<th>CUB takes × as long</th>" : "");
    text_append(page, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < b.problem_count; i++)
        append_problem(page, &b, &b.problems[i], &shown);
    text_append(page, "</tbody></table></div>\n<p>One configuration for all sizes:</p>\n<ul>\n");
    for (size_t i = 0; i < b.family_count; i++)
        append_choice(page, &b, &b.families[i]);
    text_append(page, "</ul>\n");
    best_free(&b);
    return true;
}
