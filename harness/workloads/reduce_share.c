/*
 * The arithmetic of references: how n elements become one value, and how large the error of this
 * value may be. Below, the usual inputs are inputs of the kind uniform.
 *
 *   integers           The value is exact and wraps at the width of the value type.
 *   max, min, indices  The value is exact. A NaN counts as more extreme than all numbers. The index
 *                      is that of the first most extreme element.
 *   float sum          The sum is compensated (Neumaier 1974): the rounding error of each addition
 *                      is kept and added at the end. It is computed in double, over pieces of 2^16
 *                      elements, and its error is at most 2^-52 · Σ|x|. For inputs other than the
 *                      usual ones, it is exact (exact_sum.h) and rounded once to double.
 *   float prod         The product is exact, because the factors are powers of two. It is computed
 *                      in long double, whose range contains the product of every share.
 *   sumsq, norm2, dot  Infinities and NaN are summed separately. The sum of the finite values is
 *                      compensated, including the error of each product (Dot2 of Ogita, Rump and
 *                      Oishi, SIAM J. Sci. Comput. 26(6), 2005). Its error is at most 2^-52 ·
 *                      Σ|x·y|.
 *   mean_var           Both values come from compensated sums of d and d², where d = x − 1/2. This
 *                      shift is near the mean, so that Σd² − (Σd)²/n cancels little (Chan, Golub and
 *                      LeVeque, The American Statistician 37(3), 1983, on shifted data). The error
 *                      is at most 2^-50 · (Σd² + n/4). For inputs other than the usual ones, d = x.
 *   logsumexp          The value is the logarithm of the compensated sum of exp(x − 10), which
 *                      neither overflows nor underflows for inputs from -8 to 10. exp and log of the
 *                      C library are accurate to 1 ulp, so that the absolute error is 2^-51.
 */
#include "workloads/reduce_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double EXPONENT_SHIFT = 10;

/* Returns the shift that is subtracted from each element. For the usual inputs, it is near their
 * mean. For other inputs it is 0, so that their elements stay exact. */
static double mean_shift(const struct input *input)
{
    return input->kind == INPUT_KIND_UNIFORM ? 0.5 : 0;
}

/* ---- Integers -------------------------------------------------------------------------------- */

static uint64_t extend(enum element_type type, uint64_t bits)
{
    enum element_type value = element_value_type(type);
    if (element_size(value) == 8)
        return bits;
    return element_is_signed(value) ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits : (uint32_t)bits;
}

/* Lifts an integer, or a pair of integers from the two vectors, to the value that is combined with
 * others (LIFT in element.def). */
static inline uint64_t lift_integer(enum lift lift, uint64_t x, uint64_t y)
{
    switch (lift) {
    case LIFTS_SQUARE:
        return x * x;
    case LIFTS_PRODUCT:
        return x * y;
    default:
        return x;
    }
}

/* Lifts a float like lift_integer(). Not used for sums of products, where long_add_product() also
 * adds the rounding errors. */
static inline double lift_float(enum lift lift, double x, double y)
{
    switch (lift) {
    case LIFTS_SQUARE:
        return x * x;
    case LIFTS_PRODUCT:
        return x * y;
    default:
        return x;
    }
}

/* Returns whether a < b for extended values. Compares signed integers, except for unsigned 64-bit
 * types. */
static bool is_less(enum element_type type, uint64_t a, uint64_t b)
{
    return element_size(type) == 8 && !element_is_signed(type) ? a < b : (int64_t)a < (int64_t)b;
}

static inline uint64_t combine_integers(enum element_type type, enum combining combining,
                                        uint64_t a, uint64_t b)
{
    switch (combining) {
    case COMBINES_PRODUCT:
        return extend(type, a * b);
    case COMBINES_GREATEST:
        return is_less(type, a, b) ? b : a;
    case COMBINES_LEAST:
        return is_less(type, b, a) ? b : a;
    case COMBINES_SUM:
        break;
    }
    return extend(type, a + b);
}

uint64_t reduce_combine(enum element_type type, enum operation op, uint64_t a, uint64_t b)
{
    return combine_integers(type, operation_combining(op), a, b);
}

uint64_t reduce_integer_at(enum element_type type, const void *values, uint64_t i)
{
    const bool is_signed = element_is_signed(type);
    switch (element_size(type)) {
    case 1:
        return is_signed ? (uint64_t)(int64_t)((const int8_t *)values)[i]
                         : ((const uint8_t *)values)[i];
    case 2:
        return is_signed ? (uint64_t)(int64_t)((const int16_t *)values)[i]
                         : ((const uint16_t *)values)[i];
    case 4:
        return is_signed ? (uint64_t)(int64_t)((const int32_t *)values)[i]
                         : ((const uint32_t *)values)[i];
    default:
        return ((const uint64_t *)values)[i];
    }
}

/*
 * Adds lifted elements. The sum wraps only at 64 bits here; extend() then wraps it at the width of
 * the value type. So the loops for large inputs do nothing but add.
 */
