/*
 * Input values are a function of (seed, index). Nothing is stored, and any part of an input can be
 * regenerated.
 *
 * This file is compiled by the C compiler (for the reference and the simulator) and by NVRTC (for the GPU). It
 * uses only integer arithmetic and exact conversions, so all compilers produce the same bits.
 *
 *   terms      for sums. Integers are random bits. Floats are multiples of 2^-24 (float64: 2^-53; half
 *              types: 2^-11, 2^-8) in (0, 1]
 *   peak       for extremes: like terms, but with one peak above all other elements. The peak is near the
 *              end of the input for every other seed
 *   trough     the same as peak, but with one trough below all other elements
 *   peaks,     for indices of extremes: like peak and trough, but a quarter of the elements after the first
 *   troughs    extreme are just as high, or low
 *   exponents  for log-sum-exp: multiples of 2^-20 (float64: 2^-49; half types: 2^-7, 2^-4) in (-8, 8], and a
 *              peak of 10
 *   factors    for products. Integers are odd, so that no product is ever 0 and every factor counts. Floats are
 *              ±1/2, ±1 or ±2, so that products are exact in any order; their exponents telescope (see
 *              input_factor)
 */
#ifndef REDSWEEP_KERNELS_SUPPORT_INPUT_H
#define REDSWEEP_KERNELS_SUPPORT_INPUT_H

#ifdef __CUDACC__
#define INPUT_FN static __device__ __forceinline__
#else
#include <stdint.h>
#define INPUT_FN static inline
#endif

typedef unsigned long long input_u64;

/* What the values are for; see input_values(). */
#define INPUT_TERMS 0
#define INPUT_PEAK 1
#define INPUT_TROUGH 2
#define INPUT_FACTORS 3
#define INPUT_PEAKS 4
#define INPUT_TROUGHS 5
#define INPUT_EXPONENTS 6

#define INPUT_HAS_PEAK(values) ((values) == INPUT_PEAK || (values) == INPUT_PEAKS)
#define INPUT_HAS_TROUGH(values) ((values) == INPUT_TROUGH || (values) == INPUT_TROUGHS)

/*
 * Returns a random number for `index`. This is the finalizer of splitmix64 (Steele, Lea, Flood:
 * Fast splittable generators, OOPSLA 2014).
 */
