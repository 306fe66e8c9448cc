/*
 * A sum of floats without any error, rounded once: the required result of exact kernels, and the
 * reference for inputs whose sums cancel.
 */
#ifndef REDSWEEP_WORKLOADS_EXACT_SUM_H
#define REDSWEEP_WORKLOADS_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/element.h"

enum { EXACT_DIGITS = 70 };

/* All zero: the sum of no elements. */
struct exact_sum {
    int64_t digits[EXACT_DIGITS]; /* of 32 bits, but for carries */
    uint32_t pending;             /* additions since carries were resolved */
    bool nan, plus_infinity, minus_infinity;
    bool minus_zero, other; /* -0 was added; something else was added */
};

/* Any number of additions up to 2^40. */
void exact_add(struct exact_sum *s, double x);
/* Adds the contents of `other`, whose carries it resolves. */
void exact_merge(struct exact_sum *s, struct exact_sum *other);

/*
 * The sum, rounded to nearest, ties to even, as `type` (float32 or float64; all added values must
 * have been multiples of its smallest subnormal). A NaN, or infinities of both signs, give a NaN; a
 * sum that is exactly 0 is +0 unless only -0 was added. Nothing: +0.
 */
double exact_round(struct exact_sum *s, enum element_type type);

#endif
