/*
 * Chooses which configurations for rows or for an axis a library keeps, besides those that were the
 * fastest at a measured shape. A configuration is kept if the library without it would be slower at
 * some shape by more than SAVED, a fraction of the expected time.
 *
 * Without these configurations, calls with a length or inner that was not measured would have few
 * configurations to choose from, because only those with suitable loads can run. A library with all
 * measured configurations would be 1.5 times as large.
 */
#include "tuned/choosing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tuned/residuals.h"

static const double SAVED[OVERS] = {[OVER_ROWS] = 0.02, [OVER_AXES] = 0.05};
/* The smallest and the largest number of elements of the shapes that are tried. */
static const uint64_t LEAST = (uint64_t)1 << 12, MOST = (uint64_t)1 << 28;

/*
 * The shapes that are tried. For an axis, outer, length and inner are powers of two, and inner also
 * takes the odd values next to powers of two. For rows, the numbers of columns are powers of two,
 * 1.5 times powers of two, and the odd values next to both.
 */
enum {
    ROWS_STEP = 3,
    ROWS_MOST = 24,
    COLUMNS_MOST = 27,
    OUTER_STEP = 4,
    OUTER_MOST = 12,
    LENGTH_STEP = 3,
    LENGTH_MOST = 22,
    INNER_STEP = 2,
    INNER_MOST = 20
};

/*
 * Returns a configuration's expected time at a shape, or infinity if it does not run there or was
 * measured only at rows of very different length.
 */
static double time_at(const struct choosing *c, const struct tuned_range *range,
                      const struct config_shape *at)
{
    bool compared = range_is_near(range, (double)at->row_length) && range_runs_at(c, range, at) &&
                    !range_leaves_idle(range, c->sms, at);
    double us = compared ? expected_us(range, c->sms, at) : NAN;
    return us > 0 ? us : INFINITY;
}

/*
 * Marks the fastest configuration at a shape as kept, unless a configuration that is already kept
 * is about as fast.
 */
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
    if (least < INFINITY && least_kept > least * (1 + SAVED[f->over]))
        kept[best] = true;
}

static void keep_here(const struct choosing *c, const struct tuned_function *f, uint64_t outer,
                      uint64_t length, uint64_t inner, bool *kept)
{
    struct config_shape at = {.n = outer * length * inner, .row_length = length, .inner = inner};
    if (at.n >= LEAST && at.n <= MOST)
        keep_for(c, f, &at, kept);
}

static void keep_axes(const struct choosing *c, const struct tuned_function *f, bool *kept)
{
    for (int outer = 0; outer <= OUTER_MOST; outer += OUTER_STEP)
        for (int length = 2; length <= LENGTH_MOST; length += LENGTH_STEP)
            for (int k = 0; k <= INNER_MOST; k += INNER_STEP)
                for (uint64_t odd = 0; odd < 2; odd++)
                    keep_here(c, f, (uint64_t)1 << outer, (uint64_t)1 << length,
                              ((uint64_t)2 << k) + odd, kept);
}

static void keep_rows(const struct choosing *c, const struct tuned_function *f, bool *kept)
{
    for (int rows = 0; rows <= ROWS_MOST; rows += ROWS_STEP)
        for (int k = 1; k <= COLUMNS_MOST; k++)
            for (uint64_t odd = 0; odd < 2; odd++) {
                keep_here(c, f, (uint64_t)1 << rows, ((uint64_t)1 << k) + odd, 1, kept);
                keep_here(c, f, (uint64_t)1 << rows, ((uint64_t)3 << k >> 1) + odd, 1, kept);
            }
}

void keep_useful(const struct choosing *c, struct tuned_function *f)
{
    bool *kept = xcalloc(f->range_count + 1, sizeof *kept);
    for (size_t i = 0; i < f->range_count; i++)
        /* Keeps the configurations that were the fastest at a measured shape. */
        kept[i] = f->ranges[i].last > 0 || f->ranges[i].fallback;
    (f->over == OVER_AXES ? keep_axes : keep_rows)(c, f, kept);
    size_t count = 0;
    for (size_t i = 0; i < f->range_count; i++)
        if (kept[i])
            f->ranges[count++] = f->ranges[i];
    f->range_count = count;
    free(kept);
}