static uint64_t sum_integers(enum element_type type, enum lift lift, uint64_t count, const void *x,
                             const void *y)
{
    uint64_t sum = 0;
#define SUM(c_type, wide)                                                                          \
    for (uint64_t i = 0; i < count; i++)                                                           \
    sum += lift_integer(lift, (uint64_t)(wide)((const c_type *)x)[i],                              \
                        (uint64_t)(wide)((const c_type *)y)[i])
    switch (2 * element_size(type) + element_is_signed(type)) {
    case 2:
        SUM(uint8_t, uint64_t);
        break;
    case 3:
        SUM(int8_t, int64_t);
        break;
    case 4:
        SUM(uint16_t, uint64_t);
        break;
    case 5:
        SUM(int16_t, int64_t);
        break;
    case 8:
        SUM(uint32_t, uint64_t);
        break;
    case 9:
        SUM(int32_t, int64_t);
        break;
    default:
        SUM(uint64_t, uint64_t);
    }
#undef SUM
    return sum;
}

void share_add_integers(struct share *s, uint64_t first, uint64_t count, const void *x,
                        const void *y)
{
    const enum element_type type = s->input->type;
    const enum operation op = s->input->op;
    const enum lift lift = operation_lift(op);
    const enum combining combining = operation_combining(op);
    if (combining == COMBINES_SUM) {
        s->bits = extend(type, s->bits + sum_integers(type, lift, count, x, y));
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t y_i = lift == LIFTS_PRODUCT ? reduce_integer_at(type, y, i) : 0,
                 bits = extend(type, lift_integer(lift, reduce_integer_at(type, x, i), y_i)),
                 next = first + i == s->first ? bits
                                              : combine_integers(type, combining, s->bits, bits);
        if (next != s->bits || first + i == s->first)
            s->index = first + i;
        s->bits = next;
    }
}

/* ---- Floats ---------------------------------------------------------------------------------- */

static double float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Converts a float of fewer than 32 bits. Reads its bits as a 32-bit float with the same fraction,
 * and then scales it, because the two formats have different exponent biases. */
static double short_value(uint32_t bits, size_t bytes, int significand)
{
    const int width = 8 * (int)bytes - 1, fraction = significand - 1, exponent = width - fraction;
    const uint32_t sign = bits >> width << 31, rest = (bits & ((1u << width) - 1))
                                                      << (23 - fraction);
    const uint32_t top = ((1u << exponent) - 1) << 23;
    if ((rest & top) == top) /* infinity or NaN */
        return float_of_bits(sign | 0x7f800000 | rest);
    /* Scaling is exact, even for subnormals. */
    return float_of_bits(sign | rest) * ldexp(1, 128 - (1 << (exponent - 1)));
}

