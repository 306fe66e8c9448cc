/*
 * A fixed-point number that can represent every double (Kulisch, Computer Arithmetic and Validity,
 * 2008). Its 32-bit digits are stored in 64 bits, so 2^30 numbers can be added before a carry is
 * needed.
 */
#include "workloads/exact_sum.h"

#include <math.h>
#include <string.h>

enum {
    DIGIT_BITS = 32,
    /* The exponent of the lowest bit, at most that of the smallest subnormal. */
    DIGIT_0 = -1088,
    MOST_PENDING = 1 << 30
};
static const int64_t BASE = (int64_t)1 << DIGIT_BITS;

/* Resolves the carries. Afterwards, each digit is in 0 … BASE - 1, except for the highest one,
 * which contains the sign. */
static void resolve(struct exact_sum *s)
{
    for (int d = 0; d + 1 < EXACT_DIGITS; d++) {
        int64_t carry = s->digits[d] >> DIGIT_BITS;
        s->digits[d] -= carry * BASE;
        s->digits[d + 1] += carry;
    }
    s->pending = 0;
}

void exact_add(struct exact_sum *s, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    uint64_t significand = bits & (((uint64_t)1 << 52) - 1);
    if (field == 0x7ff) {
        s->nan |= significand != 0;
        s->plus_infinity |= x > 0;
        s->minus_infinity |= x < 0;
        return;
    }
    const bool minus_zero = bits == (uint64_t)1 << 63;
    s->minus_zero |= minus_zero;
    s->other |= !minus_zero;
    if (field > 0)
        significand |= (uint64_t)1 << 52;
    int position = (field > 0 ? field : 1) - 1075 - DIGIT_0, shift = position % DIGIT_BITS;
    int64_t *d = &s->digits[position / DIGIT_BITS], sign = signbit(x) ? -1 : 1;
    uint64_t low = significand << shift, high = shift ? significand >> (64 - shift) : 0;
    d[0] += sign * (int64_t)(low & (uint64_t)(BASE - 1));
    d[1] += sign * (int64_t)(low >> DIGIT_BITS);
    d[2] += sign * (int64_t)high;
    if (++s->pending == MOST_PENDING)
        resolve(s);
}

void exact_merge(struct exact_sum *s, struct exact_sum *other)
{
    resolve(s);
    resolve(other);
    for (int d = 0; d < EXACT_DIGITS; d++)
        s->digits[d] += other->digits[d];
    s->pending = 1;
    s->nan |= other->nan;
    s->plus_infinity |= other->plus_infinity;
    s->minus_infinity |= other->minus_infinity;
    s->minus_zero |= other->minus_zero;
    s->other |= other->other;
}

double exact_round(struct exact_sum *s, enum element_type type)
{
    if (s->nan || (s->plus_infinity && s->minus_infinity))
        return (double)NAN;
    if (s->plus_infinity || s->minus_infinity)
        return s->plus_infinity ? (double)INFINITY : -(double)INFINITY;
    resolve(s);
    struct exact_sum size = *s;
    const bool minus = s->digits[EXACT_DIGITS - 1] < 0;
    for (int d = 0; minus && d < EXACT_DIGITS; d++)
        size.digits[d] = -size.digits[d];
    resolve(&size);
    int top = EXACT_DIGITS - 1;
    while (top > 0 && size.digits[top] == 0)
        top--;
    if (size.digits[top] == 0)
        return s->minus_zero && !s->other ? -0.0 : 0.0;
    uint64_t head =
        (uint64_t)size.digits[top] << DIGIT_BITS | (uint64_t)(top > 0 ? size.digits[top - 1] : 0);
    uint64_t next = top > 1 ? (uint64_t)size.digits[top - 2] : 0;
    const int zeros = __builtin_clzll(head);
    head = head << zeros | next << zeros >> DIGIT_BITS;
    bool below = (next << zeros & (uint64_t)(BASE - 1)) != 0;
    for (int d = 0; d < top - 2; d++)
        below |= size.digits[d] != 0;
    head |= below; /* a sticky bit, so that the conversion rounds correctly */
    const int unit = DIGIT_0 + DIGIT_BITS * (top - 1) - zeros;
    double value =
        type == TYPE_FLOAT32 ? (double)ldexpf((float)head, unit) : ldexp((double)head, unit);
    return minus ? -value : value;
}
