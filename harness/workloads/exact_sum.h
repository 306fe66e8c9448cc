/*
 * Adds floats without any error, and rounds the sum once. Kernels with the fact `exact` must return
 * this result. It is also the reference for inputs whose sums cancel.
 */
#ifndef REDSWEEP_WORKLOADS_EXACT_SUM_H
#define REDSWEEP_WORKLOADS_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/element.h"

enum { EXACT_DIGITS = 70 };

/* A sum. If all members are 0, it is the sum of no elements. */
struct exact_sum {
    /* 32-bit digits, and carries that are not resolved yet. */
    int64_t digits[EXACT_DIGITS];
    uint32_t pending; /* additions since the last carries were resolved */
    bool nan, plus_infinity, minus_infinity;
    /* `minus_zero`: -0 was added; `other`: a value other than -0 was added. */
    bool minus_zero, other;
};

/* Adds x to `s`. May be called up to 2^40 times for one sum. */
void exact_add(struct exact_sum *s, double x);
/* Adds the sum `other` to `s`, and resolves the carries of `other`. */
void exact_merge(struct exact_sum *s, struct exact_sum *other);

/*
 * Returns the sum as `type`, rounded to nearest with ties to even. `type` is float32 or float64,
 * and all added values must have been multiples of its smallest subnormal. A NaN, or infinities of
 * both signs, makes the sum NaN. A sum of exactly 0 is +0 unless only -0 was added. The sum of no
 * elements is +0.
 */
double exact_round(struct exact_sum *s, enum element_type type);

#endif
