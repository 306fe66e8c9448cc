/*
 * Checks whether the output of a reduction is correct. Partial results (accumulators, see
 * kernels/lib/operation.cuh) are combined here in the order of the output; a finished result stays
 * as it is. The rules, where d is the value of the fact `depth`:
 *
 *   integers     The result must be equal to the reference, including wrapping.
 *   max, min     The result must be equal.
 *   indices      The result must be the index of the first extreme.
 *   float sum    |result − reference| ≤ (B(d) + 2^-51) · Σ|x|
 *                Every addition rounds once, and an element passes through at most d of them. The
 *                error of any order of summation is at most γ(longest chain) · Σ|x| (Higham,
 *                Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2).
 *   sumsq, dot   (B(d + 1) + 2^-51) · Σ|x·y|, because each product rounds once more (Higham, §3.1)
 *   norm2        half of the bound of sumsq, as a relative error, plus 2 u for the root
 *   float prod   The result must be equal. The factors are powers of two, so that no multiplication
 *                rounds.
 *   mean_var     mean: (B(5 d) + 2^-50) · √(Σx²/n)
 *                variance: (B(5 d + 5) · κ + 2^-50 · κ²) · variance, where κ =
 *                √(1 + mean²/variance) is the condition number of the variance. The updating
 *                algorithm has an error of n·κ·u, and the pairwise algorithm has an error of
 *                log2(n)·κ·u (Chan, Golub and LeVeque, The American Statistician 37(3), 1983, table
 *                1). One step rounds at most 5 times.
 *   logsumexp    B((d + 2)(2 R + 4)) + 4 u (1 + |reference| + R), where R = 18 is the range of the
 *                inputs. A step multiplies by an exponential. Rounding the argument of the
 *                exponential adds R u, and rounding the product of the argument with log2 e adds
 *                another R u. ex2.approx, the product and the sum add 4 u. The error of the
 *                logarithm is at most 2^-22 (CUDA C++ Programming Guide, lg2.approx), and log2 of
 *                the sum is at most |reference| + R.
 *
 * B(m) bounds the error of m roundings of at most u (2^-24 or 2^-53) each. It is the smaller of two
 * bounds:
 *   γ(m) = m·u / (1 − m·u)                          Always holds.
 *   exp(8·sqrt(m)·u + m·u²/(1−u)) − 1               Smaller from m = 64 on. It fails
 *                                                   with a probability of 2·exp(−32), unless
 *                                                   roundings depend on each other (Higham & Mary,
 *                                                   A new approach to probabilistic rounding error
 *                                                   analysis, SIAM J. Sci. Comput. 41(5), 2019, λ =
 *                                                   8).
 * B(m) is at most 1/2, so that an absurd depth does not make every result acceptable. In sorted
 * inputs, neighboring elements are similar and round in similar ways, so only the first bound is
 * used.
 *
 * The term 2^-51 is the error of the check itself: 2^-52 of the reference, and 2^-52 of combining
 * the partial results with compensation. If the result is NaN or infinite, the reference must be
 * the same.
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
    uint64_t vectors = (uint64_t)operation_inputs(input->op);
    return vectors * input_vector(input) * element_size(input->type);
}

uint64_t reduce_input_elements(uint64_t n)
{
    return n;
}

uint64_t reduce_output_elements(const struct work *work)
{
    return work->complete ? 1 : work->grid;
}

size_t reduce_output_size(const struct work *work)
{
    const struct input *in = work->input;
    return work->complete ? result_size(in->op, in->type) : accumulator_size(in->op, in->type);
}

static void integer_text(enum element_type type, uint64_t bits, char text[40])
{
    if (element_is_signed(type))
        snprintf(text, 40, "%" PRId64, (int64_t)bits);
    else
        snprintf(text, 40, "%" PRIu64, bits);
}

/* in bytes; "-2.2250738585072014e-308" has 24 characters */
enum { FLOAT_TEXT = 26 };

