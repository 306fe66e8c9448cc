/* Functions for the expressions in lane_operations.h. Each computes a result from the values of one
 * lane. */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_LANE_FUNCTIONS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_LANE_FUNCTIONS_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

#define SIGNED_DIVISION(S, LEAST)                                                                  \
    static inline S divide_##S(S a, S b)                                                           \
    {                                                                                              \
        return b == 0 ? (S)-1 : b == -1 ? (S)(0 - (u64)a) : (S)(a / b);                            \
    }                                                                                              \
    static inline S remainder_##S(S a, S b)                                                        \
    {                                                                                              \
        return b == 0 ? a : b == -1 ? (S)0 : (S)(a % b);                                           \
    }
SIGNED_DIVISION(s16, INT16_MIN)
SIGNED_DIVISION(s32, INT32_MIN)
SIGNED_DIVISION(s64, INT64_MIN)

static inline s64 clamp_s32(s64 x)
{
    return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x;
}

static inline u64 high_u64(u64 a, u64 b)
{
    return (u64)(((unsigned __int128)a * b) >> 64);
}

static inline u64 high_s64(u64 a, u64 b)
{
    return (u64)(((__int128)(s64)a * (s64)b) >> 64);
}

/* mul24 and mad24: returns the product of the lower 24 bits of a and b, which has 48 bits. */
static inline u64 product_24_u32(u32 a, u32 b)
{
    return (u64)(a & 0xffffff) * (b & 0xffffff);
}

static inline s64 product_24_s32(s32 a, s32 b)
{
    return (s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8);
}

/*
 * bmsk: returns a mask of `length` bits, beginning at bit `position`. Bits above bit 31 are lost.
 */
static inline u32 ones_from(u32 position, u32 length)
{
    u64 ones = ((u64)1 << (length < 32 ? length : 32)) - 1;
    return position < 32 ? (u32)(ones << position) : 0;
}

/* szext: returns the lowest `length` bits of a, zero- or sign-extended. */
static inline u32 low_bits_u32(u32 a, u32 length)
{
    return length < 32 ? a & (((u32)1 << length) - 1) : a;
}

static inline u32 low_bits_s32(u32 a, u32 length)
{
    u32 up = length < 32 ? 32 - length : 0;
    return length ? (u32)((s32)(a << up) >> up) : 0;
}

/* bfe: returns `length` bits of a, beginning at bit `position`. If this reaches beyond the width of
 * a, the missing bits are 0 or copies of the sign bit. highest_T() and reverse_T() are for bfind
 * and brev. */
#define EXTRACT(T, S, WIDTH)                                                                       \
    static inline T extract_##T(T a, u32 position, u32 length)                                     \
    {                                                                                              \
        position &= 255;                                                                           \
        length &= 255;                                                                             \
        T shifted = position < WIDTH ? a >> position : 0;                                          \
        return length < WIDTH ? shifted & (((T)1 << length) - 1) : shifted;                        \
    }                                                                                              \
    static inline T extract_##S(T a, u32 position, u32 length)                                     \
    {                                                                                              \
        position &= 255;                                                                           \
        length &= 255;                                                                             \
        if (length == 0)                                                                           \
            return 0;                                                                              \
        u32 last = position + length - 1 < WIDTH - 1 ? position + length - 1 : WIDTH - 1;          \
        T sign = a >> last & 1 ? ~(T)0 : 0;                                                        \
        T bits = extract_##T(a, position, length);                                                 \
        u32 kept = position > last ? 0 : last - position + 1;                                      \
        return kept >= WIDTH ? bits : bits | sign << kept;                                         \
    }                                                                                              \
    static inline u32 highest_##T(T a)                                                             \
    {                                                                                              \
        return a ? 63 - (u32)__builtin_clzll(a) : 0xffffffffu;                                     \
    }                                                                                              \
    static inline T reverse_##T(T a)                                                               \
    {                                                                                              \
        T r = 0;                                                                                   \
        for (int bit = 0; bit < WIDTH; bit++)                                                      \
            r = r << 1 | (a >> bit & 1);                                                           \
        return r;                                                                                  \
    }
EXTRACT(u32, s32, 32)
EXTRACT(u64, s64, 64)

static inline u32 shift_to_highest(u32 highest, size_t width)
{
    return highest == 0xffffffffu ? highest : (u32)width - 1 - highest;
}

static inline u32 funnel_left(u32 low, u32 high, u32 shift)
{
    u64 both = (u64)high << 32 | low;
    return shift == 32 ? low : (u32)(both << shift >> 32);
}

static inline u32 funnel_right(u32 low, u32 high, u32 shift)
{
    u64 both = (u64)high << 32 | low;
    return (u32)(both >> shift);
}

/*
 * prmt: returns 4 bytes. Each is one of the 8 bytes of b and a, or 8 copies of the sign bit of one
 * of them.
 */
