/*
 * Inputs for float sums that expose errors which the usual inputs of input.h hide. The usual inputs
 * have one sign and span at most a few powers of two, so sums of short types are exact and nothing
 * ever cancels.
 *
 *   normal      nearly normally distributed around 0 (a sum of eight uniform numbers), with a deviation of 0.8
 *   span60      random signs, and exponents from -59 to 0, all equally likely (float16: from -14)
 *   wide        random signs, and all exponents of normal numbers but the highest 40, so that the sum of 2^40
 *               elements overflows in no order (float16, which is added as float32, has all exponents)
 *   cancelling  pairs: elements i and i + 32 of each 64 are negatives of each other, except for a unit in the
 *               last place of every sixteenth pair
 *   sorted      ascending: (i + 1) * 2^-24, truncated to the significand of the type
 *   special     like normal, but with at least one infinity. Depending on the seed, one element in 16384 is
 *               also an infinity of the same sign, an infinity of either sign, or NaN, or none is
 *   subnormal   subnormal numbers with random signs
 *
 * All values are exact in the element's type. Like input.h, which includes this file, it is compiled by the C
 * compiler and by NVRTC.
 */
#ifndef REDSWEEP_KERNELS_SUPPORT_INPUT_KINDS_H
#define REDSWEEP_KERNELS_SUPPORT_INPUT_KINDS_H

/* Numbered like enum input_kind. */
#define INPUT_UNIFORM 0 /* the values of input.h */
#define INPUT_NORMAL 1
#define INPUT_SPAN60 2
#define INPUT_WIDE 3
#define INPUT_CANCELLING 4
#define INPUT_SORTED 5
#define INPUT_SPECIAL 6
#define INPUT_SUBNORMAL 7

#define INPUT_NAN 0x7ff8000000000000ull
#define INPUT_INFINITY 0x7ff0000000000000ull
#define INPUT_SIGN 0x8000000000000000ull

INPUT_FN double input_double(input_u64 bits)
{
#ifdef __CUDACC__
    return __longlong_as_double((long long)bits);
#else
    union {
        input_u64 bits;
        double value;
    } x = {bits};
    return x.value;
#endif
}

INPUT_FN input_u64 input_double_bits(double value)
{
#ifdef __CUDACC__
    return (input_u64)__double_as_longlong(value);
#else
    union {
        double value;
        input_u64 bits;
    } x = {value};
    return x.bits;
#endif
}

/* Returns 2^exponent, a normal double. */
INPUT_FN double input_power(int exponent)
{
    return input_double((input_u64)(exponent + 1023) << 52);
}

/*
 * What the input depends on in a type: its number of significand bits, the exponent of the lowest
 * bit of any value, and the highest exponent of `wide`.
 */
struct input_format {
    int significand, lowest, top;
};

/* Returns the exponent of the smallest normal number. */
INPUT_FN int input_least(struct input_format f)
{
    return f.lowest + f.significand - 1;
}

/*
 * Returns `value` truncated to the type's precision. `value` must be below the type's largest
 * value.
 */
INPUT_FN double input_cut(double value, struct input_format f)
{
    input_u64 bits = input_double_bits(value);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent < input_least(f)) /* subnormal in a short type */
        return (double)(long long)(value * input_power(-f.lowest)) * input_power(f.lowest);
    return input_double(bits & (~0ull << (53 - f.significand)));
}

/*
 * Returns 2^exponent with a random sign and a random fraction. The result is a normal number of the
 * type.
 */
INPUT_FN double input_random(input_u64 bits, int exponent, struct input_format f)
{
    input_u64 fraction = bits >> 12 & (~0ull << (53 - f.significand));
    return input_double((bits & 1) << 63 | (input_u64)(exponent + 1023) << 52 | fraction);
}

INPUT_FN double input_normal(input_u64 seed, input_u64 index, struct input_format f)
{
    input_u64 a = input_bits(seed, index), b = input_bits(~seed, index);
    input_u64 sum = (a & 0xffff) + (a >> 16 & 0xffff) + (a >> 32 & 0xffff) + (a >> 48) +
                    (b & 0xffff) + (b >> 16 & 0xffff) + (b >> 32 & 0xffff) + (b >> 48);
    input_u64 fine = input_bits(seed ^ 0xf17eull, index) & ((1ull << 34) - 1);
    long long value = ((long long)sum - 4 * 0xffff) * (1ll << 34) + (long long)fine;
    return input_cut((double)value * input_power(-50), f);
}