/* Writes the shortest decimal number that reads back as the same value of the value type. */
static void float_text(enum element_type type, double value, char text[FLOAT_TEXT])
{
    bool single = element_value_type(type) == TYPE_FLOAT32;
    double rounded = single ? (double)(float)value : value;
    for (int digits = 1; digits <= (single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG); digits++) {
        snprintf(text, FLOAT_TEXT, "%.*g", digits, rounded);
        if ((single ? (double)strtof(text, NULL) : strtod(text, NULL)) == rounded)
            return;
    }
    if (isnan(rounded))
        /* Without the sign, which means nothing for a NaN. */
        snprintf(text, FLOAT_TEXT, "nan");
}

void element_text(enum element_type type, const void *values, uint64_t i, char text[40])
{
    if (element_is_float(type))
        float_text(type, reduce_float_at(type, values, i), text);
    else
        integer_text(type, reduce_integer_at(type, values, i), text);
}

/* ---- Integers and indices -------------------------------------------------------------------- */

/* Returns the index in accumulator i. The index begins 8 bytes after the accumulator does. */
static uint64_t index_at(const void *output, uint64_t i)
{
    return ((const uint64_t *)output)[2 * i + 1];
}

/* Returns the index in the accumulator with the most extreme value. */
static uint64_t combine_indices(const struct input *in, const void *output, uint64_t count)
{
    enum element_type value = element_value_type(in->type);
    const uint64_t stride = accumulator_size(in->op, in->type) / element_size(value);
    uint64_t best = 0;
    for (uint64_t i = 1; i < count; i++) {
        bool better, worse;
        if (element_is_float(value)) {
            double x = reduce_float_at(value, output, i * stride),
                   y = reduce_float_at(value, output, best * stride);
            better = reduce_beats(in->op, x, y);
            worse = reduce_beats(in->op, y, x);
        } else {
            uint64_t x = reduce_integer_at(value, output, i * stride),
                     y = reduce_integer_at(value, output, best * stride);
            better = reduce_combine(value, in->op, y, x) != y;
            worse = reduce_combine(value, in->op, x, y) != x;
        }
        if (better || (!worse && index_at(output, i) < index_at(output, best)))
            best = i;
    }
    return index_at(output, best);
}

/* Combines the output's elements into one integer, and returns it. */
static uint64_t combine_integers(const struct work *work, const void *output, uint64_t count)
{
    const struct input *in = work->input;
    enum element_type value = element_value_type(in->type);
    if (operation_accumulator(in->op) == ACCUMULATES_INDEXED)
        return work->complete ? ((const uint64_t *)output)[0] : combine_indices(in, output, count);
    uint64_t bits = reduce_integer_at(value, output, 0);
    for (uint64_t i = 1; i < count; i++)
        bits = reduce_combine(in->type, in->op, bits, reduce_integer_at(value, output, i));
    return bits;
}

static bool check_integer(const struct work *work, const struct reference *reference,
                          const void *output, uint64_t count, char result[RESULT_TEXT],
                          double *rel_error, char why[256])
{
    const struct input *in = work->input;
    bool indexed = operation_accumulator(in->op) == ACCUMULATES_INDEXED;
    enum element_type type = indexed ? TYPE_INT64 : in->type;
    uint64_t bits = combine_integers(work, output, count);
    integer_text(type, bits, result);
    if (bits == reference->bits) {
        *rel_error = 0;
        return true;
    }
    char right[40];
    integer_text(type, reference->bits, right);
    double off = (double)(int64_t)bits - (double)(int64_t)reference->bits;
    *rel_error = reference->bits ? fabs(off / (double)(int64_t)reference->bits) : NAN;
    snprintf(why, 256, "the %s is %s, but must be %s", operation_name(in->op), result, right);
    return false;
}

/* ---- Floats ---------------------------------------------------------------------------------- */

/* A kernel's result. If the kernel wrote accumulators, they are combined here; the error of this is
 * far smaller than that of the kernel. */
struct found {
    double value, variance;
};

static struct found combine_moments(const void *output, uint64_t count, enum element_type value)
{
    const uint64_t size = 2 * element_size(value) + sizeof(uint64_t);
    long double total = 0, mean = 0, m2 = 0;
    for (uint64_t i = 0; i < count; i++) {
        const char *at = (const char *)output + i * size;
        uint64_t elements;
        memcpy(&elements, at + 2 * element_size(value), sizeof elements);
        if (elements == 0)
            continue;
        long double delta = reduce_float_at(value, at, 0) - mean,
                    sum = total + (long double)elements;
        m2 += reduce_float_at(value, at, 1) + delta * delta * total * ((long double)elements / sum);
        mean += delta * ((long double)elements / sum);
        total = sum;
    }
    return (struct found){total > 0 ? (double)mean : (double)NAN,
                          total > 1 ? (double)(m2 / (total - 1)) : (double)NAN};
}

