/* Half-precision numbers for tests. half_value() computes a number from the definition of the
 * format (IEEE 754-2019, 3.4). The harness converts the bits of a float instead, so tests can
 * compare the two results. real_store() stores a number in an array of any float type. */
#ifndef REDSWEEP_TESTS_HALF_H
#define REDSWEEP_TESTS_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/element.h"

static inline double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* Returns the bits of a number that half precision can represent. */
static inline uint16_t half_of(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    if (isnan(x) || isinf(x))
        return sign | (isnan(x) ? 0x7e00 : 0x7c00);
    if (fraction == 0)
        return sign;
    return (uint16_t)(sign | (((exponent + 14) << 10) + (int)ldexp(fraction - 0.5, 11)));
}

/* Stores x in values[i] if the element type is a float type. bfloat16 drops the lower 16 bits of
 * the float32. */
static inline void real_store(enum element_type type, void *values, uint64_t i, double x)
{
    float single = (float)x;
    uint32_t wide;
    memcpy(&wide, &single, sizeof wide);
    if (type == TYPE_FLOAT16)
        ((uint16_t *)values)[i] = half_of(x);
    else if (type == TYPE_BFLOAT16)
        ((uint16_t *)values)[i] = (uint16_t)(wide >> 16);
    else if (type == TYPE_FLOAT32)
        ((float *)values)[i] = single;
    else
        ((double *)values)[i] = x;
}

#endif
