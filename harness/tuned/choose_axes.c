/*
 * Which configurations of an axis a library keeps besides those that were the fastest where they were measured: of
 * all that were measured, those without which it would take SAVED longer somewhere, by the times that are expected.
 * Without them a call at another inner, whose packs only some configurations can load, would be left with few; with
 * all of them the library would be half as large again.
 */
#include "tuned/choosing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tuned/model.h"

static const double SAVED = 0.05;
static const uint64_t LEAST = (uint64_t)1 << 12,
                      MOST = (uint64_t)1 << 28; /* elements of the shapes that are tried */

/* The shapes that are tried: each power of two of these, and inner that is odd beside it. */
enum {
    OUTER_STEP = 4,
    OUTER_MOST = 12,
    LENGTH_STEP = 3,
    LENGTH_MOST = 22,
    INNER_STEP = 2,
    INNER_MOST = 20
};

/* Infinite where it does not run. */
static double time_at(const struct choosing *c, const struct tuned_range *range,
                      const struct config_shape *at)
{
    double us = range_runs_at(c, range, at) ? model_us(range, c->sms, at) : NAN;
    return us > 0 ? us : INFINITY;
}

/* Marks the fastest at a shape as kept, unless one that is kept already is about as fast. */
static void keep_for(const struct choosing *c, const struct tuned_function *f,
                     const struct config_shape *at, bool *kept)
{
    double least = INFINITY, least_kept = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i < f->range_count; i++) {
        double us = time_at(c, &f->ranges[i], at);
        if (us < least) {
            least = us;
            best = i;
        }
        if (kept[i] && us < least_kept)
            least_kept = us;
    }
    if (least < INFINITY && least_kept > least * (1 + SAVED))
        kept[best] = true;
}

static void keep_along(const struct choosing *c, const struct tuned_function *f, uint64_t outer,
                       uint64_t length, bool *kept)
{
    for (int k = 0; k <= INNER_MOST; k += INNER_STEP)
        for (uint64_t odd = 0; odd < 2; odd++) {
            struct config_shape at = {.row_length = length, .inner = ((uint64_t)2 << k) + odd};
            at.n = outer * length * at.inner;
            if (at.n >= LEAST && at.n <= MOST)
                keep_for(c, f, &at, kept);
        }
}

void keep_axes(const struct choosing *c, struct tuned_function *f)
{
    bool *kept = xcalloc(f->range_count + 1, sizeof *kept);
    for (size_t i = 0; i < f->range_count; i++)
        kept[i] = f->ranges[i].last > 0; /* it was the fastest somewhere */
    for (int outer = 0; outer <= OUTER_MOST; outer += OUTER_STEP)
        for (int length = 2; length <= LENGTH_MOST; length += LENGTH_STEP)
            keep_along(c, f, (uint64_t)1 << outer, (uint64_t)1 << length, kept);
    size_t count = 0;
    for (size_t i = 0; i < f->range_count; i++)
        if (kept[i])
            f->ranges[count++] = f->ranges[i];
    f->range_count = count;
    free(kept);
}