static double combine_exponents(const void *output, uint64_t count, enum element_type value)
{
    double max = -(double)INFINITY;
    long double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        if (reduce_beats(OP_MAX, reduce_float_at(value, output, 2 * i), max))
            max = reduce_float_at(value, output, 2 * i);
    for (uint64_t i = 0; i < count; i++) {
        double x = reduce_float_at(value, output, 2 * i);
        sum +=
            reduce_float_at(value, output, 2 * i + 1) * (x == max ? 1 : expl((long double)x - max));
    }
    /* If `sum` is not positive, `max` is -inf (no elements) or NaN. */
    return sum > 0 ? max + (double)logl(sum) : max;
}

static double combine_extremes(enum operation op, enum element_type value, const void *output,
                               uint64_t count)
{
    double extreme = reduce_float_at(value, output, 0);
    for (uint64_t i = 1; i < count; i++) {
        double x = reduce_float_at(value, output, i);
        extreme = reduce_beats(op, x, extreme) ? x : extreme;
    }
    return extreme;
}

/*
 * Combines all partial results. Partial sums are only added here, not multiplied: the product of
 * many sums would leave the range of every type, and the x87 unit of some processors is 20 times
 * slower with such values.
 */
static double combine_values(const struct input *in, const void *output, uint64_t count)
{
    const enum element_type value = element_value_type(in->type);
    double sum = 0, lost = 0, infinite = 0;
    long double product = 1;
    const enum combining combining = operation_combining(in->op);
    if (combining == COMBINES_GREATEST || combining == COMBINES_LEAST)
        return combine_extremes(in->op, value, output, count);
    for (uint64_t i = 0; i < count; i++) {
        double error, x = reduce_float_at(value, output, i);
        if (!isfinite(x)) {
            infinite += x; /* NaN after a NaN, or infinities of both signs */
        } else if (combining == COMBINES_PRODUCT) {
            product *= x;
        } else {
            sum = two_sum(sum, x, &error);
            lost += error;
        }
    }
    if (isnan(infinite) || infinite != 0) /* the result is not finite */
        return infinite;
    double total = combining == COMBINES_PRODUCT ? (double)product : sum + lost;
    return operation_finishing(in->op) == FINISHES_ROOT ? sqrt(total) : total;
}

static bool has_variance(const struct input *in)
{
    return operation_accumulator(in->op) == ACCUMULATES_MOMENTS;
}

static struct found combine_floats(const struct work *work, const void *output, uint64_t count)
{
    const struct input *in = work->input;
    const enum element_type value = element_value_type(in->type);
    if (work->complete)
        return (struct found){reduce_float_at(value, output, 0),
                              has_variance(in) ? reduce_float_at(value, output, 1) : 0};
    if (has_variance(in))
        return combine_moments(output, count, value);
    if (operation_accumulator(in->op) == ACCUMULATES_EXPONENTS)
        return (struct found){combine_exponents(output, count, value), 0};
    return (struct found){combine_values(in, output, count), 0};
}

/* Returns B(m), defined at the top of this file. */
static double rounding_bound(const struct input *in, double m)
{
    const double u = ldexp(1, -element_significand(element_value_type(in->type)));
    double worst = m * u < 1 ? m * u / (1 - m * u) : INFINITY;
    double likely = expm1(8 * sqrt(m) * u + m * u * u / (1 - u));
    return fmin(0.5, in->kind == INPUT_KIND_SORTED ? worst : fmin(worst, likely));
}

/* Returns the error bound for a result that consists of one value. For extremes and products, only
 * the lifting of elements (LIFT in element.def) rounds. */
static double value_tolerance(const struct input *in, double size, double depth)
{
    const double ours = ldexp(1, -51),
                 u = ldexp(1, -element_significand(element_value_type(in->type)));
    const int roundings = operation_roundings(in->op);
    double allowed = operation_combining(in->op) == COMBINES_SUM
                         ? (rounding_bound(in, depth + roundings) + ours)
                         : roundings * u;
    if (operation_finishing(in->op) == FINISHES_ROOT)
        allowed = allowed / 2 + 2 * u;
    return allowed * size;
}

