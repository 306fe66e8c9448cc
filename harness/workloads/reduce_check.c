/*
 * Is a reduction's output right? Partial results are combined here, in output order.
 *
 *   integers   must be equal, wrapping included
 *   max, min   must be equal
 *   float sum  |result − reference| ≤ (B(depth) + 2^-51) · Σ|x|
 *              Every addition rounds once, and an element passes at most `depth` of them (Higham,
 *              Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2: the error of any
 *              order of summation is at most γ(longest chain) · Σ|x|).
 *   float prod must be equal: the inputs' factors are powers of two, so no multiplication rounds
 *
 * B(m) bounds m roundings of at most u (2^-24 or 2^-53) each. It is the smaller one of
 *   γ(m) = m·u / (1 − m·u)                          always holds
 *   exp(8·sqrt(m)·u + m·u²/(1−u)) − 1               holds but for a chance of 2·exp(−32) when
 *       roundings are no conspiracy (Higham & Mary, A new approach to probabilistic rounding error
 *       analysis, SIAM J. Sci. Comput. 41(5), 2019, λ = 8); smaller from m = 64 on
 * and never more than 1/2, lest an absurd depth lets everything pass.
 *
 * 2^-51 is our own part: the reference (2^-52), and combining the partials with compensation
 * (2^-52). NaN is never right, since every comparison with it is false.
 */
#include "workloads/workloads.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t reduce_min_bytes(const struct input *input)
{
    return input->n * element_size(input->type);
}

uint64_t reduce_input_elements(uint64_t n)
{
    return n;
}

uint64_t reduce_output_elements(const struct work *work)
{
    return work->complete ? 1 : work->grid;
}

static uint64_t integer_at(const void *output, uint64_t i, enum element_type type)
{
    if (type == TYPE_INT32)
        return (uint64_t)(int64_t)((const int32_t *)output)[i];
    if (type == TYPE_UINT32)
        return ((const uint32_t *)output)[i];
    return ((const uint64_t *)output)[i];
}

static double float_at(const void *output, uint64_t i, enum element_type type)
{
    return type == TYPE_FLOAT32 ? ((const float *)output)[i] : ((const double *)output)[i];
}

static void integer_text(enum element_type type, uint64_t bits, char text[40])
{
    if (type == TYPE_UINT32)
        snprintf(text, 40, "%" PRIu64, bits);
    else
        snprintf(text, 40, "%" PRId64, (int64_t)bits);
}

/* The shortest decimal that reads back as the same value of the element's type. */
static void float_text(enum element_type type, double value, char text[40])
{
    bool single = type == TYPE_FLOAT32;
    double rounded = single ? (double)(float)value : value;
    for (int digits = 1; digits <= (single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG); digits++) {
        snprintf(text, 40, "%.*g", digits, rounded);
        if ((single ? (double)strtof(text, NULL) : strtod(text, NULL)) == rounded)
            return;
    }
    if (isnan(rounded))
        snprintf(text, 40, "nan"); /* no sign: it means nothing */
}

void element_text(enum element_type type, const void *values, uint64_t i, char text[40])
{
    if (element_is_float(type))
        float_text(type, float_at(values, i, type), text);
    else
        integer_text(type, integer_at(values, i, type), text);
}

static bool check_integer(const struct input *in, const struct reference *reference,
                          const void *output, uint64_t count, char result[40], double *rel_error,
                          char why[256])
{
    uint64_t bits = integer_at(output, 0, in->type);
    for (uint64_t i = 1; i < count; i++)
        bits = reduce_combine(in->type, in->op, bits, integer_at(output, i, in->type));
    integer_text(in->type, bits, result);
    if (bits == reference->bits) {
        *rel_error = 0;
        return true;
    }
    char right[40];
    integer_text(in->type, reference->bits, right);
    double off = (double)(int64_t)bits - (double)(int64_t)reference->bits;
    *rel_error = reference->bits ? fabs(off / (double)(int64_t)reference->bits) : NAN;
    snprintf(why, 256, "the %s is %s, but must be %s", operation_name(in->op), result, right);
    return false;
}

/* All partials as one value, with an error far below the kernel's own. */
static double combine_floats(const struct input *in, const void *output, uint64_t count)
{
    double sum = 0, lost = 0, extreme = float_at(output, 0, in->type);
    long double product = 1;
    for (uint64_t i = 0; i < count; i++) {
        double error, x = float_at(output, i, in->type);
        bool selects = in->op == OP_MAX || in->op == OP_MIN;
        if (isnan(x) || (isinf(x) && !selects))
            return x; /* the inputs are finite, and so are all right sums and products */
        sum = two_sum(sum, x, &error);
        lost += error;
        product *= x;
        if (in->op == OP_MAX ? x > extreme : x < extreme)
            extreme = x;
    }
    return in->op == OP_SUM ? sum + lost : in->op == OP_PROD ? (double)product : extreme;
}

/* B(m) of the comment above. */
static double rounding_bound(double m, double u)
{
    double worst = m * u < 1 ? m * u / (1 - m * u) : INFINITY;
    double likely = expm1(8 * sqrt(m) * u + m * u * u / (1 - u));
    return fmin(0.5, fmin(worst, likely));
}

