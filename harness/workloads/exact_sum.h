/*
 * Adds floats without any error, and rounds once. Exact kernels must return this result. It is also
 * the reference for inputs whose sums cancel.
 */
#ifndef REDSWEEP_WORKLOADS_EXACT_SUM_H
#define REDSWEEP_WORKLOADS_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/element.h"

enum { EXACT_DIGITS = 70 };

/* A structure of zeros is the sum of no elements. */
struct exact_sum {
    /* These are digits of 32 bits, and carries that are not yet resolved. */
    int64_t digits[EXACT_DIGITS];
    uint32_t pending; /* the number of additions since carries were last resolved */
    bool nan, plus_infinity, minus_infinity;
    /* `minus_zero` is true if -0 was added, and `other` is true if anything else was added. */
    bool minus_zero, other;
};

/* Adds x. At most 2^40 additions are possible. */
void exact_add(struct exact_sum *s, double x);
/* Adds the contents of `other`, whose carries it resolves. */
void exact_merge(struct exact_sum *s, struct exact_sum *other);

/*
 * Returns the sum, rounded to nearest with ties to even, as `type`. `type` is float32 or float64,
 * and all added values must have been multiples of its smallest subnormal. A NaN or infinities of
 * both signs result in a NaN. A sum that is exactly 0 is +0 unless only -0 was added. The sum of no
 * elements is +0.
 */
double exact_round(struct exact_sum *s, enum element_type type);

#endif
