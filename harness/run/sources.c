/*
 * The sources of a sweep's points: a row for each strategy (spec/strategies.def), and the points
 * that another program asks for.
 */
#include "run/sweep_state.h"

#define STRATEGY(name, word, source) extern const struct source_kind source;
#include "spec/strategies.def"
extern const struct source_kind source_asked;

static const struct source_kind *const strategies[SEARCH_STRATEGIES] = {
#define STRATEGY(name, word, source) [SEARCH_##name] = &source,
#include "spec/strategies.def"
};

const struct source_kind *source_kind_of(const struct sweep *s)
{
    const struct config *c = s->options->setup.config;
    return c->points.asked ? &source_asked : strategies[c->search.strategy];
}
