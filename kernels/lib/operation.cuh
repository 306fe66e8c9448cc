/*
 * Every element type and operation, for kernels that keep what they combine in an accumulator.
 *
 *   accumulator a = identity();
 *   for (…)
 *       a = accumulate(a, input[i], i);    one more element; i is its index
 *   a = combine(a, b);                     two parts of the input
 *   output[0] = finish(a);                 the result
 *
 * accumulate(a, x, i) is combine(a, lift(x, i)), or the same with fewer steps.
 *
 * A partial kernel stores accumulators, a complete one stores finish() of the last. A kernel that is
 * written so states `types: all` and `ops: all`; docs/kernels.md has the sizes and the answers for
 * NaN, infinities, ties and empty inputs.
 *
 *   value_t (common.cuh)   float for half types, int for int8, unsigned for uint8, else element
 *   accumulator            a value_t; with argmax, argmin, mean_var, logsumexp a structure
 *   result_t               a value_t; an index with argmax, argmin; a mean and variance
 */
#ifndef REDSWEEP_KERNELS_OPERATION_CUH
#define REDSWEEP_KERNELS_OPERATION_CUH

#include "common.cuh"

/* 1 where an accumulator is an element, so that packs of elements are packs of accumulators. */
#if !defined(TYPE_INT8) && !defined(TYPE_UINT8) && !defined(TYPE_FLOAT16) &&                       \
    !defined(TYPE_BFLOAT16) &&                                                                     \
    (defined(OP_SUM) || defined(OP_MAX) || defined(OP_MIN) || defined(OP_PROD))
#define PLAIN 1
#else
#define PLAIN 0
#endif

/* ---- Elements and values --------------------------------------------------------------------- */

static __device__ __forceinline__ value_t convert(element x)
{
#if defined(TYPE_FLOAT16)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
    return value;
#elif defined(TYPE_BFLOAT16)
    return __uint_as_float((unsigned)x.bits << 16); /* the upper half of a float */
#else
    return x;
#endif
}

/* The larger and the smaller one; NaN if one is. */
static __device__ __forceinline__ value_t greater(value_t a, value_t b)
{
#if __CUDA_ARCH__ >= 800 && (defined(TYPE_FLOAT32) || defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16))
    value_t c;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#else
    return a > b || a != a ? a : b;
#endif
}

static __device__ __forceinline__ value_t lesser(value_t a, value_t b)
{
#if __CUDA_ARCH__ >= 800 && (defined(TYPE_FLOAT32) || defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16))
    value_t c;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#else
    return a < b || a != a ? a : b;
#endif
}

/* A value of another lane; of a structure word by word. */
static __device__ __forceinline__ value_t shuffle_down(value_t value, unsigned offset)
{
    return __shfl_down_sync(0xffffffff, value, offset);
}

static __device__ __forceinline__ value_t shuffle_xor(value_t value, unsigned mask)
{
    return __shfl_xor_sync(0xffffffff, value, mask);
}

template <class T> union words_of {
    __device__ words_of() {}
    T value;
    unsigned words[sizeof(T) / 4];
};

template <class T> static __device__ __forceinline__ T shuffle_down(T value, unsigned offset)
{
    words_of<T> x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++)
        x.words[k] = __shfl_down_sync(0xffffffff, x.words[k], offset);
    return x.value;
}

template <class T> static __device__ __forceinline__ T shuffle_xor(T value, unsigned mask)
{
    words_of<T> x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++)
        x.words[k] = __shfl_xor_sync(0xffffffff, x.words[k], mask);
    return x.value;
}

/* ---- argmax, argmin: the first NaN if there is one, else the first extreme --------------------- */

#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
struct accumulator {
    value_t value;
#if !defined(TYPE_INT64) && !defined(TYPE_UINT64) && !defined(TYPE_FLOAT64)
    unsigned unused; /* instead of padding: it is copied, so it has to be written */
#endif
    unsigned long long index;

    accumulator() = default;
    __device__ __forceinline__ accumulator(value_t v, unsigned long long i) : value(v), index(i)
    {
#if !defined(TYPE_INT64) && !defined(TYPE_UINT64) && !defined(TYPE_FLOAT64)
        unused = 0;
#endif
    }
};
typedef long long result_t;

/* Whether x is a better result than y wherever they are. */
static __device__ __forceinline__ bool beats(value_t x, value_t y)
{
#if defined(OP_ARGMAX)
    return x > y || (x != x && y == y);
#else
    return x < y || (x != x && y == y);
#endif
}

static __device__ __forceinline__ accumulator identity()
{
#if defined(OP_ARGMAX)
    return {ELEMENT_LEAST, ~0ull};
#else
    return {ELEMENT_GREATEST, ~0ull};
#endif
}

static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b)
{
    return beats(a.value, b.value) || (!beats(b.value, a.value) && a.index < b.index) ? a : b;
}

static __device__ __forceinline__ accumulator lift(element x, index_t i)
{
    return {convert(x), i};
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}