double reduce_float_at(enum element_type type, const void *values, uint64_t i)
{
    switch (element_size(type)) {
    case 1:
        return short_value(((const uint8_t *)values)[i], 1, element_significand(type));
    case 2:
        return short_value(((const uint16_t *)values)[i], 2, element_significand(type));
    case 4:
        return ((const float *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

static inline void long_add(struct long_sum *s, double x)
{
    double error;
    if (!isfinite(x)) {
        s->infinite += x;
        return;
    }
    s->sum = two_sum(s->sum, x, &error);
    s->lost += error;
}

static inline void long_add_product(struct long_sum *s, double x, double y)
{
    double product = x * y;
    long_add(s, product);
    if (isfinite(product))
        s->lost += fma(x, y, -product);
}

bool reduce_beats(enum operation op, double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) && !isnan(y);
    return operation_combining(op) == COMBINES_GREATEST ? x > y : x < y;
}

static inline void fold_sum(struct share *s, enum lift lift, double x, double y)
{
    double value;
    switch (lift) {
    case LIFTS_SQUARE:
        long_add_product(&s->total, x, x);
        break;
    case LIFTS_PRODUCT:
        long_add_product(&s->total, x, y);
        s->magnitude += fabs(x * y);
        break;
    default:
        value = lift_float(lift, x, y);
        if (s->exact)
            exact_add(s->exact, value);
        else
            long_add(&s->total, value);
        s->magnitude += fabs(value);
    }
}

/* Combines elements of two vectors, from element `first` on, with the share. For an operation on
 * one vector, x and y are the same. */
static void fold_values(struct share *s, uint64_t first, uint64_t count, const double *x,
                        const double *y)
{
    const enum operation op = s->input->op;
    const enum lift lift = operation_lift(op);
    const enum combining combining = operation_combining(op);
    for (uint64_t i = 0; i < count; i++) {
        double value;
        switch (combining) {
        case COMBINES_SUM:
            fold_sum(s, lift, x[i], y[i]);
            break;
        case COMBINES_PRODUCT:
            s->product *= lift_float(lift, x[i], y[i]);
            break;
        case COMBINES_GREATEST:
        case COMBINES_LEAST:
            value = lift_float(lift, x[i], y[i]);
            if (first + i == s->first || reduce_beats(op, value, s->extreme)) {
                s->extreme = value;
                s->index = first + i;
            }
        }
    }
}

void share_add_floats(struct share *s, uint64_t first, uint64_t count, const double *x,
                      const double *y)
{
    const double shift = mean_shift(s->input);
    switch (operation_accumulator(s->input->op)) {
    case ACCUMULATES_MOMENTS:
        for (uint64_t i = 0; i < count; i++) {
            long_add(&s->total, x[i] - shift);
            long_add_product(&s->squares, x[i] - shift, x[i] - shift);
        }
        break;
    case ACCUMULATES_EXPONENTS:
        for (uint64_t i = 0; i < count; i++)
            long_add(&s->total, exp(x[i] - EXPONENT_SHIFT));
        break;
    case ACCUMULATES_VALUE:
    case ACCUMULATES_INDEXED:
        fold_values(s, first, count, x, y);
    }
}

static void long_merge(struct long_sum *a, const struct long_sum *b)
{
    long_add(a, b->sum);
    a->lost += b->lost;
    a->infinite += b->infinite;
}

static double long_value(const struct long_sum *s)
{
    /* the sum of infinite values may be NaN */
    return s->infinite == 0 ? s->sum + s->lost : s->infinite;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

struct share share_of_piece(const struct input *input, uint64_t first, uint64_t last)
{
    return (struct share){
        .input = input, .first = first, .last = last, .index = first, .product = 1};
}

/* Returns whether the sum is computed exactly. This is so for all but the usual inputs, if the
 * operation rounds only in additions. */
static bool is_exact_sum(const struct input *input)
{
    const enum operation op = input->op;
    return input->kind != INPUT_KIND_UNIFORM && operation_accumulator(op) == ACCUMULATES_VALUE &&
           operation_combining(op) == COMBINES_SUM && operation_roundings(op) == 0;
}

struct share share_make(const struct input *input, uint64_t first, uint64_t last)
{
    struct share s = share_of_piece(input, first, last);
    if (is_exact_sum(input))
        s.exact = xcalloc(1, sizeof *s.exact);
    return s;
}

void share_merge(struct share *a, const struct share *b)
{
    if (a->exact != b->exact) {
        exact_merge(a->exact, b->exact);
        free(b->exact);
    }
    enum operation op = a->input->op;
    bool replaces = reduce_beats(op, b->extreme, a->extreme);
    if (!element_is_float(a->input->type)) {
        uint64_t bits = reduce_combine(a->input->type, op, a->bits, b->bits);
        replaces = bits != a->bits;
        a->bits = bits;
    }
    if (replaces) {
        a->extreme = b->extreme;
        a->index = b->index;
    }
    long_merge(&a->total, &b->total);
    long_merge(&a->squares, &b->squares);
    a->magnitude += b->magnitude;
    a->product *= b->product;
}

/* Computes mean and variance of n elements from the sums of d and d². */
static void finish_moments(const struct share *s, uint64_t n, struct reference *out)
{
    const long double count = (long double)n, shift = mean_shift(s->input);
    long double sum = (long double)s->total.sum + s->total.lost;
    long double squares = (long double)s->squares.sum + s->squares.lost;
    long double deviations = squares - sum * sum / count;
    out->value = (double)(shift + sum / count);
    /* All elements are equal. The difference is only the rounding error of the shift. */
    if (deviations < 0)
        deviations = 0;
    out->variance = n > 1 ? (double)(deviations / (count - 1)) : (double)NAN;
    /* Σx² = Σd² + 2·shift·Σd + n·shift². Errors of the mean are relative to the root mean
     * square. */
    out->magnitude = sqrt((double)(squares / count + 2 * shift * sum / count + shift * shift));
}

/* Returns a float share's value before the result is finished. */
static double value_of_share(const struct share *s)
{
    switch (operation_combining(s->input->op)) {
    case COMBINES_PRODUCT:
        return (double)s->product;
    case COMBINES_GREATEST:
    case COMBINES_LEAST:
        return s->extreme;
    case COMBINES_SUM:
        break;
    }
    return s->exact ? exact_round(s->exact, TYPE_FLOAT64) : long_value(&s->total);
}

void share_finish(struct share *s, uint64_t n, struct reference *out)
{
    const struct input *in = s->input;
    bool is_float = element_is_float(in->type);
    *out = (struct reference){0};
    if (operation_accumulator(in->op) == ACCUMULATES_INDEXED) {
        out->bits = s->index;
        out->value = (double)s->index;
    } else if (!is_float) {
        out->bits = s->bits;
        out->value = element_is_signed(in->type) ? (double)(int64_t)s->bits : (double)s->bits;
    } else if (operation_accumulator(in->op) == ACCUMULATES_MOMENTS) {
        finish_moments(s, n, out);
        return;
    } else
        out->value = value_of_share(s);
    free(s->exact);
    s->exact = NULL;
    if (operation_finishing(in->op) == FINISHES_ROOT)
        out->value = sqrt(out->value);
    if (operation_accumulator(in->op) == ACCUMULATES_EXPONENTS)
        out->value = log(out->value) + EXPONENT_SHIFT;
    out->magnitude = fmax(fabs(out->value), is_float ? s->magnitude : 0);
}
