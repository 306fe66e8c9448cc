/*
 * Finds configurations that another configuration beats in both time and energy, and adds the table
 * of energies. Power is the energy of one execution of a kernel divided by the time of the
 * execution.
 */
#include "analyze/best.h"

#include <math.h>

#include "analyze/results_columns.h"
#include "base/vec.h"

struct estimate best_energy_of(const struct results *r, size_t row)
{
    return (struct estimate){column_number(r->known.energy_uj, row),
                             column_number(r->known.energy_uj_ci95_lo, row),
                             column_number(r->known.energy_uj_ci95_hi, row)};
}

/* Returns whether the interval of a / b lies below 1, or false if the interval is unknown. */
static bool surely_less(struct estimate a, struct estimate b)
{
    return ratio_of(a, b).low > 1;
}

/*
 * Compares every pair of candidates. This is fast enough, because an energy takes seconds to
 * measure, so few candidates have one.
 */
void best_find_beaten(struct problem *p)
{
    VEC(struct candidate *) metered = {0};
    for (size_t i = 0; i < p->count; i++)
        if (!isnan(p->candidates[i].energy.value))
            vec_push(&metered, &p->candidates[i]);
    p->metered = metered.count;
    for (size_t i = 0; i < metered.count; i++) {
        struct candidate *c = metered.items[i];
        for (size_t k = 0; k < metered.count && !c->beaten; k++)
            c->beaten = surely_less(metered.items[k]->time, c->time) &&
                        surely_less(metered.items[k]->energy, c->energy);
    }
    vec_free(&metered);
}

/*
 * Returns a string such as "5.062 (5.020 to 5.091)", with four significant digits. The table owns
 * the string.
 */
static const char *estimate_text(struct estimate e, struct table *t)
{
    int before = e.value > 1 ? 1 + (int)log10(e.value) : 1, places = before < 4 ? 4 - before : 0;
    return table_keep(t, isnan(e.low) ? xasprintf("%.*f", places, e.value)
                                      : xasprintf("%.*f (%.*f to %.*f)", places, e.value, places,
                                                  e.low, places, e.high));
}

/*
 * Adds a column with text for people, and three columns with the numbers for programs. `of` has an
 * estimate for each row of the table.
 */
static void add_estimate(struct table *t, const struct estimate *of, struct column people,
                         const char *number, const char *interval)
{
    const struct column programs = {.kind = COLUMN_NUMBER, .digits = 5, .audience = FOR_PROGRAMS};
    struct column columns[] = {programs, programs, programs};
    columns[0].name = number;
    columns[1].name = table_keep(t, xasprintf("%s_ci95_lo", interval));
    columns[2].name = table_keep(t, xasprintf("%s_ci95_hi", interval));
    struct column *text = table_add(t, people), *value = table_add(t, columns[0]),
                  *low = table_add(t, columns[1]), *high = table_add(t, columns[2]);
    for (size_t i = 0; i < t->row_count; i++) {
        column_set_text(text, i, estimate_text(of[i], t));
        value->numbers[i] = of[i].value;
        low->numbers[i] = of[i].low;
        high->numbers[i] = of[i].high;
    }
}

static const char *name_of(const struct candidate *c, const struct best *b, struct table *t)
{
    struct text name = {0};
    best_name(b, c, &name);
    return table_keep(t, name.bytes);
}

static void add_columns(const struct best *b, const struct candidate *const *of, struct table *t)
{
    struct run_row *rows = xcalloc(t->row_count + 1, sizeof *rows);
    struct estimate *times = xcalloc(t->row_count + 1, sizeof *times),
                    *energies = xcalloc(t->row_count + 1, sizeof *energies);
    for (size_t i = 0; i < t->row_count; i++) {
        rows[i] = best_row(b, of[i]);
        times[i] = of[i]->time;
        energies[i] = of[i]->energy;
    }
    best_add_device(t, rows, FOR_PROGRAMS);
    results_add_problem(t, rows, b->axes, FOR_ALL, PROBLEM_PLAIN);
    table_add_texts(t, i, name_of(of[i], b, t), "configuration");
    add_estimate(t, times, (struct column){.name = "time", .heading = "µs", .audience = FOR_PEOPLE},
                 "time_us_median", "time_us");
    free(times);
    add_estimate(t, energies,
                 (struct column){.name = "energy", .heading = "µJ", .audience = FOR_PEOPLE},
                 BEST_ENERGY, BEST_ENERGY);
    free(energies);
    table_add_numbers(t, i, of[i]->energy.value / of[i]->time.value, "power_w", .heading = "W",
                      .kind = COLUMN_NUMBER, .digits = 3);
    table_add_texts(t, i, of[i]->beaten ? "" : "unbeaten", "unbeaten",
                    .heading = "time and energy");
    free(rows);
}

void best_add_energy(const struct best *b, struct view *v)
{
    VEC(const struct candidate *) list = {0};
    for (size_t i = 0; i < b->problem_count; i++)
        for (size_t k = 0; k < b->problems[i].count; k++)
            if (!isnan(b->problems[i].candidates[k].energy.value))
                vec_push(&list, &b->problems[i].candidates[k]);
    if (list.count) {
        struct view_table *t = view_add_table(v, "energy", FOR_ALL, list.count);
        view_table_title(t, "Energy (95 %% intervals):\n");
        view_table_note(t, "unbeaten: no other configuration of the problem takes both less time "
                           "and less energy (with the 95 %% intervals of both ratios below 1)");
        add_columns(b, list.items, &t->cells);
        t->best = view_marks(t);
        for (size_t i = 0; i < list.count; i++)
            t->best[i] = !list.items[i]->beaten;
    }
    vec_free(&list);
}