static inline u32 permute(u32 a, u32 b, u32 selector)
{
    u64 both = (u64)b << 32 | a;
    u32 result = 0;
    for (int i = 0; i < 4; i++) {
        u32 pick = selector >> 4 * i & 15;
        u32 byte = (u32)(both >> 8 * (pick & 7)) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* lop3: for each bit position, if a, b and c are the bits of the operands, bit 4a+2b+c of the table
 * is the bit of the result. */
static inline u32 logic3(u32 a, u32 b, u32 c, u32 table)
{
    u32 result = 0;
    for (u32 row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

/* min and max: if one operand is NaN, the result is the other operand. -0 is less than +0. */
#define FLOAT_ORDER(T)                                                                             \
    static inline T lesser_##T(T a, T b)                                                           \
    {                                                                                              \
        return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;                  \
    }                                                                                              \
    static inline T greater_##T(T a, T b)                                                          \
    {                                                                                              \
        return a != a ? b : b != b ? a : a > b || (a == b && signbit(b)) ? a : b;                  \
    }
FLOAT_ORDER(f32)
FLOAT_ORDER(f64)

/*
 * Conversions to and from integers of any width in registers of any width. The instruction's mode
 * says which types they have (type_mode() in decode_convert.c). A narrow value occupies the low
 * bits of a wide register. A result is zero-extended to the width of its register if its own type
 * is unsigned, and sign-extended if it is signed.
 */
enum { MODE_FROM = 0, MODE_TO = 3, MODE_SIGNED = 4, MODE_SATURATE = 1 << 6, MODE_ROUND = 6 };

/*
 * Returns the low 8, 16, 32 or 64 bits of x, zero- or sign-extended. `type` says how many bits, and
 * whether they are signed.
 */
static inline u64 extend_type(u64 x, unsigned type)
{
    unsigned unused = 64 - (8u << (type & 3));
    return type & MODE_SIGNED ? (u64)((s64)(x << unused) >> unused) : x << unused >> unused;
}

/* Return the bits of a type's least and greatest values. */
static inline u64 type_min(unsigned type)
{
    return type & MODE_SIGNED ? (u64)-1 << ((8u << (type & 3)) - 1) : 0;
}

static inline u64 type_max(unsigned type)
{
    return type & MODE_SIGNED ? ~type_min(type) : ~(u64)0 >> (64 - (8u << (type & 3)));
}

static inline u64 convert_integer(u64 x, unsigned mode)
{
    unsigned from = mode >> MODE_FROM & 7, to = mode >> MODE_TO & 7;
    x = extend_type(x, from);
    if (mode & MODE_SATURATE) {
        bool negative = (from & MODE_SIGNED) && (s64)x < 0;
        if (negative && (!(to & MODE_SIGNED) || (s64)x < (s64)type_min(to)))
            x = type_min(to);
        else if (!negative && x > type_max(to))
            x = type_max(to);
    }
    return extend_type(x, to);
}

/* Converts an integer to f64, rounding to odd: if the value is not exact, its last bit is 1.
 * Rounding the result to a shorter type then gives the same value as rounding the integer
 * directly. */
static inline f64 integer_to_odd(u64 x, bool negative)
{
    if (negative)
        x = 0 - x;
    if (x >> 53)
        x = (x >> 11 | ((x & 0x7ff) != 0)) << 11;
    return negative ? -(f64)x : (f64)x;
}

static inline f64 integer_to_f64(u64 x, unsigned mode)
{
    x = extend_type(x, mode);
    return mode & MODE_SIGNED ? (f64)(s64)x : (f64)x;
}

static inline f32 integer_to_f32(u64 x, unsigned mode)
{
    x = extend_type(x, mode);
    return mode & MODE_SIGNED ? (f32)(s64)x : (f32)x;
}

static inline f64 integer_to_short(u64 x, unsigned mode)
{
    x = extend_type(x, mode);
    return integer_to_odd(x, (mode & MODE_SIGNED) && (s64)x < 0);
}

static inline f64 round_integral(f64 x, unsigned how)
{
    return how == 0 ? nearbyint(x) : how == 1 ? trunc(x) : how == 2 ? floor(x) : ceil(x);
}

/*
 * Converts x to an integer, clamped to the range of the integer type. For a NaN, returns 0 if
 * neither type has 64 bits. If one has, returns a value of which only the highest bit is set (PTX
 * ISA, cvt; an H200 does the same).
 */
static inline u64 float_to_integer(f64 x, unsigned mode, bool from_f64)
{
    unsigned to = mode >> MODE_TO & 7;
    if (x != x)
        return extend_type(from_f64 || (to & 3) == 3 ? (u64)1 << ((8u << (to & 3)) - 1) : 0, to);
    x = round_integral(x, mode >> MODE_ROUND & 3);
    f64 above = ldexp(1, (int)(8u << (to & 3)) - (to & MODE_SIGNED ? 1 : 0));
    if (x >= above)
        return type_max(to);
    if (to & MODE_SIGNED)
        return x < -above ? type_min(to) : (u64)(s64)x;
    return x <= 0 ? 0 : (u64)x;
}

/*
 * Functions for 16-bit floats (f16 and bf16). Results are computed as f32 or f64 and then rounded
 * to 16 bits. If the computation itself has to round, it rounds to odd (integer_to_odd()), so the
 * result is the same as if it were rounded once.
 */
static inline f32 f16_value(u16 h)
{
    u32 sign = (u32)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
    u32 bits = exponent == 31 ? sign | 0x7f800000 | fraction << 13
                              : sign | (exponent + 112) << 23 | fraction << 13;
    f32 x;
    if (exponent == 0) { /* zero or subnormal: a multiple of 2^-24 */
        x = (f32)fraction * 0x1p-24f;
        return sign ? -x : x;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline f32 bf16_value(u16 h)
{
    u32 bits = (u32)h << 16;
    f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns the bits of the 16-bit float nearest to x, whose type has this number of fraction bits
 * and this exponent bias. */
static inline u16 round_short(f64 x, int fraction_bits, int bias)
{
    int exponent_bits = 15 - fraction_bits, exponent;
    u16 sign = signbit(x) ? 0x8000 : 0;
    u16 infinity = (u16)(((1 << exponent_bits) - 1) << fraction_bits);
    if (x != x)
        return 0x7fff;
    x = fabs(x);
    if (isinf(x))
        return sign | infinity;
    frexp(x, &exponent);
    if (exponent - 1 < 1 - bias)
        /* subnormal numbers have the same spacing as the smallest normal ones */
        exponent = 2 - bias;
    f64 units = ldexp(x, fraction_bits + 1 - exponent);
    u32 bits = (u32)nearbyint(units); /* rounds in the instruction's rounding mode */
    if (bits >> fraction_bits == 0)
        return sign | (u16)bits;
    /* If rounding has increased the fraction to the next power of two, this addition increments the
     * exponent. */
    bits += (u32)(exponent - 2 + bias) << fraction_bits;
    if (bits >= infinity)
        bits = fegetround() == FE_TOWARDZERO ? infinity - 1u : infinity;
    return sign | (u16)bits;
}

static inline u16 f16_bits(f64 x)
{
    return round_short(x, 10, 15);
}

static inline u16 bf16_bits(f64 x)
{
    return round_short(x, 7, 127);
}

/* Returns a * b + c for values of 16-bit floats. The product is exact, and the sum is rounded to
 * odd. */
static inline f64 fma_odd(f64 a, f64 b, f64 c)
{
    f64 product = a * b, sum = product + c;
    if (!isfinite(sum))
        return sum;
    f64 part = sum - product, error = (product - (sum - part)) + (c - part);
    u64 bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && !(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : (u64)-1;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

#define SHORT_FLOAT(T)                                                                             \
    static inline u16 add_##T##_(u16 a, u16 b)                                                     \
    {                                                                                              \
        return T##_bits(fma_odd(T##_value(a), 1, T##_value(b)));                                   \
    }                                                                                              \
    static inline u16 sub_##T##_(u16 a, u16 b)                                                     \
    {                                                                                              \
        return T##_bits(fma_odd(T##_value(b), -1, T##_value(a)));                                  \
    }                                                                                              \
    static inline u16 mul_##T##_(u16 a, u16 b)                                                     \
    {                                                                                              \
        return T##_bits((f64)T##_value(a) * T##_value(b));                                         \
    }                                                                                              \
    static inline u16 fma_##T##_(u16 a, u16 b, u16 c)                                              \
    {                                                                                              \
        return T##_bits(fma_odd(T##_value(a), T##_value(b), T##_value(c)));                        \
    }                                                                                              \
    static inline u16 fma_relu_##T##_(u16 a, u16 b, u16 c)                                         \
    {                                                                                              \
        u16 d = fma_##T##_(a, b, c); /* a NaN is positive here */                                  \
        return d & 0x8000 ? 0 : d;                                                                 \
    }                                                                                              \
    static inline u16 min_##T##_(u16 a, u16 b)                                                     \
    {                                                                                              \
        f32 x = T##_value(a), y = T##_value(b);                                                    \
        return x != x && y != y ? 0x7fff : T##_bits(lesser_f32(x, y));                             \
    }                                                                                              \
    static inline u16 max_##T##_(u16 a, u16 b)                                                     \
    {                                                                                              \
        f32 x = T##_value(a), y = T##_value(b);                                                    \
        return x != x && y != y ? 0x7fff : T##_bits(greater_f32(x, y));                            \
    }                                                                                              \
    static inline u16 min_NaN_##T##_(u16 a, u16 b)                                                 \
    {                                                                                              \
        f32 x = T##_value(a), y = T##_value(b);                                                    \
        return x != x || y != y ? 0x7fff : min_##T##_(a, b);                                       \
    }                                                                                              \
    static inline u16 max_NaN_##T##_(u16 a, u16 b)                                                 \
    {                                                                                              \
        f32 x = T##_value(a), y = T##_value(b);                                                    \
        return x != x || y != y ? 0x7fff : max_##T##_(a, b);                                       \
    }                                                                                              \
    static inline u16 abs_##T##_(u16 a)                                                            \
    {                                                                                              \
        return a & 0x7fff;                                                                         \
    }                                                                                              \
    static inline u16 neg_##T##_(u16 a)                                                            \
    {                                                                                              \
        return a ^ 0x8000;                                                                         \
    }                                                                                              \
    static inline u16 ex2_##T##_(u16 a)                                                            \
    {                                                                                              \
        return T##_bits(exp2(T##_value(a)));                                                       \
    }                                                                                              \
    static inline u16 tanh_##T##_(u16 a)                                                           \
    {                                                                                              \
        return T##_bits(tanh(T##_value(a)));                                                       \
    }
SHORT_FLOAT(f16)
SHORT_FLOAT(bf16)

/* the comparisons of floats, as X(name, type, condition on x and y) */
#define FLOAT_COMPARISONS(X, T)                                                                    \
    X(eq, T, x == y)                                                                               \
    X(ne, T, x<y || x> y)                                                                          \
    X(lt, T, x < y)                                                                                \
    X(le, T, x <= y)                                                                               \
    X(gt, T, x > y)                                                                                \
    X(ge, T, x >= y)                                                                               \
    X(equ, T, !(x < y || x > y))                                                                   \
    X(neu, T, x != y)                                                                              \
    X(ltu, T, !(x >= y))                                                                           \
    X(leu, T, !(x > y))                                                                            \
    X(gtu, T, !(x <= y))                                                                           \
    X(geu, T, !(x < y))                                                                            \
    X(num, T, x == x && y == y)                                                                    \
    X(nan, T, x != x || y != y)

#define SHORT_COMPARISON(NAME, T, CONDITION)                                                       \
    static inline bool NAME##_##T##_(u16 a, u16 b)                                                 \
    {                                                                                              \
        f32 x = T##_value(a), y = T##_value(b);                                                    \
        return CONDITION;                                                                          \
    }
FLOAT_COMPARISONS(SHORT_COMPARISON, f16)
FLOAT_COMPARISONS(SHORT_COMPARISON, bf16)

/* Returns part k of x, if x is divided into parts of `bits` bits. dp4a and dp2a need this: dp4a
 * multiplies each byte of a by the corresponding byte of b and adds the products to c, and dp2a
 * multiplies the 16-bit halves of a by bytes of b. */
static inline u32 part_of(u32 x, int bits, int k, bool is_signed)
{
    u32 up = x << (32 - bits * (k + 1));
    return is_signed ? (u32)((s32)up >> (32 - bits)) : up >> (32 - bits);
}

static inline u32 dot_4(u32 a, u32 b, u32 c, bool a_signed, bool b_signed)
{
    for (int k = 0; k < 4; k++)
        c += part_of(a, 8, k, a_signed) * part_of(b, 8, k, b_signed);
    return c;
}

static inline u32 dot_2(u32 a, u32 b, u32 c, bool a_signed, bool b_signed)
{
    for (int k = 0; k < 2; k++)
        c += part_of(a, 16, k, a_signed) * part_of(b, 8, k, b_signed);
    return c;
}

/* fns: returns the position of the n-th set bit of `mask`, counting up from bit `base` if n > 0,
 * and the (-n)-th counting down if n < 0. If n is 0, returns `base` if that bit is set. Returns
 * 0xffffffff if there is no such bit. */
static inline u32 find_nth_set(u32 mask, u32 base, s32 n)
{
    if (n == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    int step = n > 0 ? 1 : -1;
    for (int at = (int)(base & 31); at >= 0 && at < 32; at += step) {
        n -= mask >> at & 1 ? step : 0;
        if (n == 0)
            return (u32)at;
    }
    return 0xffffffffu;
}

/* prmt: selects bytes of a and b as c and the mode specify. In mode 0, c is the selector. */
static inline u32 permute_mode(u32 a, u32 b, u32 c, unsigned mode)
{
    static const u16 selectors[8][4] = {
        {0},
        {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
        {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
        {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
        {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
        {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
        {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
    };
    return permute(a, b, mode ? selectors[mode & 7][c & 3] : c);
}

#endif
