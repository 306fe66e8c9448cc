/*
 * Energy beside time: which configurations are beaten in both, and the table of them. Power is what
 * the energy of a run of the kernel comes to over its time.
 */
#include "analyze/best.h"

#include <math.h>

#include "analyze/results_columns.h"

struct estimate best_energy_of(const struct results *r, size_t row)
{
    return (struct estimate){results_number(r, row, BEST_ENERGY),
                             results_number(r, row, BEST_ENERGY "_ci95_lo"),
                             results_number(r, row, BEST_ENERGY "_ci95_hi")};
}

/* Whether a is surely the smaller one: beyond the interval of their ratio. Unknown: it is not. */
static bool surely_less(struct estimate a, struct estimate b)
{
    return ratio_of(a, b).low > 1;
}

void best_find_beaten(struct problem *p)
{
    for (size_t i = 0; i < p->count; i++) {
        struct candidate *c = &p->candidates[i];
        p->metered += !isnan(c->energy.value);
        for (size_t k = 0; k < p->count && !c->beaten; k++)
            c->beaten = surely_less(p->candidates[k].time, c->time) &&
                        surely_less(p->candidates[k].energy, c->energy);
    }
}

static const struct metered_row *metered_at(const void *rows, size_t row)
{
    return (const struct metered_row *)rows + row;
}

static bool is_unbeaten(const void *rows, size_t row)
{
    return !metered_at(rows, row)->candidate->beaten;
}

/* "5.062 (5.020 to 5.091)", four digits, for people; the numbers for programs. */
static void put_estimate(struct view_row *out, struct estimate e)
{
    int before = e.value > 1 ? 1 + (int)log10(e.value) : 1, places = before < 4 ? 4 - before : 0;
    if (isnan(e.low))
        view_put_format(out, "%.*f", places, e.value);
    else
        view_put_format(out, "%.*f (%.*f to %.*f)", places, e.value, places, e.low, places, e.high);
    view_put_numbers(out, (const double[]){e.value, e.low, e.high}, 3);
}

static void put_metered(const void *rows, size_t row, struct view_row *out)
{
    const struct problem *p = metered_at(rows, row)->problem;
    const struct candidate *c = metered_at(rows, row)->candidate;
    const struct results *r = &p->runs[c->run];
    struct text name = {0};
    results_configuration(r, c->row, &name);
    results_put_named(out, r, c->row, "backend");
    results_put_named(out, r, c->row, "device");
    results_put_problem(out, r, c->row, NULL, 0, p->axes);
    view_put_made(out, &name);
    put_estimate(out, c->time);
    put_estimate(out, c->energy);
    view_put_number(out, c->energy.value / c->time.value);
    view_put(out, is_unbeaten(rows, row) ? "unbeaten" : "");
}

void best_add_energy(const struct best *b, metered_rows *list, struct view *v)
{
    static const struct column device[] = {
        VIEW_COLUMN("backend", NULL, COLUMN_TEXT, 0, FOR_PROGRAMS),
        VIEW_COLUMN("device", NULL, COLUMN_TEXT, 0, FOR_PROGRAMS)};
    static const struct column columns[] = {
        VIEW_COLUMN("configuration", NULL, COLUMN_TEXT, 0, FOR_ALL),
        VIEW_COLUMN("time", "µs", COLUMN_TEXT, 0, FOR_PEOPLE),
        VIEW_COLUMN("time_us_median", NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN("time_us_ci95_lo", NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN("time_us_ci95_hi", NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN("energy", "µJ", COLUMN_TEXT, 0, FOR_PEOPLE),
        VIEW_COLUMN(BEST_ENERGY, NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN(BEST_ENERGY "_ci95_lo", NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN(BEST_ENERGY "_ci95_hi", NULL, COLUMN_NUMBER, 5, FOR_PROGRAMS),
        VIEW_COLUMN("power_w", "W", COLUMN_NUMBER, 3, FOR_ALL),
        VIEW_COLUMN("unbeaten", "time and energy", COLUMN_TEXT, 0, FOR_ALL)};
    for (size_t i = 0; i < b->problem_count; i++)
        for (size_t k = 0; k < b->problems[i].count; k++)
            if (!isnan(b->problems[i].candidates[k].energy.value))
                vec_push(list,
                         (struct metered_row){&b->problems[i], &b->problems[i].candidates[k]});
    if (list->count == 0)
        return;
    struct view_table *t = view_table(v, "energy", FOR_ALL, put_metered, list->items, list->count);
    t->is_best = is_unbeaten;
    view_table_title(t, "Energy (95 %% intervals):\n");
    view_table_note(t, "unbeaten: no configuration of the same problem takes less time and less "
                       "energy, beyond the intervals of both ratios");
    view_columns(t, device, 2);
    results_problem_columns(t, AXES_FOR_ALL, b->axes);
    view_columns(t, columns, sizeof columns / sizeof *columns);
}
