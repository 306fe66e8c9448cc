/*
 * The chart `costs` is a table with a cell for each pair of runs a and b. It shows how much slower
 * the winners of run a are in run b than the winners of run b, on average over the values of n that
 * both runs have. A winner of run a that run b did not measure is left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "charts/across.h"
#include "charts/charts.h"

CHART(240, costs, SEVERAL, 0, "", make_costs,
      "How much slower the winners of one run are than the winners of another run, if both are "
      "timed in the other run.")

struct cost {
    /* the indices of runs a and b, and at how many values of n they were compared */
    size_t a, b, sizes;
    double mean, worst; /* in percent */
};

struct costs {
    const struct across *across;
    VEC(struct cost) list;
    size_t missing; /* the number of winners that the other run did not measure */
    bool any;       /* whether winners of two different runs were compared */
};

static void compare(struct costs *c, size_t a, size_t b)
{
    const struct chart_rows *r = c->across->rows;
    double sum = 0, worst = 0;
    size_t count = 0;
    for (size_t k = 0; k < c->across->sizes.count; k++) {
        uint32_t row = across_best(c->across, a, k), own = across_best(c->across, b, k);
        if (row == ROW_NONE || own == ROW_NONE)
            continue;
        uint32_t there = across_same(c->across, row, b);
        if (there == ROW_NONE) {
            c->missing++;
            continue;
        }
        double ratio = chart_time(r, there) / chart_time(r, own);
        sum += log(ratio);
        worst = fmax(worst, ratio - 1);
        count++;
    }
    if (!count)
        return;
    c->any = c->any || a != b;
    vec_push(&c->list,
             (struct cost){a, b, count, 100 * (exp(sum / (double)count) - 1), 100 * worst});
}

static void write_picture(const struct costs *c, struct picture *p)
{
    const struct across *a = c->across;
    double high = 0;
    struct table t = {.row_count = c->list.count};
#define COST(i) c->list.items[i]
    for (size_t i = 0; i < c->list.count; i++)
        high = fmax(high, COST(i).mean);
    table_add_texts(&t, i, a->names.items[COST(i).a], "winners_of");
    table_add_texts(&t, i, a->names.items[COST(i).b], "run");
    table_add_numbers(&t, i, (double)COST(i).a + 1, "down", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)COST(i).b + 1, "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)COST(i).sizes, "sizes", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, COST(i).mean, "mean_pct", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, COST(i).worst, "worst_pct", .kind = COLUMN_NUMBER);
    /*
     * The darkest shade stands for the largest cost, but for at least 10 %, so that small costs are
     * pale.
     */
    table_add_numbers(&t, i, COST(i).mean > 0 ? sqrt(COST(i).mean / fmax(high, 10)) : 0, "shade",
                      .kind = COLUMN_NUMBER);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < t.row_count; i++) {
        char text[48] = "";
        if (COST(i).a != COST(i).b)
            snprintf(text, sizeof text, "%+.1f (%+.0f)", COST(i).mean, COST(i).worst);
        column_set_text(texts, i, text);
    }
#undef COST
    picture_block(p, &t);
    table_free(&t);
    struct text shown = {0};
    text_append(&shown,
                "%s; row: the run whose winners are compared; column: the run in which they were "
                "timed; cell: how much slower they are than the winners of the column's run, "
                "in percent (average over all n; in parentheses: the largest)",
                a->rows->slice);
    if (c->missing)
        text_append(&shown, "; %zu winners were not measured in the other runs", c->missing);
    picture_text(p, "HEADING", "How much slower each run's winners are in other runs");
    picture_text(p, "SHOWN", shown.bytes);
    picture_number(p, "COSTS", (double)a->runs.count);
    picture_number(p, "COSTS_WIDEST", across_widest(a));
    picture_texts(p, "COSTS_RUN", a->names.items, a->names.count);
    text_free(&shown);
}

bool make_costs(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct across a;
    struct costs c = {.across = &a};
    bool ok = across_find(r, &a, why);
    for (size_t i = 0; ok && i < a.runs.count; i++)
        for (size_t k = 0; k < a.runs.count; k++)
            compare(&c, i, k);
    if (ok && !c.any) {
        ok = false;
        snprintf(why, 256, "no winner of one run was measured in another");
    }
    if (ok)
        write_picture(&c, p);
    vec_free(&c.list);
    across_free(&a);
    return ok;
}
