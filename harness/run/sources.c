/*
 * Lists all kinds of sources: one for each strategy (spec/strategies.def), and one for points that
 * another program requests.
 */
#include <stdlib.h>

#include "run/sweep_state.h"

#define STRATEGY(name, word, source) extern const struct source_kind source;
#include "spec/strategies.def"
extern const struct source_kind source_asked;

static const struct source_kind *const strategies[SEARCH_STRATEGIES] = {
#define STRATEGY(name, word, source) [SEARCH_##name] = &source,
#include "spec/strategies.def"
};

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void batch_sort(struct batch *b)
{
    uint32_t *points = b->points.items;
    size_t count = 0;
    if (b->points.count)
        qsort(points, b->points.count, sizeof *points, compare_numbers);
    for (size_t i = 0; i < b->points.count; i++)
        if (i == 0 || points[i] != points[i - 1])
            points[count++] = points[i];
    b->points.count = count;
}

const struct source_kind *source_kind_of(const struct config *c)
{
    return c->points.asked ? &source_asked : strategies[c->search.strategy];
}