static __device__ __forceinline__ result_t finish(accumulator a)
{
    return (long long)a.index; /* -1 where there was no element */
}

/*
 * ---- mean_var: Welford (1962) for an element, Chan, Golub and LeVeque (1979) for two parts -------
 */
#elif defined(OP_MEAN_VAR)
struct accumulator {
    value_t mean, m2; /* m2: the sum of the squared deviations from the mean */
    unsigned long long count;
};
struct result_t {
    value_t mean, variance;
};

static __device__ __forceinline__ accumulator identity()
{
    return {0, 0, 0};
}

static __device__ __forceinline__ accumulator lift(element x, index_t)
{
    return {convert(x), 0, 1};
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t)
{
    value_t delta = convert(x) - a.mean;
    a.count++;
    a.mean += delta / (value_t)a.count;
    a.m2 += delta * (convert(x) - a.mean);
    return a;
}

static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b)
{
    if (a.count == 0)
        return b;
    if (b.count == 0)
        return a;
    unsigned long long count = a.count + b.count;
    value_t delta = b.mean - a.mean, share = (value_t)b.count / (value_t)count;
    return {a.mean + delta * share, a.m2 + b.m2 + delta * delta * ((value_t)a.count * share),
            count};
}

/* The variance of one element is 0/0, as is the mean of none. */
static __device__ __forceinline__ result_t finish(accumulator a)
{
    value_t count = (value_t)a.count;
    if (a.count == 0)
        a.mean /= count;
    return {a.mean, a.count > 1 ? a.m2 / (count - 1) : (value_t)0 / ((value_t)0 * count)};
}

/* ---- logsumexp: a running maximum, and the sum of exponentials relative to it ------------------- */

#elif defined(OP_LOGSUMEXP)
struct accumulator {
    value_t max, sum;
};
typedef value_t result_t;

static __device__ __forceinline__ value_t exponential(value_t x)
{
#if defined(TYPE_FLOAT64)
    return exp(x);
#else
    return expf(x);
#endif
}

static __device__ __forceinline__ value_t logarithm(value_t x)
{
#if defined(TYPE_FLOAT64)
    return log(x);
#else
    return logf(x);
#endif
}

static __device__ __forceinline__ accumulator identity()
{
    return {ELEMENT_LEAST, 0};
}

/* exp(x - max), also where both are the same infinity. */
static __device__ __forceinline__ value_t scaled(value_t x, value_t max)
{
    return x == max ? (value_t)1 : exponential(x - max);
}

static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b)
{
    value_t max = greater(a.max, b.max);
    return {max, a.sum * scaled(a.max, max) + b.sum * scaled(b.max, max)};
}

static __device__ __forceinline__ accumulator lift(element x, index_t)
{
    return {convert(x), 1};
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}

static __device__ __forceinline__ result_t finish(accumulator a)
{
    return a.max + logarithm(a.sum);
}

/* ---- The others: a value, combined by common.cuh ------------------------------------------------ */

#else
typedef value_t accumulator;
typedef value_t result_t;

static __device__ __forceinline__ accumulator identity()
{
    return IDENTITY;
}

#if defined(OP_DOT)
static __device__ __forceinline__ accumulator lift(element x, element y)
{
    return convert(x) * convert(y);
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, element y)
{
    return combine(a, lift(x, y));
}
#else
static __device__ __forceinline__ accumulator lift(element x, index_t)
{
#if defined(OP_SUMSQ) || defined(OP_NORM2)
    return convert(x) * convert(x);
#else
    return convert(x);
#endif
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}
#endif

static __device__ __forceinline__ result_t finish(accumulator a)
{
#if defined(OP_NORM2) && defined(TYPE_FLOAT64)
    return sqrt(a);
#elif defined(OP_NORM2)
    return sqrtf(a);
#else
    return a;
#endif
}
#endif

/* ---- Elements of one vector, or of two ---------------------------------------------------------- */

static __device__ __forceinline__ accumulator accumulate_at(accumulator a, const element *input,
                                                            const element *second, index_t i)
{
#if defined(OP_DOT)
    return accumulate(a, input[i], second[i]);
#else
    return accumulate(a, input[i], i);
#endif
}

/* What begins at element `first`: a block's part of the input, and of the second vector. */
struct part {
    const element *x, *y;
    index_t first;
};

static __device__ __forceinline__ part part_from(const element *input, const element *second,
                                                 index_t first)
{
    return {input + first, second + first, first};
}

/* Element k of a part. */
static __device__ __forceinline__ accumulator lift_at(const part &p, index_t k)
{
#if defined(OP_DOT)
    return lift(p.x[k], p.y[k]);
#else
    return lift(p.x[k], p.first + k);
#endif
}

static __device__ __forceinline__ accumulator accumulate_at(accumulator a, const part &p, index_t k)
{
#if defined(OP_DOT)
    return accumulate(a, p.x[k], p.y[k]);
#else
    return accumulate(a, p.x[k], p.first + k);
#endif
}

#endif