/* Returns the error bounds for value and variance. */
static struct found tolerance(const struct input *in, const struct reference *reference,
                              double depth)
{
    const double range = 18, ours = ldexp(1, -51);
    const double u = ldexp(1, -element_significand(element_value_type(in->type)));
    const double size = reference->magnitude, variance = reference->variance;
    double mean2, conditioned;
    switch (operation_accumulator(in->op)) {
    case ACCUMULATES_MOMENTS:
        mean2 = reference->value * reference->value;
        /* κ · variance, even if the variance is 0 */
        conditioned = sqrt(variance * (variance + mean2));
        return (struct found){(rounding_bound(in, 5 * depth) + 2 * ours) * size,
                              rounding_bound(in, 5 * depth + 5) * conditioned +
                                  2 * ours * (variance + mean2)};
    case ACCUMULATES_EXPONENTS:
        return (struct found){rounding_bound(in, (depth + 2) * (2 * range + 4)) +
                                  4 * u * (1 + fabs(reference->value) + range),
                              0};
    case ACCUMULATES_VALUE:
    case ACCUMULATES_INDEXED:
        break;
    }
    return (struct found){value_tolerance(in, size, depth), 0};
}

static bool is_near(double value, double right, double allowed)
{
    return value == right || (isnan(value) && isnan(right)) ||
           (isfinite(value) && isfinite(right) && fabs(value - right) <= allowed);
}

static bool explain_value(const char *what, double value, double right, double allowed,
                          char why[256])
{
    if (is_near(value, right, allowed))
        return true;
    if (allowed > 0 && isfinite(right))
        snprintf(
            why, 256,
            "the %s is %.17g, but must be within %.3g of %.17g (see the fact \"depth\"); it is off "
            "by %.3g",
            what, value, allowed, right, fabs(value - right));
    else
        snprintf(why, 256, "the %s is %.17g, but must be %.17g", what, value, right);
    return false;
}

static double relative_error(double value, double right)
{
    double off = fabs(value - right);
    return value == right ? 0 : right != 0 ? off / fabs(right) : (double)NAN;
}

/* Returns the larger of the errors of value and variance. */
static double found_error(struct found found, const struct reference *reference)
{
    double error = relative_error(found.value, reference->value);
    if (isfinite(reference->variance) && reference->variance > 0)
        error = fmax(error, relative_error(found.variance, reference->variance));
    return error;
}

static void found_text(const struct input *in, struct found found, char text[RESULT_TEXT])
{
    float_text(in->type, found.value, text);
    if (has_variance(in)) {
        size_t used = strlen(text);
        text[used] = ' ';
        float_text(in->type, found.variance, text + used + 1);
    }
}

void reduce_result_text(const struct input *input, const void *output, char text[RESULT_TEXT])
{
    const struct work one = {.input = input, .complete = true};
    if (operation_accumulator(input->op) == ACCUMULATES_INDEXED)
        integer_text(TYPE_INT64, combine_integers(&one, output, 1), text);
    else if (element_is_float(input->type))
        found_text(input, combine_floats(&one, output, 1), text);
    else
        integer_text(input->type, combine_integers(&one, output, 1), text);
}

static bool check_float(const struct work *work, const struct reference *reference,
                        const void *output, uint64_t count, char result[RESULT_TEXT],
                        double *rel_error, char why[256])
{
    const struct input *in = work->input;
    struct found found = combine_floats(work, output, count);
    struct found allowed = tolerance(in, reference, work->depth);
    found_text(in, found, result);
    *rel_error = found_error(found, reference);
    if (!has_variance(in))
        return explain_value(operation_name(in->op), found.value, reference->value, allowed.value,
                             why);
    return explain_value("mean", found.value, reference->value, allowed.value, why) &&
           explain_value("variance", found.variance, reference->variance, allowed.variance, why);
}

/*
 * Outputs and guards are filled with a pattern before a launch. Returns how many times a wrong sum
 * contains this pattern, or 0 if the pattern does not explain the sum. `off_bits` is the error of
 * an integer sum, and `value` is a float sum.
 */
