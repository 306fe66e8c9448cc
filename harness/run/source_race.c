/*
 * The strategy `race`. At first, all points of a group are sampled. Whenever they have as many
 * samples as the next number in search.rungs, only the best points continue (measure/racing.c). In
 * all other respects, this source works like source_all.
 */
#include "run/source_all.h"
#include "run/sweep_state.h"

extern const struct source_kind source_race;

static struct source *make(struct sweep *s)
{
    struct all_points *a = xcalloc(1, sizeof *a);
    all_begin(a, &source_race, s);
    return &a->source;
}

/*
 * Returns whether some points of a group have no row. If only these points were measured, they
 * would race only against each other, and their numbers of samples would differ from those in an
 * uninterrupted race.
 */
static bool is_unfinished(const struct sweep *s, uint32_t group, size_t recorded)
{
    return recorded < s->plan->groups[group].count;
}

static bool next(struct source *source, struct lane *l, struct batch *out, struct error *e)
{
    sampling_race(&source->sweep->options->setup.config->search, &out->sampling);
    return all_next(source, l, out, e);
}

const struct source_kind source_race = {.name = "race",
                                        .make = make,
                                        .begins_again = is_unfinished,
                                        .next = next,
                                        .take = all_take,
                                        .drop = all_drop,
                                        .free = all_free,
                                        .by_times = true};