INPUT_FN input_u64 input_bits(input_u64 seed, input_u64 index)
{
    input_u64 x = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/*
 * Returns the place of the peak (or trough). For odd seeds it is among the last 64 elements, so
 * that the check catches a kernel that forgets the last elements. For even seeds, it can be
 * anywhere.
 */
INPUT_FN input_u64 input_peak(input_u64 seed, input_u64 n)
{
    input_u64 bits = input_bits(seed ^ 0x5eedull, n);
    input_u64 tail = n < 64 ? n : 64;
    return (seed & 1) ? n - 1 - bits % tail : bits % n;
}

/*
 * Returns a random bit for the run of indices that contains `index`. Below 128, each index is a run
 * of its own. Beyond, there are 64 runs from each power of two to the next.
 */
INPUT_FN input_u64 input_run_bit(input_u64 seed, input_u64 index)
{
#ifdef __CUDACC__
    int shift = index < 128 ? 0 : 57 - __clzll((long long)index);
#else
    int shift = index < 128 ? 0 : 57 - __builtin_clzll(index);
#endif
    return input_bits(seed, index >> shift << shift) & 1;
}

/*
 * Returns factor i = `index` of a float product. Its exponent is h(i) − h(i+1), where h(i) is the
 * random bit of the run that contains i. Its sign is random, and mostly negative if the exponent is
 * 0. The product of any consecutive factors is therefore ±1/2, ±1 or ±2. Among the first 2^30
 * factors, fewer than 1000 have a nonzero exponent. Products of other subsets, such as every second
 * factor, therefore stay in the range of a float: an exponent of 127 would be more than 5 standard
 * deviations away. (Factors near 1 would not work: their products round ties in one direction, and
 * over 2^20 products, this bias exceeds the effect of one factor.)
 */
INPUT_FN double input_factor(input_u64 seed, input_u64 index)
{
    input_u64 bits = input_bits(seed, index);
    int exponent = (int)input_run_bit(seed, index) - (int)input_run_bit(seed, index + 1);
    double size = exponent > 0 ? 2.0 : exponent < 0 ? 0.5 : 1.0;
    input_u64 minus = exponent == 0 && (index < 128 || (bits & 6)) ? 1 : bits >> 3 & 1;
    return minus ? -size : size;
}

/*
 * Returns whether this element is a peak (or trough). `peak` is input_peak(seed, n), which the
 * caller computes once. For argmax and argmin, there are more peaks after the first one, and
 * kernels must pick the first one.
 */
INPUT_FN int input_at_peak(input_u64 bits, input_u64 index, int values, input_u64 peak)
{
    return index == peak ||
           ((values == INPUT_PEAKS || values == INPUT_TROUGHS) && index > peak && (bits & 3) == 0);
}

/*
 * Returns an integer of `width` bits, at most 64, in the lower bits of the result. If there is a
 * peak or trough, all other elements are far from it: unsigned elements are in one half of their
 * range, and signed ones in its middle half.
 */
INPUT_FN input_u64 input_integer(input_u64 seed, input_u64 index, int values, input_u64 peak,
                                 int width, int is_signed)
{
    const input_u64 all = input_bits(seed, index), bits = all >> (64 - width);
    const input_u64 half = 1ull << (width - 1), low = width - 8, is_byte = width == 8;
    const int extreme = input_at_peak(all, index, values, peak);
    if (values == INPUT_FACTORS)
        return (bits | 1u) ^ (is_signed && is_byte ? half : 0);
    if (INPUT_HAS_PEAK(values) && extreme)
        return ((is_signed ? 0x7full : 0xffull) << low) - is_byte;
    if (INPUT_HAS_TROUGH(values) && extreme && is_signed)
        return is_byte - (0x7full << low);
    if (INPUT_HAS_TROUGH(values) && extreme)
        return values == INPUT_TROUGH ? 15 : 15ull << low;
    if (INPUT_HAS_PEAK(values) || INPUT_HAS_TROUGH(values))
        return is_signed ? (bits >> 1) - half / 2
                         : (bits >> 1) | (INPUT_HAS_TROUGH(values) ? half : 0);
    return bits ^ (is_signed && is_byte ? half : 0);
}

/* Returns a value that is exact in any type with a `significand`-bit significand. */
INPUT_FN double input_real(input_u64 seed, input_u64 index, int values, input_u64 peak,
                           int significand)
{
    if (values == INPUT_FACTORS)
        return input_factor(seed, index);
    input_u64 bits = input_bits(seed, index);
    double unit =
        (double)((bits >> (64 - significand)) + 1) * (1.0 / (double)(1ull << significand));
    if (INPUT_HAS_PEAK(values))
        return input_at_peak(bits, index, values, peak) ? 2.0 : unit - 0.5;
    if (INPUT_HAS_TROUGH(values))
        return input_at_peak(bits, index, values, peak) ? -2.0 : unit - 0.5;
    if (values == INPUT_EXPONENTS)
        return index == peak ? 10.0 : unit * 16 - 8;
    return unit;
}

#include "support/input_kinds.h"

/*
 * Returns the bits of element `index`: an integer, or a float with a `significand`-bit significand. Kinds other
 * than INPUT_UNIFORM are for floats only. `peak` is input_peak(seed, n).
 */
INPUT_FN input_u64 input_element(int bytes, int is_signed, int significand, int kind, int values,
                                 input_u64 seed, input_u64 index, input_u64 peak)
{
    if (significand == 0)
        return input_integer(seed, index, values, peak, 8 * bytes, is_signed);
    const struct input_format f = input_format_of(bytes, significand);
    return input_encode(kind == INPUT_UNIFORM ? input_real(seed, index, values, peak, significand)
                                              : input_of_kind(kind, seed, index, peak, f),
                        bytes, f);
}

#endif
