/*
 * How the page of a comparison begins: ways to the points behind its findings, and the winner of
 * each problem in both runs. Programs get the winners, too.
 */
#include "analyze/diff.h"

#include "analyze/results_columns.h"

/* The points that a verdict was given to, in one click. */
static void add_links(const struct diff *d, struct view *v)
{
    static const enum verdict verdicts[] = {VERDICT_BROKEN, VERDICT_UNTIMED, VERDICT_SLOW,
                                            VERDICT_FIXED, VERDICT_FAST};
    struct text html = {0};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        size_t points = d->all->verdicts[verdicts[i]];
        const char *name = verdict_name(verdicts[i]);
        if (!points)
            continue;
        char *choice = view_choice("verdict", name);
        char *label = xasprintf("%zu %s %s", points, points == 1 ? "point is" : "points are", name);
        text_append(&html, "%s<li>", html.length ? "" : "<ul>\n");
        view_html_link(&html, choice, label);
        text_append(&html, "</li>\n");
        free(label);
        free(choice);
    }
    if (html.length) {
        text_append(&html, "</ul>\n");
        view_html(v, &html);
    }
}

static void put_winners(const void *rows, size_t row, struct view_row *out)
{
    const struct diff *d = rows;
    const struct transfer *t = &d->transfers.items[row];
    const struct pair *pairs = d->match.pairs.items;
    const size_t winners[] = {t->winner_a, t->winner_b};
    double times[2] = {diff_time(d->a, pairs[t->winner_a].a).value,
                       diff_time(d->b, pairs[t->winner_b].b).value};
    results_put_problem(out, d->a, pairs[t->pair].a, d->b, pairs[t->pair].b, d->axes);
    for (int i = 0; i < 2; i++) {
        struct text name = {0};
        results_configuration(i ? d->b : d->a, i ? pairs[winners[i]].b : pairs[winners[i]].a,
                              &name);
        view_put_made(out, &name);
        view_put_number(out, times[i]);
    }
    view_put_number(out, times[1] / times[0]);
}

void diff_view_page(const struct diff *d, struct view *v)
{
    static const struct column columns[] = {
        {.name = "winner_a", .heading = "a's winner", .rank = RANK_PROBLEM, .audience = FOR_PAGES},
        {.name = "time_us_a",
         .heading = "a µs",
         .kind = COLUMN_NUMBER,
         .digits = 5,
         .rank = RANK_TIME,
         .audience = FOR_PAGES},
        {.name = "winner_b", .heading = "b's winner", .rank = RANK_KEY, .audience = FOR_PAGES},
        {.name = "time_us_b",
         .heading = "b µs",
         .kind = COLUMN_NUMBER,
         .digits = 5,
         .rank = RANK_TIME,
         .audience = FOR_PAGES},
        {.name = "ratio",
         .heading = "change",
         .kind = COLUMN_CHANGE,
         .rank = RANK_TIME,
         .audience = FOR_PAGES}};
    add_links(d, v);
    if (!d->transfers.count)
        return;
    view_html_heading(v, "winners", "Winners");
    struct view_table *t = view_table(v, "winners", FOR_PAGES, put_winners, d, d->transfers.count);
    view_table_title(t, "The fastest point of each problem in either run%s:",
                     d->same_device ? "" : ", on its own device");
    results_problem_columns(t, AXES_FOR_ALL, d->axes);
    for (size_t i = 0; i < t->columns.count; i++)
        if (strcmp(t->columns.items[i].name, axis_table[AXIS_n].name) == 0) {
            t->columns.items[i].kind = COLUMN_SIZE;
            t->columns.items[i].rank = RANK_PROBLEM;
        }
    view_columns(t, columns, sizeof columns / sizeof *columns);
    view_html_heading(v, "runs", "Runs");
}