static double tolerance(const struct input *in, const struct reference *reference, double depth)
{
    const double u = in->type == TYPE_FLOAT32 ? ldexp(1, -24) : ldexp(1, -53);
    const double ours = ldexp(1, -51);
    if (in->op == OP_SUM)
        return (rounding_bound(depth, u) + ours) * reference->magnitude;
    return 0;
}

static bool float_right(const struct input *in, const struct reference *reference, double value,
                        double depth, double *rel_error)
{
    double off = fabs(value - reference->value);
    *rel_error = off == 0 ? 0 : reference->value != 0 ? off / fabs(reference->value) : NAN;
    return isfinite(value) && off <= tolerance(in, reference, depth);
}

bool reduce_value_right(const struct input *input, const struct reference *reference,
                        const void *output, uint64_t i, double depth, double *rel_error)
{
    if (element_is_float(input->type))
        return float_right(input, reference, float_at(output, i, input->type), depth, rel_error);
    *rel_error = 0;
    return integer_at(output, i, input->type) == reference->bits;
}

static bool check_float(const struct input *in, const struct reference *reference,
                        const void *output, uint64_t count, double depth, char result[40],
                        double *rel_error, char why[256])
{
    double value = combine_floats(in, output, count);
    double off = fabs(value - reference->value);
    double allowed = tolerance(in, reference, depth);
    float_text(in->type, value, result);
    if (float_right(in, reference, value, depth, rel_error))
        return true;
    if (allowed > 0)
        snprintf(why, 256, "the %s is %.17g, but must be within %.3g of %.17g; it is off by %.3g",
                 operation_name(in->op), value, allowed, reference->value, off);
    else
        snprintf(why, 256, "the %s is %.17g, but must be %.17g", operation_name(in->op), value,
                 reference->value);
    return false;
}

/* How often the fill pattern is in a sum that is off by `bits`, or whose value it is; 0: it is not.
 */
static uint64_t fill_times(const struct input *in, uint64_t off_bits, double value)
{
    enum { MOST_TIMES = 4096 };
    uint8_t fill[8];
    memset(fill, input_poison(in->type, in->op), sizeof fill);
    uint64_t times = 0;
    if (element_is_float(in->type)) {
        double one = float_at(fill, 0, in->type), quotient = nearbyint(value / one);
        if (quotient >= 1 && quotient <= MOST_TIMES && fabs(value / one - quotient) < 1e-3)
            times = (uint64_t)quotient;
    } else {
        /* The pattern is odd, so it has an inverse modulo 2^64: Newton's iteration. */
        uint64_t one = integer_at(fill, 0, in->type), inverse = one;
        for (int i = 0; i < 6; i++)
            inverse *= 2 - one * inverse;
        times = off_bits * inverse;
        if (element_size(in->type) == 4)
            times = (uint32_t)times;
    }
    return times <= MOST_TIMES ? times : 0;
}

/* Adds to `why` what the fill byte of outputs and of guards indicates. */
static void explain_fill(const struct work *work, const struct reference *reference,
                         const void *output, uint64_t count, char why[256])
{
    const struct input *in = work->input;
    const size_t size = element_size(in->type), used = strlen(why);
    const uint8_t byte = input_poison(in->type, in->op);
    uint8_t fill[8];
    memset(fill, byte, sizeof fill);
    for (uint64_t i = 0; i < count; i++) {
        if (memcmp((const char *)output + i * size, fill, size) != 0)
            continue;
        snprintf(why + used, 256 - used,
                 "; output %" PRIu64 " is the fill pattern 0x%02x…: it is not written, added to "
                 "(see the fact \"output: zeroed\"), or made of data past the end of the input",
                 work->first + i, byte);
        return;
    }
    uint64_t bits = 0, times = 0;
    if (in->op == OP_SUM && element_is_float(in->type))
        times = fill_times(in, 0, combine_floats(in, output, count));
    else if (in->op == OP_SUM) {
        for (uint64_t i = 0; i < count; i++)
            bits += integer_at(output, i, in->type);
        times = fill_times(in, bits - reference->bits, 0);
    }
    if (times > 0)
        snprintf(why + used, 256 - used,
                 "; %" PRIu64 " fill pattern%s 0x%02x… too much: it adds to an output that must be "
                 "zero (fact \"output: zeroed\"), or reads past the input",
                 times, times == 1 ? "" : "s", byte);
}

bool reduce_check(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[40], double *rel_error, char why[256])
{
    const struct input *input = work->input;
    why[0] = '\0';
    if (count == 0) {
        result[0] = '\0';
        *rel_error = NAN;
        snprintf(why, 256, "the kernel has no output");
        return false;
    }
    bool right =
        element_is_float(input->type)
            ? check_float(input, reference, output, count, work->depth, result, rel_error, why)
            : check_integer(input, reference, output, count, result, rel_error, why);
    if (!right)
        explain_fill(work, reference, output, count, why);
    return right;
}
