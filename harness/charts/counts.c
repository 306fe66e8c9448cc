/*
 * The chart `counts` compares the counts of two runs, for example of the simulator and of a GPU. It
 * has a panel for each metric, in which each point's count in one run is plotted against its count
 * in the other. A metric that is equal in both runs at all points has no panel, and is named below
 * the chart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/pairs.h"

CHART(270, counts, SEVERAL, SHOWS_ALL | TAKES_Y, "", make_counts,
      "Counts of two runs, such as the simulator's and the hardware's.")

struct count_point {
    uint32_t row;
    double a, b;
    bool same;
};

struct counts {
    const struct chart_rows *rows;
    const struct run_pairs *pairs;
    VEC(char *) titles, notes; /* one per panel */
    VEC(double) low, high;
    /* the names of metrics without a panel: equal at all points, or 0 in at least one run */
    struct text equal, empty;
};

static int decimals(const struct column *c, uint32_t row)
{
    struct text t = {0};
    column_append(c, row, &t);
    const char *dot = t.bytes ? strchr(t.bytes, '.') : NULL;
    int count = dot ? (int)strlen(dot + 1) : 0;
    text_free(&t);
    return count;
}

/*
 * Returns whether two counts are equal when both are rounded to the decimals that both runs
 * contain, as in `redsweep diff`. Counts from published tables are rounded.
 */
static bool are_equal(const struct column *c, const struct run_pair *pair)
{
    double a = column_number(c, pair->a), b = column_number(c, pair->b);
    if (a == b)
        return true;
    int i = decimals(c, pair->a), k = decimals(c, pair->b), places = i < k ? i : k;
    return places > 0 && fabs(a - b) <= 0.5000001 / pow(10, places);
}

typedef VEC(struct count_point) count_list;

/*
 * Returns whether no other point is at the place of this one. Further points at the same place
 * would only make the file larger.
 */
static bool is_new(struct numbering *places, const struct count_point *point)
{
    char place[80];
    snprintf(place, sizeof place, "%.0f %.0f %d", 50 * log10(point->a), 50 * log10(point->b),
             point->same);
    size_t known = places->texts.count;
    return numbering_add(places, place) == known;
}

static void write_points(const struct counts *c, const char *metric, const count_list *list,
                         struct picture *p)
{
    struct numbering places = {0};
    count_list shown = {0};
    /* Later marks are drawn over earlier ones, so the counts that differ come last. */
    for (int differ = 0; differ < 2; differ++)
        for (size_t i = 0; i < list->count; i++)
            if (list->items[i].same == !differ && is_new(&places, &list->items[i]))
                vec_push(&shown, list->items[i]);
    struct table t = {.row_count = shown.count};
    uint32_t *rows = xcalloc(shown.count + 1, sizeof *rows);
    for (size_t i = 0; i < shown.count; i++)
        rows[i] = shown.items[i].row;
    table_add_texts(&t, i, metric, "metric");
    table_add_texts(&t, i, column_text(c->rows->kernel, shown.items[i].row), "kernel");
    table_add_numbers(&t, i, column_number(c->rows->n, shown.items[i].row), "n",
                      .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, shown.items[i].a, "a", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, shown.items[i].b, "b", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, shown.items[i].same, "same", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, layout_rgb(shown.items[i].same ? 1 : 2), "rgb", .kind = COLUMN_COUNT);
    chart_add_settings(c->rows, rows, &t);
    picture_block(p, &t);
    free(rows);
    table_free(&t);
    vec_free(&shown);
    numbering_free(&places);
}

