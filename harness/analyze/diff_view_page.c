/*
 * Makes the top of a comparison's page: links to the points behind the findings, and the winner of
 * each problem in both runs. Programs get the table of winners, too.
 */
#include "analyze/diff.h"

#include "analyze/results_columns.h"

/* Adds a link to the points of each verdict, and to the points with worse counts. */
void diff_view_links(const struct diff *d, struct view *v)
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
    size_t worse = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++)
        worse += diff_worse_counts(d, i, NULL);
    if (worse) {
        char *choice = view_choice("worse_counts", NULL);
        char *label =
            xasprintf("%zu %s worse counts", worse, worse == 1 ? "point has" : "points have");
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

struct run_row *diff_transfer_rows(const struct diff *d)
{
    struct run_row *rows = xcalloc(d->transfers.count + 1, sizeof *rows);
    for (size_t i = 0; i < d->transfers.count; i++) {
        const struct pair *pair = &d->match.pairs.items[d->transfers.items[i].pair];
        rows[i] = (struct run_row){d->a, d->b, pair->a, pair->b};
    }
    return rows;
}

const char *diff_winner(const struct diff *d, struct table *t, const struct transfer *of, bool b)
{
    const struct pair *pair = &d->match.pairs.items[b ? of->winner_b : of->winner_a];
    struct text name = {0};
    results_configuration(b ? d->b : d->a, b ? pair->b : pair->a, &name);
    return table_keep(t, name.bytes);
}

double diff_winner_time(const struct diff *d, const struct transfer *of, bool b)
{
    const struct pair *pair = &d->match.pairs.items[b ? of->winner_b : of->winner_a];
    return diff_time(b ? d->b : d->a, b ? pair->b : pair->a).value;
}

static void add_winners(const struct diff *d, struct table *t)
{
    const struct transfer *of = d->transfers.items;
    struct run_row *rows = diff_transfer_rows(d);
    results_add_problem(t, rows, d->axes, FOR_ALL, PROBLEM_BY_SIZE);
    table_add_texts(t, i, diff_winner(d, t, &of[i], false), "winner_a", .heading = "a's winner",
                    .rank = RANK_PROBLEM);
    table_add_numbers(t, i, diff_winner_time(d, &of[i], false), "time_us_a", .heading = "a µs",
                      .kind = COLUMN_NUMBER, .digits = 5, .rank = RANK_TIME);
    table_add_texts(t, i, diff_winner(d, t, &of[i], true), "winner_b", .heading = "b's winner",
                    .rank = RANK_KEY);
    table_add_numbers(t, i, diff_winner_time(d, &of[i], true), "time_us_b", .heading = "b µs",
                      .kind = COLUMN_NUMBER, .digits = 5, .rank = RANK_TIME);
    table_add_numbers(t, i, diff_winner_time(d, &of[i], true) / diff_winner_time(d, &of[i], false),
                      "ratio", .heading = "change", .kind = COLUMN_CHANGE, .rank = RANK_TIME);
    free(rows);
}

void diff_view_winners(const struct diff *d, struct view *v)
{
    if (!d->transfers.count)
        return;
    view_html_heading(v, "winners", "Winners");
    struct view_table *t = view_add_table(v, "winners", FOR_PAGES, d->transfers.count);
    view_table_title(t, "The fastest point of each problem in either run%s:",
                     d->same_device ? "" : ", on its own device");
    add_winners(d, &t->cells);
}