INPUT_FN double input_cancelling(input_u64 seed, input_u64 index, struct input_format f)
{
    input_u64 pair = index & ~32ull, more = input_bits(~seed, pair);
    int exponent = -(int)(more % 12);
    double value = input_random(input_bits(seed, pair), exponent, f);
    double unit = input_power(exponent - f.significand + 1);
    if (!(index & 32))
        return value;
    if ((more >> 32 & 15) == 0)
        value += value < 0 ? -unit : unit;
    return -value;
}

INPUT_FN double input_sorted(input_u64 index, struct input_format f)
{
    input_u64 place = index + 1;
#ifdef __CUDACC__
    int zeros = __clzll((long long)place);
#else
    int zeros = __builtin_clzll(place);
#endif
    input_u64 fraction = place << zeros << 1 >> 12;
    return input_cut(input_double((input_u64)(63 - zeros - 24 + 1023) << 52 | fraction), f);
}

INPUT_FN double input_special(input_u64 seed, input_u64 index, input_u64 peak,
                              struct input_format f)
{
    input_u64 bits = input_bits(seed ^ 0x5bec1a1ull, index);
    input_u64 infinity = INPUT_INFINITY | (seed >> 4 & 1) << 63;
    int which = (int)(seed >> 5 & 3);
    if (index == peak || ((bits & 0x3fff) == 0 && which == 0))
        return input_double(infinity);
    if ((bits & 0x3fff) == 0 && which != 3)
        return input_double(which == 1 ? INPUT_NAN : INPUT_INFINITY | (bits & INPUT_SIGN));
    return input_normal(seed, index, f);
}

INPUT_FN double input_subnormal(input_u64 bits, struct input_format f)
{
    input_u64 multiple = bits >> 1 >> (64 - f.significand); /* significand - 1 bits */
    if (f.significand == 53)
        return input_double((bits & 1) << 63 | multiple);
    double value = (double)multiple * input_power(f.lowest);
    return bits & 1 ? -value : value;
}

INPUT_FN double input_of_kind(int kind, input_u64 seed, input_u64 index, input_u64 peak,
                              struct input_format f)
{
    input_u64 bits = input_bits(seed, index), more = input_bits(~seed, index);
    int least = input_least(f), below = least > -59 ? -least : 59;
    switch (kind) {
    case INPUT_NORMAL:
        return input_normal(seed, index, f);
    case INPUT_SPAN60:
        return input_random(bits, -(int)(more % (input_u64)(below + 1)), f);
    case INPUT_WIDE:
        return input_random(bits, least + (int)(more % (input_u64)(f.top - least + 1)), f);
    case INPUT_CANCELLING:
        return input_cancelling(seed, index, f);
    case INPUT_SORTED:
        return input_sorted(index, f);
    case INPUT_SPECIAL:
        return input_special(seed, index, peak, f);
    default:
        return input_subnormal(bits, f);
    }
}

/* IEEE 754 and similar formats: the bits besides the significand are a sign and the exponent. */
INPUT_FN struct input_format input_format_of(int bytes, int significand)
{
    const int bias = (1 << (8 * bytes - significand - 1)) - 1;
    const struct input_format f = {significand, 2 - bias - significand,
                                   bias < 127 ? bias : bias - 40};
    return f;
}

INPUT_FN unsigned input_float_bits(float value)
{
#ifdef __CUDACC__
    return __float_as_uint(value);
#else
    union {
        float value;
        unsigned bits;
    } x = {value};
    return x.bits;
#endif
}

/* Returns the bits of a value that is exact in the type. NaN has the same bits on every device. */
INPUT_FN input_u64 input_encode(double value, int bytes, struct input_format f)
{
    const input_u64 bits = input_double_bits(value), size = bits & ~INPUT_SIGN;
    if (bytes == 8)
        return bits;
    if (bytes == 4 && value == value)
        return input_float_bits((float)value);
    const int fraction = f.significand - 1, width = 8 * bytes - 1;
    const input_u64 sign = bits >> 63 << width;
    const input_u64 infinity = (1ull << width) - (1ull << fraction);
    if (value != value)
        return infinity | 1ull << (fraction - 1);
    if (size == INPUT_INFINITY)
        return sign | infinity;
    if (size < (input_u64)(1023 + input_least(f)) << 52) /* subnormal */
        return sign | (input_u64)(input_double(size) * input_power(-f.lowest));
    return sign | ((size >> (52 - fraction)) - ((input_u64)(1022 + input_least(f)) << fraction));
}

#endif