/* Adds the panel of a metric whose counts differ between the runs at some point. */
static void add_panel(struct counts *c, const char *metric, const count_list *list, size_t both,
                      size_t equal, struct picture *p)
{
    double low = INFINITY, high = 0, furthest = 0;
    const struct count_point *far = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct count_point *point = &list->items[i];
        low = fmin(low, fmin(point->a, point->b));
        high = fmax(high, fmax(point->a, point->b));
        if (!point->same && fabs(log(point->b / point->a)) > furthest) {
            furthest = fabs(log(point->b / point->a));
            far = point;
        }
    }
    struct text note = {0};
    text_append(&note, "%zu of %zu equal", equal, both);
    if (list->count < both)
        text_append(&note, ", %zu with a 0", both - list->count);
    if (far)
        text_append(&note, "; furthest: %s × %.3g", column_text(c->rows->kernel, far->row),
                    far->b / far->a);
    vec_push(&c->titles, xstrdup(metric));
    vec_push(&c->notes, note.bytes);
    vec_push(&c->low, low / 1.5);
    vec_push(&c->high, high * 1.5);
    write_points(c, metric, list, p);
}

static void take_metric(struct counts *c, const struct column *metric, struct picture *p)
{
    count_list list = {0};
    size_t both = 0, equal = 0;
    for (size_t i = 0; i < c->pairs->list.count; i++) {
        const struct run_pair *pair = &c->pairs->list.items[i];
        double a = column_number(metric, pair->a), b = column_number(metric, pair->b);
        if (isnan(a) || isnan(b))
            continue;
        bool same = are_equal(metric, pair);
        both++;
        equal += same;
        if (a > 0 && b > 0) /* a logarithmic axis has no 0 */
            vec_push(&list, (struct count_point){pair->a, a, b, same});
    }
    if (both && equal == both)
        text_append(&c->equal, "%s%s (%zu)", c->equal.length ? ", " : "", metric->name, both);
    else if (both && !list.count)
        text_append(&c->empty, "%s%s (%zu of %zu equal)", c->empty.length ? ", " : "", metric->name,
                    equal, both);
    else if (both)
        add_panel(c, metric->name, &list, both, equal, p);
    vec_free(&list);
}

static void write_words(const struct counts *c, struct picture *p)
{
    struct text shown = {0};
    text_append(&shown, "x: %s; y: %s; blue: equal counts; orange: different counts",
                c->pairs->names[0], c->pairs->names[1]);
    picture_text(p, "NAME_A", c->pairs->names[0]);
    picture_text(p, "NAME_B", c->pairs->names[1]);
    if (c->equal.length)
        text_append(&shown, "; equal at all points: %s", c->equal.bytes);
    if (c->empty.length)
        text_append(&shown, "; not shown, because they are 0 in at least one run: %s",
                    c->empty.bytes);
    picture_text(p, "SHOWN", shown.bytes);
    picture_number(p, "METRICS", (double)c->titles.count);
    picture_texts(p, "TITLE", (const char *const *)c->titles.items, c->titles.count);
    picture_texts(p, "FOUND", (const char *const *)c->notes.items, c->notes.count);
    picture_numbers(p, "LOW", c->low.items, c->low.count);
    picture_numbers(p, "HIGH", c->high.items, c->high.count);
    text_free(&shown);
}

bool make_counts(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct run_pairs pairs;
    struct counts c = {.rows = r, .pairs = &pairs};
    bool ok = pairs_find(r, &pairs, why);
    for (size_t i = 0; ok && i < r->run->rows.columns.count; i++)
        if (r->run->columns[i].role == ROLE_METRIC &&
            (!r->options->y || text_list_has(r->options->y, r->run->rows.columns.items[i]->name)))
            take_metric(&c, r->run->rows.columns.items[i], p);
    bool any = c.titles.count > 0;
    if (ok && any)
        write_words(&c, p);
    else if (ok && c.equal.length)
        snprintf(why, 256, "all counts are equal: %.200s", c.equal.bytes);
    else if (ok)
        snprintf(why, 256, "no metric has values above 0 in both runs");
    for (size_t i = 0; i < c.titles.count; i++) {
        free(c.titles.items[i]);
        free(c.notes.items[i]);
    }
    vec_free(&c.titles);
    vec_free(&c.notes);
    vec_free(&c.low);
    vec_free(&c.high);
    text_free(&c.equal);
    text_free(&c.empty);
    pairs_free(&pairs);
    return ok && any;
}
