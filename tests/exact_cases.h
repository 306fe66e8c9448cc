/* Inputs for which ordinary sums have large errors. They test kernels that promise the exact
 * sum, rounded once. Each input depends only on its number, so the inputs are the same on the
 * simulator and on a GPU. */
#ifndef REDSWEEP_TESTS_EXACT_CASES_H
#define REDSWEEP_TESTS_EXACT_CASES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/element.h"
#include "base/random.h"
#include "workloads/exact_sum.h"
#include "workloads/workloads.h"

struct exact_maker {
    enum element_type type;
    int fraction_bits, top; /* `top` is the exponent field of infinities. */
    uint64_t random;
    uint8_t *out;
    uint64_t count;
};

static inline uint64_t maker_random(struct exact_maker *m, uint64_t below)
{
    return random_next(&m->random) % below;
}

/*
 * Appends the number with this sign, exponent field and fraction: ± 1.fraction * 2^(field - bias),
 * or a subnormal number if the field is 0.
 */
static inline void maker_put(struct exact_maker *m, bool minus, int field, uint64_t fraction)
{
    const size_t size = element_size(m->type);
    uint64_t bits = fraction & (((uint64_t)1 << m->fraction_bits) - 1);
    field = field < 0 ? 0 : field > m->top ? m->top : field;
    bits |= (uint64_t)field << m->fraction_bits | (uint64_t)minus << (8 * size - 1);
    memcpy(m->out + m->count++ * size, &bits, size);
}

static inline void maker_put_random(struct exact_maker *m, int lowest, int highest)
{
    int field = lowest + (int)maker_random(m, (uint64_t)(highest - lowest + 1));
    uint64_t bits = random_next(&m->random);
    maker_put(m, bits >> 63, field, bits);
}

/* Swaps elements at random (Fisher and Yates). */
static inline void maker_shuffle(struct exact_maker *m)
{
    const size_t size = element_size(m->type);
    for (uint64_t i = m->count; i > 1; i--) {
        uint8_t held[8], *a = m->out + (i - 1) * size, *b = m->out + maker_random(m, i) * size;
        memcpy(held, a, size);
        memmove(a, b, size);
        memcpy(b, held, size);
    }
}

/* Makes an input whose sum is a tie, or almost: a number plus half a unit in its last place. In
 * two of three inputs, a far smaller number breaks the tie. The other numbers cancel each other.
 * Their exponents span the type's whole range or, if `near` is true, are all near that of the
 * sum. */
static inline void maker_tie(struct exact_maker *m, uint64_t count, bool near)
{
    const int bias = m->top / 2, bits = m->type == TYPE_FLOAT64 ? 53 : 24;
    const int base = (bias > bits ? bias : bits + 2) + (int)maker_random(m, 5),
              least = base - bits - 22;
    const bool minus = near && maker_random(m, 2);
    maker_put(m, minus, base, random_next(&m->random) & ~(uint64_t)0xff);
    maker_put(m, minus, base - bits, 0);
    if (maker_random(m, 3))
        maker_put(m, maker_random(m, 2),
                  near ? base - bits - 1 - (int)maker_random(m, bits == 53 ? 7 : 36)
                       : (int)maker_random(m, 3),
                  1 + maker_random(m, 100));
    while (m->count + 2 <= count) {
        uint64_t fraction = random_next(&m->random);
        int field = near ? least + (int)maker_random(m, (uint64_t)(base + 2 - least))
                         : (int)maker_random(m, (uint64_t)m->top);
        field = field < m->top ? field : m->top - 1;
        maker_put(m, false, field, fraction);
        maker_put(m, true, field, fraction);
    }
}

/* Makes the case with this number. Writes at most `most` elements to `out`, and returns how
 * many. */
static inline uint64_t exact_case(enum element_type type, uint64_t number, void *out, uint64_t most)
{
    struct exact_maker made = {.type = type,
                               .fraction_bits = type == TYPE_FLOAT64    ? 52
                                                : type == TYPE_FLOAT32  ? 23
                                                : type == TYPE_BFLOAT16 ? 7
                                                                        : 10,
                               .top = type == TYPE_FLOAT64   ? 2047
                                      : type == TYPE_FLOAT16 ? 31
                                                             : 255,
                               .random = 0x9e3779b97f4a7c15ull * (number + 1) | 1,
                               .out = out};
    struct exact_maker *m = &made;
    for (int i = 0; i < 8; i++)
        (void)random_next(&m->random);
    const int top = m->top, bias = top / 2, kind = (int)(number % 14);
    uint64_t count = 1 + maker_random(m, number % 7 == 0 ? most : most < 300 ? most : 300);
    if (kind == 4 || kind == 12)
        maker_tie(m, count < 3 ? 3 : count, kind == 12);
    while (m->count < count)
        switch (kind) {
        case 0: /* any bits */
            maker_put_random(m, 0, maker_random(m, count) ? top - 1 : top);
            break;
        case 1: /* any finite numbers; partial sums overflow and return */
            maker_put_random(m, 0, top - 1);
            break;
        case 2:
            maker_put_random(m, bias - 59, bias);
            break;
        case 3: { /* pairs that cancel, and perhaps one more element */
            uint64_t fraction = random_next(&m->random);
            int field = (int)maker_random(m, (uint64_t)top);
            maker_put(m, false, field, fraction);
            if (m->count < count)
                maker_put(m, true, field, fraction);
            break;
        }
        case 5: /* elements near the largest number */
            maker_put(m, maker_random(m, 2), top - 1,
                      maker_random(m, 3) ? ~0ull : maker_random(m, 4));
            break;
        case 6:
            maker_put_random(m, 0, 0);
            break;
        case 7: /* zeros: all negative, mixed, all positive, or after one number */
            if (number % 48 < 36 || m->count)
                maker_put(m, number % 48 < 12 || (number % 48 < 24 && maker_random(m, 2)), 0, 0);
            else
                maker_put_random(m, 0, top - 1);
            break;
        case 8: /* with infinities and NaN among the numbers */
            if (maker_random(m, count) < 2)
                maker_put(m, number % 24 < 12 && maker_random(m, 2), top, number % 36 < 12);
            else
                maker_put_random(m, 0, top - 1);
            break;
        case 9: /* a different scale for each thousand elements */
            maker_put_random(m, (int)(m->count / 1000 * 37 % (uint64_t)top),
                             (int)(m->count / 1000 * 37 % (uint64_t)top));
            break;
        case 13: /* one sign and similar sizes */
            maker_put_random(m, bias - 2, bias);
            m->out[m->count * element_size(type) - 1] &= 0x7f;
            break;
        case 10: /* half of the elements near the largest number */
            maker_put_random(m, maker_random(m, 2) ? top - 1 : 0,
                             maker_random(m, 2) ? top - 1 : top - 1);
            break;
        default:
            maker_put(m, false, bias, 0x5555555555555555ull);
        }
    if (kind == 3 || kind == 4 || kind == 12)
        maker_shuffle(m);
    return m->count;
}

/* Returns whether a result of the value type is the sum of the elements, rounded once. */
static inline bool exact_is_right(enum element_type type, const void *values, uint64_t count,
                                  const void *result, double *expected)
{
    struct exact_sum sum = {.pending = 0};
    const enum element_type value = element_value_type(type);
    for (uint64_t i = 0; i < count; i++)
        exact_add(&sum, reduce_float_at(type, values, i));
    *expected = exact_round(&sum, value);
    double found = reduce_float_at(value, result, 0);
    return isnan(*expected) ? isnan(found)
                            : found == *expected && signbit(found) == signbit(*expected);
}

#endif
