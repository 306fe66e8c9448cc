/*
 * Chooses configurations for reductions along rows and axes: one for each measured shape (n,
 * row_length, inner). For shapes that were not measured, the library chooses at each call
 * (tuned/find.h), because this choice depends on what the kernels require of the shape and of the
 * first element's address. If the fastest configuration requires whole packs of 16 bytes, the
 * fastest one without this requirement is added for other rows.
 *
 * If the configuration of another shape of the function is fast enough (loses_little()), it is used
 * for this shape too, which saves code.
 */
#include "tuned/choosing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/*
 * Returns whether a library can call a candidate at the problem's shape, or with rows that are
 * `longer` elements longer. With one more element, each row begins at a different offset.
 */
static bool runs_at(const struct choosing *c, const struct problem *p,
                    const struct candidate *candidate, uint64_t longer)
{
    struct config_shape at = problem_shape(c, p);
    struct tuned_range range;
    at.n = at.n / at.row_length * (at.row_length + longer);
    at.row_length += longer;
    return read_variant(c, candidate, &range) && range_runs_at(c, &range, &at);
}

static bool is_used(const struct choosing *c, const struct tuned_function *f,
                    const struct candidate *candidate)
{
    struct tuned_range range;
    (void)read_variant(c, candidate, &range);
    for (size_t i = 0; i < f->range_count; i++)
        if (tuned_same_code(&f->ranges[i], &range))
            return true;
    return false;
}

/*
 * Returns the best candidate that a library can call, or one that is about as good and whose
 * configuration the function already has. If `any_length` is true, considers only candidates that
 * accept rows of any length.
 */
static const struct candidate *choose(const struct choosing *c, const struct tuned_function *f,
                                      const struct problem *p, bool any_length)
{
    const struct candidate *best = NULL;
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *candidate = &p->candidates[i];
        if (!runs_at(c, p, candidate, 0) || (any_length && !runs_at(c, p, candidate, 1)))
            continue;
        if (!best)
            best = candidate;
        if (is_used(c, f, candidate) && loses_little(c, candidate, best))
            return candidate;
    }
    return best;
}

static void add_shape(const struct choosing *c, const struct problem *p,
                      const struct candidate *chosen, struct tuned_function *f)
{
    struct tuned_range range;
    if (!chosen || !read_variant(c, chosen, &range))
        return; /* The configuration of another shape handles this shape too. */
    range.first = range.last = range.sizes[0] = range.sizes[1] = (uint64_t)p->n;
    range.at = problem_shape(c, p);
    range.us[0] = range.us[1] = candidate_us(c, chosen);
    range.reference_us[0] = range.reference_us[1] = problem_reference_us(c, p);
    array_push(f->ranges, f->range_count, range);
}

bool choose_rows(const struct choosing *c, const struct series *series, struct tuned_function *f)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct problem *p = &c->best->problems[series->first + i];
        const struct candidate *chosen = choose(c, f, p, false);
        add_shape(c, p, chosen, f);
        if (chosen && f->over == OVER_ROWS && !runs_at(c, p, chosen, 1))
            add_shape(c, p, choose(c, f, p, true), f);
    }
    return true;
}

/*
 * Adds a configuration to the list, or extends the row lengths from `shortest` to `longest` at
 * which the runs measured it. A kernel that runs both along rows and along an axis counts as two
 * configurations.
 */
static void add_known(known_ranges *list, struct tuned_range *range)
{
    const uint64_t length = range->at.row_length;
    size_t i = 0;
    while (i < list->count && (!tuned_same_code(&list->items[i], range) ||
                               shape_over(&list->items[i].at) != shape_over(&range->at)))
        i++;
    if (i == list->count) {
        range->shortest = range->longest = length;
        vec_push(list, *range);
        return;
    }
    struct tuned_range *known = &list->items[i];
    known->shortest = length < known->shortest ? length : known->shortest;
    known->longest = length > known->longest ? length : known->longest;
}

void find_known(const struct choosing *c, known_ranges *out)
{
    for (size_t run = 0; run < c->best->run_count; run++) {
        const struct results *r = &c->best->runs[run];
        for (size_t row = 0; row < r->rows.row_count; row++) {
            const struct candidate at = {.run = (uint32_t)run, .row = (uint32_t)row};
            struct tuned_range range;
            if (!results_ok(r, row) || !read_variant(c, &at, &range))
                continue;
            range.at = row_shape(r, row);
            if (shape_over(&range.at) != OVER_ARRAYS && range.kernel->workload->by_rows)
                add_known(out, &range);
        }
    }
}

const struct kernel *find_fallback(const struct catalogue *kernels, const struct tuned_function *f)
{
    for (int i = 0; i < kernels->count; i++) {
        const struct kernel *k = kernels->kernels[i];
        const struct workload *w = k->workload;
        if (k->fallback && kernel_supports(k, f->type, f->op) &&
            f->over == (w->any_axis  ? OVER_AXES
                        : w->by_rows ? OVER_ROWS
                                     : OVER_ARRAYS))
            return k;
    }
    return NULL;
}

enum { FALLBACK_BLOCK = 256 };

/*
 * Adds the function's fallbacks, which run for any n, row length and first element, and without
 * elements. Each value of the kernel's first tunable is a configuration of its own. The more
 * specialized values, which the kernel's facts list last, are added first. Invariant and exact
 * functions use them only for rows without elements, for which one configuration is enough.
 */
void add_fallbacks(const struct choosing *c, struct tuned_function *f)
{
    const struct kernel *k = find_fallback(c->tuned->catalogue, f);
    if (!k)
        return;
    struct tuned_range range = {
        .kernel = k,
        .fallback = true,
        .first = 1,
        .last = (uint64_t)1 << TUNED_MOST_LOG2,
        .us = {NAN, NAN},
        .reference_us = {NAN, NAN},
        .variant = {
            .block = FALLBACK_BLOCK, .unroll = 1, .type = (uint8_t)f->type, .op = (uint8_t)f->op}};
    for (int i = 1; i < k->tunable_count; i++)
        range.variant.tunables[i] = k->tunables[i].otherwise;
    int values = f->over && k->tunable_count && !f->invariant && !f->exact
                     ? k->tunables[0].allowed.count
                     : 1;
    for (int i = values; i-- > 0;) {
        if (k->tunable_count)
            range.variant.tunables[0] =
                values > 1 ? k->tunables[0].allowed.values[i] : k->tunables[0].otherwise;
        array_push(f->ranges, f->range_count, range);
    }
}