static uint64_t fill_times(const struct input *in, uint64_t off_bits, double value)
{
    enum { MOST_TIMES = 4096 };
    uint8_t fill[8];
    memset(fill, input_poison(in->type, in->op), sizeof fill);
    uint64_t times = 0;
    const enum element_type type = element_value_type(in->type);
    if (element_is_float(type)) {
        double one = reduce_float_at(type, fill, 0), quotient = nearbyint(value / one);
        if (quotient >= 1 && quotient <= MOST_TIMES && fabs(value / one - quotient) < 1e-3)
            times = (uint64_t)quotient;
    } else {
        /* The pattern is odd, so it has an inverse modulo 2^64, which Newton's iteration finds. */
        uint64_t one = reduce_integer_at(type, fill, 0), inverse = one;
        for (int i = 0; i < 6; i++)
            inverse *= 2 - one * inverse;
        times = off_bits * inverse;
        if (element_size(type) == 4)
            times = (uint32_t)times;
    }
    return times <= MOST_TIMES ? times : 0;
}

/* If the fill pattern of outputs and guards explains the wrong result, adds this to `why`. */
static void explain_fill(const struct work *work, const struct reference *reference,
                         const void *output, uint64_t count, char why[256])
{
    const struct input *in = work->input;
    const size_t size = reduce_output_size(work), used = strlen(why);
    const uint8_t byte = input_poison(in->type, in->op);
    const enum element_type value = element_value_type(in->type);
    uint8_t fill[32];
    memset(fill, byte, sizeof fill);
    for (uint64_t i = 0; i < count; i++) {
        if (memcmp((const char *)output + i * size, fill, size) != 0)
            continue;
        snprintf(why + used, 256 - used,
                 "; output %" PRIu64
                 " is the fill pattern 0x%02x…, so the kernel has not written it, has added to it "
                 "(see the fact \"output: zeroed\"), or has read past the end of the input",
                 work->first + i, byte);
        return;
    }
    uint64_t bits = 0, times = 0;
    if (in->op == OP_SUM && element_is_float(in->type))
        times = fill_times(in, 0, combine_floats(work, output, count).value);
    else if (in->op == OP_SUM) {
        for (uint64_t i = 0; i < count; i++)
            bits += reduce_integer_at(value, output, i);
        times = fill_times(in, bits - reference->bits, 0);
    }
    if (times > 0)
        snprintf(why + used, 256 - used,
                 "; the difference is %" PRIu64
                 " fill pattern%s 0x%02x…, so the kernel adds to an output that must be zero (see "
                 "the fact \"output: zeroed\"), or reads past the end of the input",
                 times, times == 1 ? "" : "s", byte);
}

bool reduce_value_right(const struct work *work, const struct reference *reference,
                        const void *output, uint64_t i, double *rel_error)
{
    const struct input *in = work->input;
    struct work one = *work;
    one.complete = true;
    const char *at = (const char *)output + i * reduce_output_size(&one);
    *rel_error = 0;
    if (!element_is_float(in->type) || operation_accumulator(in->op) == ACCUMULATES_INDEXED)
        return combine_integers(&one, at, 1) == reference->bits;
    struct found found = combine_floats(&one, at, 1);
    struct found allowed = tolerance(in, reference, work->depth);
    *rel_error = found_error(found, reference);
    return is_near(found.value, reference->value, allowed.value) &&
           (!has_variance(in) || is_near(found.variance, reference->variance, allowed.variance));
}

bool reduce_check(const struct work *work, const struct reference *reference, const void *output,
                  uint64_t count, char result[RESULT_TEXT], double *rel_error, char why[256])
{
    const struct input *input = work->input;
    why[0] = '\0';
    if (count == 0) {
        result[0] = '\0';
        *rel_error = NAN;
        snprintf(why, 256, "the kernel wrote no output");
        return false;
    }
    bool is_float =
        element_is_float(input->type) && operation_accumulator(input->op) != ACCUMULATES_INDEXED;
    bool right = is_float ? check_float(work, reference, output, count, result, rel_error, why)
                          : check_integer(work, reference, output, count, result, rel_error, why);
    if (!right)
        explain_fill(work, reference, output, count, why);
    return right;
}
