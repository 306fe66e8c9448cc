/* logsumexp keeps a running maximum, and the sum of exponentials relative to it. */
#ifndef REDSWEEP_KERNELS_OP_EXPONENTS_CUH
#define REDSWEEP_KERNELS_OP_EXPONENTS_CUH

#include "common.cuh"
#include "lanes.cuh"

#define VECTORS 1
#define SEEKS_LEAST 0
#include "extreme.cuh"

struct accumulator {
    value_t max, sum;
};

typedef accumulator partial;
typedef value_t result_t;

/*
 * Returns exp(x) for x ≤ 0 as 2^(x · log2 e). The error is at most 2 ulp plus the rounding of the
 * argument.
 */
static __device__ __forceinline__ value_t exponential_of(value_t x)
{
#if VALUE_FORMAT == FORMAT_FLOAT64
    return exp(x);
#else
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * 1.4426950408889634f));
    return power;
#endif
}

/* ---- Elements -------------------------------------------------------------------------------- */

static __device__ __forceinline__ accumulator identity()
{
    return {NO_EXTREME, 0};
}

static __device__ __forceinline__ partial nothing()
{
    return identity();
}

static __device__ __forceinline__ value_t fill_value()
{
    return NO_EXTREME;
}

/* One exponential is enough, because the sum with the larger maximum is not scaled. */
static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b)
{
    bool first = a.max > b.max || a.max != a.max;
    value_t large = first ? a.max : b.max, small = first ? b.max : a.max;
    value_t scale = exponential_of(large == small ? (value_t)0 : small - large);
    accumulator c = {large, first ? a.sum + b.sum * scale : b.sum + a.sum * scale};
    return c;
}

static __device__ __forceinline__ accumulator lift(element x, index_t)
{
    return {convert(x), 1};
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}

static __device__ __forceinline__ partial partial_of(value_t x, value_t, unsigned)
{
    return {x, 1};
}

static __device__ __forceinline__ result_t finish(accumulator a)
{
#if VALUE_FORMAT == FORMAT_FLOAT64
    return a.max + log(a.sum);
#else
    return a.max + logf(a.sum);
#endif
}

/*
 * ---- Folds (operation.cuh) find the maximum first, then add one exponential per element
 * -----------
 */

/* An infinite maximum is not subtracted, because infinity - infinity is NaN. */
static __device__ __forceinline__ value_t shift_of(value_t max)
{
    return max - max == 0 ? max : 0;
}

#if HALVES
/*
 * Computes 2^(x log2 e - max log2 e) with one fused multiply-add. Rounding max log2 e adds the same
 * error to each exponent, which the sum is corrected for. If the maximum is infinite, the sum is 0
 * or infinite, as it should be.
 */
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                               unsigned = COUNT)
{
    const float log2_e = 1.4426950408889634f;
    unsigned best = words_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = word_extreme(best, words_extreme(x[k]));
    float2 extremes = halves_convert(best);
    partial r;
    r.max = extreme(extremes.x, extremes.y);
    float finite = shift_of(r.max), shift = finite * log2_e;
    float rest = fmaf(finite, log2_e, -shift), sums[2] = {0, 0}, scale;
    EACH_WORD(k, j)
    {
        float2 both = halves_convert(word_of(x[k], j));
        float low, high;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(low) : "f"(fmaf(both.x, log2_e, -shift)));
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(high) : "f"(fmaf(both.y, log2_e, -shift)));
        sums[0] += low;
        sums[1] += high;
    }
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(scale) : "f"(-rest));
    r.sum = (sums[0] + sums[1]) * scale;
    return r;
}
#else
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                               unsigned = COUNT)
{
    value_t values[PACK_WIDTH];
    partial r;
    r.max = pack_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        r.max = extreme(r.max, pack_extreme(x[k]));
    value_t shift = shift_of(r.max);
    r.sum = 0;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++)
            r.sum += exponential_of(values[j] - shift);
    }
    /* The maximum is infinite: either all elements are -infinity, or some are +infinity. */
    if (shift != r.max && r.max == r.max) {
        r.sum = 0;
#pragma unroll
        for (unsigned k = 0; k < COUNT; k++) {
            pack_values(x[k], values);
#pragma unroll
            for (unsigned j = 0; j < PACK_WIDTH; j++)
                r.sum += values[j] == r.max;
        }
    }
    return r;
}
#endif

/* If the maximum is infinite, the sum is 0 or infinite. */
template <unsigned COUNT>
static __device__ __forceinline__ partial fold_values(const value_t x[COUNT], const value_t *, unsigned,
                                                      unsigned, unsigned)
{
    partial r;
    r.max = x[0];
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        r.max = extreme(r.max, x[k]);
    value_t shift = shift_of(r.max);
    r.sum = 0;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        r.sum += exponential_of(x[k] - shift);
    return r;
}

/* Combines the partials of one thread: finds the maximum, then scales each sum to it with one exponential. */
#define PARTIALS_JOIN 1
template <unsigned COUNT> static __device__ __forceinline__ partial partials_join(const partial parts[COUNT])
{
    partial total = {parts[0].max, 0};
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        total.max = extreme(total.max, parts[k].max);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) /* infinity - infinity is NaN */
        total.sum += parts[k].sum * exponential_of(parts[k].max == total.max ? (value_t)0 : parts[k].max - total.max);
    return total;
}

/* ---- A warp's total (warp.cuh) --------------------------------------------------------------- */

/*
 * Computes the maximum with one redux.sync, then scales each partial's sum to it with one
 * exponential.
 */
#if __CUDA_ARCH__ >= 800
#define WORDS_TOTAL 1
template <unsigned COUNT, unsigned WIDTH>
static __device__ __forceinline__ partial words_total(partial parts[COUNT])
{
    partial total;
    value_t best = parts[0].max, sum = 0;
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = extreme(best, parts[k].max);
#if SHORT_VALUES
    total.max = lanes_extreme(best);
#else
#pragma unroll
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
        best = extreme(best, shuffle_xor(best, offset));
    total.max = best;
#endif
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) /* infinity - infinity is NaN */
        sum += parts[k].sum *
               exponential_of(parts[k].max == total.max ? (value_t)0 : parts[k].max - total.max);
    total.sum = lanes_sum<WIDTH>(sum);
    return total;
}
#endif

#endif
