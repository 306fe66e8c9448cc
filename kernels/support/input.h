/*
 * Input values as a function of (seed, index): nothing is stored, any part can be made again.
 *
 * The same text is compiled by the C compiler (reference, simulator) and by NVRTC (GPU), so it
 * keeps to what both understand. Integer arithmetic and exact conversions only: every compiler
 * gives the same bits.
 *
 *   sum   integers: all bits random; floats: multiples of 2^-24 (2^-53) in (0, 1]
 *   max   as sum, kept below one peak that sits near the end of the input for every other seed
 *   min   the same with one trough
 *   prod  integers: odd, so that no product is ever 0 and every factor counts;
 *         floats: ±1/2, ±1 or ±2, so that products are exact in any order; the exponents
 *         telescope (see input_factor)
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

/* The numbering is that of enum operation. */
#define INPUT_SUM 0
#define INPUT_MAX 1
#define INPUT_MIN 2
#define INPUT_PROD 3

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable generators, OOPSLA 2014). */
INPUT_FN input_u64 input_bits(input_u64 seed, input_u64 index)
{
    input_u64 x = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/*
 * Where the peak (or trough) sits: for odd seeds among the last 64 elements, where a forgotten
 * tail shows; for even seeds anywhere.
 */
INPUT_FN input_u64 input_peak(input_u64 seed, input_u64 n)
{
    input_u64 bits = input_bits(seed ^ 0x5eedull, n);
    input_u64 tail = n < 64 ? n : 64;
    return (seed & 1) ? n - 1 - bits % tail : bits % n;
}

/* A random bit per run of indices: of 1 below 128, beyond that 64 runs for each power of two. */
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
 * A factor of a float product: the exponent h(i) − h(i+1) for a random bit h per run of indices,
 * and a random sign, mostly a minus where the exponent is 0. The product of any run of neighbours
 * is then ±1/2, ±1 or ±2. Below 2^30 fewer than 1000 factors have an exponent, so that no subset of
 * them in whatever order (strided ones, as threads and halves see them) leaves a float's range: 127
 * are more than 5 standard deviations. (Factors near 1 would not do: ties round one way there, and
 * the bias of 2^20 products exceeds the effect of a factor.)
 */
INPUT_FN double input_factor(input_u64 seed, input_u64 index)
{
    input_u64 bits = input_bits(seed, index);
    int exponent = (int)input_run_bit(seed, index) - (int)input_run_bit(seed, index + 1);
    double size = exponent > 0 ? 2.0 : exponent < 0 ? 0.5 : 1.0;
    input_u64 minus = exponent == 0 && (index < 128 || (bits & 6)) ? 1 : bits >> 3 & 1;
    return minus ? -size : size;
}

/* `peak` is input_peak(seed, n), computed once by the caller. */
INPUT_FN unsigned input_uint32(input_u64 seed, input_u64 index, int op, input_u64 peak)
{
    unsigned bits = (unsigned)(input_bits(seed, index) >> 32);
    if (op == INPUT_PROD)
        return bits | 1u;
    if (op == INPUT_MAX)
        return index == peak ? 0xff000000u : bits >> 1;
    if (op == INPUT_MIN)
        return index == peak ? 0x0000000fu : (bits >> 1) | 0x80000000u;
    return bits;
}

INPUT_FN int input_int32(input_u64 seed, input_u64 index, int op, input_u64 peak)
{
    unsigned bits = (unsigned)(input_bits(seed, index) >> 32);
    if (op == INPUT_PROD)
        return (int)(bits | 1u);
    if (op == INPUT_MAX) /* from -2^30 to 2^30, the peak above them */
        return index == peak ? 0x7f000000 : (int)(bits >> 1) - 0x40000000;
    if (op == INPUT_MIN)
        return index == peak ? -0x7f000000 : (int)(bits >> 1) - 0x40000000;
    return (int)bits;
}

INPUT_FN long long input_int64(input_u64 seed, input_u64 index, int op, input_u64 peak)
{
    input_u64 bits = input_bits(seed, index);
    if (op == INPUT_PROD)
        return (long long)(bits | 1u);
    if (op == INPUT_MAX)
        return index == peak ? 0x7f00000000000000ll : (long long)(bits >> 1) - (1ll << 62);
    if (op == INPUT_MIN)
        return index == peak ? -0x7f00000000000000ll : (long long)(bits >> 1) - (1ll << 62);
    return (long long)bits;
}

INPUT_FN double input_float64(input_u64 seed, input_u64 index, int op, input_u64 peak)
{
    if (op == INPUT_PROD)
        return input_factor(seed, index);
    input_u64 bits = input_bits(seed, index);
    double unit = (double)((bits >> 11) + 1) * (1.0 / 9007199254740992.0); /* 2^-53 */
    if (op == INPUT_MAX)
        return index == peak ? 2.0 : unit - 0.5;
    if (op == INPUT_MIN)
        return index == peak ? -2.0 : unit - 0.5;
    return unit;
}

INPUT_FN float input_float32(input_u64 seed, input_u64 index, int op, input_u64 peak)
{
    if (op == INPUT_PROD)
        return (float)input_factor(seed, index);
    input_u64 bits = input_bits(seed, index);
    double unit = (double)((bits >> 40) + 1) * (1.0 / 16777216.0); /* 2^-24 */
    if (op == INPUT_MAX)
        return index == peak ? 2.0f : (float)(unit - 0.5);
    if (op == INPUT_MIN)
        return index == peak ? -2.0f : (float)(unit - 0.5);
    return (float)unit;
}

#endif
