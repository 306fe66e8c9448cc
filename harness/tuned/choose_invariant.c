/*
 * Chooses configurations for reductions along rows in a library whose results have the same bits
 * for every batch. The order in which a row is combined may depend only on type, operation and row
 * length. So only kernels with the fact `invariant: yes` are considered, and the configuration
 * depends only on type, operation and row length.
 *
 * For each row length, the configuration with the shortest expected time is chosen. This time is a
 * geometric mean over batches of 2^18 to 2^28 elements in rows of this length, on as many
 * multiprocessors as the measured GPU has. The number of blocks per call depends on the batch, but
 * the number of blocks per row does not.
 *
 * The library itself makes this choice at each call, for the call's row length (find_invariant() in
 * tuned/find.h). This file only removes configurations that are not the fastest at any length.
 */
#include "tuned/choosing.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "tuned/model.h"

enum { LONGEST_LOG2 = 31, LENGTHS_PER_OCTAVE = 8 };

bool order_matters(enum element_type type, enum operation op)
{
    return element_is_float(type) && operation_accumulator(op) != ACCUMULATES_INDEXED;
}

/* Returns the sum of the logarithms of the configuration's times at all batches of rows of this
 * length, or infinity if it does not run at one of them. */
static double log_time(const struct choosing *c, const struct tuned_range *range, uint64_t length)
{
    double sum = 0;
    for (int log2 = TUNED_BATCH_FIRST; log2 <= TUNED_BATCH_LAST; log2 += TUNED_BATCH_STEP) {
        uint64_t rows = ((uint64_t)1 << log2) / length, n = (rows ? rows : 1) * length;
        const struct config_shape at = {n, length, 1};
        if (!range_runs_anywhere(c, range, &at) || range_leaves_idle(range, c->sms, &at))
            return INFINITY;
        double us = model_us(range, c->sms, &at);
        sum += us > 0 ? log(us) : INFINITY;
    }
    return sum;
}

/*
 * Returns the index of the range with the fastest configuration at this length. Considers the
 * configurations that were measured at rows of about this length or, if none of them runs, all.
 * Returns the number of ranges if no configuration runs.
 */
static size_t fastest_at(const struct choosing *c, const struct tuned_function *f, uint64_t length)
{
    size_t best = f->range_count;
    for (int all = 0; all < 2 && best == f->range_count; all++) {
        double least = INFINITY;
        for (size_t i = 0; i < f->range_count; i++) {
            double time = all || range_is_near(&f->ranges[i], (double)length)
                              ? log_time(c, &f->ranges[i], length)
                              : INFINITY;
            if (time < least) {
                least = time;
                best = i;
            }
        }
    }
    return best;
}

/* Keeps the configurations that are the fastest for at least one length, and stores the first such
 * length of each. */
static void keep_fastest(const struct choosing *c, struct tuned_function *f)
{
    uint64_t *serves = xcalloc(f->range_count + 1, sizeof *serves), before = 0;
    for (int i = 0; i <= LONGEST_LOG2 * LENGTHS_PER_OCTAVE; i++)
        for (uint64_t odd = 0; odd < 2; odd++) {
            uint64_t length = (uint64_t)exp2((double)i / LENGTHS_PER_OCTAVE) + odd;
            size_t best = length > before ? fastest_at(c, f, length) : f->range_count;
            if (best < f->range_count && serves[best] == 0)
                serves[best] = length;
            before = length > before ? length : before;
        }
    size_t kept = 0;
    for (size_t i = 0; i < f->range_count; i++)
        if (serves[i]) {
            f->ranges[kept] = f->ranges[i];
            f->ranges[kept++].at = (struct config_shape){0, serves[i], 1};
        }
    f->range_count = kept;
    free(serves);
}

bool choose_invariant(const struct choosing *c, struct tuned_function *f)
{
    known_ranges known = {0};
    find_known(c, &known);
    for (size_t i = 0; i < known.count; i++) {
        struct tuned_range range = known.items[i];
        if (range.variant.type != (uint8_t)f->type || range.variant.op != (uint8_t)f->op ||
            !range.kernel->invariant || shape_over(&range.at) != OVER_ROWS)
            continue;
        range.first = 1;
        range.last = (uint64_t)1 << TUNED_MOST_LOG2;
        range.us[0] = range.us[1] = range.reference_us[0] = range.reference_us[1] = NAN;
        array_push(f->ranges, f->range_count, range);
    }
    vec_free(&known);
    f->invariant = true;
    fit_rows(c, f);
    keep_fastest(c, f);
    return f->range_count > 0 ||
           FAIL(c->e, ERROR_CONFIG,
                "the runs contain no times of %s %s along rows for kernels with the fact "
                "\"invariant: yes\"; measure some, for example with configs/invariant.json",
                operation_name(f->op), element_type_name(f->type));
}
