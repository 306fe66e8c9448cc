/*
 * Operations that keep one value: sum, max, min, prod, sumsq, norm2 and dot. To add one that
 * combines like any of these, add a block below and a row in harness/base/element.def.
 *
 *   lifted(x, y)     returns what an element contributes, or a pair of elements if VECTORS is 2
 *   finish(a)        returns the result
 *   COMBINES         SUMS, EXTREMES or PRODUCTS: what combine() does; common.cuh defines combine()
 *                    for sum, max, min and prod
 *   SEEKS_LEAST      which of the EXTREMES is sought (extreme.cuh)
 *   ADDS_PRODUCTS    1 if lifted(x, y) is x * y and combine() adds
 */
#ifndef REDSWEEP_KERNELS_OP_VALUE_CUH
#define REDSWEEP_KERNELS_OP_VALUE_CUH

#include "common.cuh"
#include "lanes.cuh"

#define SUMS 1
#define EXTREMES 2
#define PRODUCTS 3

typedef value_t accumulator;
typedef value_t partial;
typedef value_t result_t;

#if defined(OP_SUMSQ) || defined(OP_NORM2)
#define COMBINES SUMS
#define ADDS_PRODUCTS 1
static __device__ __forceinline__ value_t lifted(value_t x, value_t)
{
    return x * x;
}
#elif defined(OP_DOT)
#define COMBINES SUMS
#define ADDS_PRODUCTS 1
#define VECTORS 2
static __device__ __forceinline__ value_t lifted(value_t x, value_t y)
{
    return x * y;
}
#else
#if defined(OP_MAX)
#define COMBINES EXTREMES
#define SEEKS_LEAST 0
#elif defined(OP_MIN)
#define COMBINES EXTREMES
#define SEEKS_LEAST 1
#elif defined(OP_PROD)
#define COMBINES PRODUCTS
#else
#define COMBINES SUMS
#endif
static __device__ __forceinline__ value_t lifted(value_t x, value_t)
{
    return x;
}
#endif

static __device__ __forceinline__ result_t finish(accumulator a)
{
#if defined(OP_NORM2) && VALUE_FORMAT == FORMAT_FLOAT64
    return sqrt(a);
#elif defined(OP_NORM2)
    return sqrtf(a);
#else
    return a;
#endif
}

#ifndef VECTORS
#define VECTORS 1
#endif

#include "extreme.cuh"

#ifndef IDENTITY /* operations that common.cuh does not define are sums */
#define IDENTITY ((value_t)0)
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a + b;
}
#endif

/* ---- Elements -------------------------------------------------------------------------------- */

static __device__ __forceinline__ accumulator identity()
{
    return IDENTITY;
}

static __device__ __forceinline__ partial nothing()
{
    return IDENTITY;
}

/* Returns the value used for elements beyond the end, which does not change the result. */
static __device__ __forceinline__ value_t fill_value()
{
    return IDENTITY;
}

#if VECTORS == 2
static __device__ __forceinline__ accumulator lift(element x, element y)
{
    return lifted(convert(x), convert(y));
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, element y)
{
    return combine(a, lift(x, y));
}
#else
static __device__ __forceinline__ accumulator lift(element x, index_t)
{
    return lifted(convert(x), convert(x));
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}
#endif

static __device__ __forceinline__ partial partial_of(value_t x, value_t y, unsigned)
{
    return lifted(x, y);
}

/* ---- Folds (operation.cuh) ------------------------------------------------------------------- */

#if HALVES && COMBINES == EXTREMES
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                               unsigned = COUNT)
{
    unsigned best = words_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = word_extreme(best, words_extreme(x[k]));
    float2 both = halves_convert(best);
    return combine(both.x, both.y);
}
#elif HALVES
/* Adds one more element, or one of each vector. Products of halves are exact in float. */
static __device__ __forceinline__ float half_step(float total, float x, float y)
{
#ifdef ADDS_PRODUCTS
    return fmaf(x, y, total);
#else
    return combine(total, lifted(x, y));
#endif
}

template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *y, unsigned, unsigned,
                                               unsigned = COUNT)
{
    float low = IDENTITY, high = IDENTITY;
    EACH_WORD(k, j)
    {
        float2 a = halves_convert(word_of(x[k], j)), b = VECTORS == 2 ? halves_convert(word_of(y[k], j)) : a;
        low = half_step(low, a.x, b.x);
        high = half_step(high, a.y, b.y);
    }
    return combine(low, high);
}
#else
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *y, unsigned, unsigned,
                                               unsigned = COUNT)
{
    partial total = nothing();
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack a = pack_of(x[k]), b = VECTORS == 2 ? pack_of(y[VECTORS == 2 ? k : 0]) : a;
        partial each[PACK_WIDTH > 1 ? PACK_WIDTH : 2];
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++)
            each[j] = lifted(convert(a.e[j]), convert(b.e[j]));
#pragma unroll
        for (unsigned half = PACK_WIDTH / 2; half > 0; half /= 2)
#pragma unroll
            for (unsigned j = 0; j < PACK_WIDTH / 2; j++)
                if (j < half)
                    each[j] = combine(each[2 * j], each[2 * j + 1]);
        total = k == 0 ? each[0] : combine(total, each[0]);
    }
    return total;
}
#endif

template <unsigned COUNT>
static __device__ __forceinline__ partial fold_values(const value_t x[COUNT], const value_t y[COUNT],
                                                      unsigned, unsigned, unsigned)
{
    partial total = nothing();
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        total = k ? combine(total, lifted(x[k], y[k])) : lifted(x[k], y[k]);
    return total;
}

/* ---- A warp's total (warp.cuh) --------------------------------------------------------------- */

/*
 * Uses one redux.sync, for values mapped to integers in the same order or for sums of 32-bit
 * integers.
 */
#if __CUDA_ARCH__ >= 800 && SHORT_VALUES && (COMBINES == EXTREMES || (COMBINES == SUMS && !FLOAT_VALUES))
#define WORDS_TOTAL 1
template <unsigned COUNT, unsigned WIDTH>
static __device__ __forceinline__ partial words_total(partial parts[COUNT])
{
#pragma unroll
    /* Combines the partials as a tree, always two with the same number of elements. */
    for (unsigned step = 1; step < COUNT; step *= 2)
#pragma unroll
        for (unsigned k = 0; k + step < COUNT; k += 2 * step)
            parts[k] = combine(parts[k], parts[k + step]);
#if COMBINES == EXTREMES
    return lanes_extreme(parts[0]);
#else
    return __reduce_add_sync(0xffffffff, parts[0]);
#endif
}
#endif

#endif
