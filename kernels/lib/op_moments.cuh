/*
 * mean_var keeps the mean, the sum of squared deviations from it, and the count. Adding an element
 * follows Welford (1962), and combining two parts of the input Chan, Golub and LeVeque (1979).
 */
#ifndef REDSWEEP_KERNELS_OP_MOMENTS_CUH
#define REDSWEEP_KERNELS_OP_MOMENTS_CUH

#include "common.cuh"
#include "lanes.cuh"
#include "pack.cuh"

#define COUNTED 1
#define VECTORS 1

struct accumulator {
    value_t mean, m2; /* m2: sum of squared deviations from the mean */
    unsigned long long count;
};

struct partial {
    value_t mean, m2;
    unsigned count;
};

#define HELD_WORDS ((2 * sizeof(value_t) + 4) / 4)

struct result_t {
    value_t mean, variance;
};

/* ---- Elements -------------------------------------------------------------------------------- */

static __device__ __forceinline__ accumulator identity()
{
    return {0, 0, 0};
}

static __device__ __forceinline__ partial nothing()
{
    return {0, 0, 0};
}

static __device__ __forceinline__ value_t fill_value()
{
    return 0;
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

static __device__ __forceinline__ partial partial_of(value_t x, value_t, unsigned)
{
    return {x, 0, 1};
}

/*
 * Often one of the accumulators is empty, in lanes beyond a block's last warp and at the start of a
 * loop. A branch then skips the division. Partials nearly always have equal counts, which need no
 * division either.
 */
template <class A> static __device__ __forceinline__ A combine(A a, A b)
{
    A c;
    if (sizeof a.count == sizeof(accumulator::count)) {
        if (a.count == 0)
            return b;
        if (b.count == 0)
            return a;
        c.count = a.count + b.count;
        value_t delta = b.mean - a.mean, share = (value_t)b.count / (value_t)c.count;
        c.mean = a.mean + delta * share;
        c.m2 = a.m2 + b.m2 + delta * delta * ((value_t)a.count * share);
        return c;
    }
    value_t delta = b.mean - a.mean;
    c.count = a.count + b.count;
    if (a.count == b.count) {
        c.mean = a.mean + delta * (value_t)0.5;
        c.m2 = a.m2 + b.m2 + delta * delta * ((value_t)a.count * (value_t)0.5);
        return c;
    }
    value_t share = (value_t)b.count / (value_t)c.count;
    c.mean = a.mean + delta * share;
    c.m2 = a.m2 + b.m2 + delta * delta * ((value_t)a.count * share);
    return a.count == 0 ? b : b.count == 0 ? a : c;
}

/* The variance of one element is 0/0, and so is the mean of no elements. */
static __device__ __forceinline__ result_t finish(accumulator a)
{
    value_t count = (value_t)a.count;
    if (a.count == 0)
        a.mean /= count;
    return {a.mean, a.count > 1 ? a.m2 / (count - 1) : (value_t)0 / ((value_t)0 * count)};
}

static __device__ __forceinline__ result_t finish(partial p)
{
    accumulator a = {p.mean, p.m2, p.count};
    return finish(a);
}

/* ---- Folds (operation.cuh) ------------------------------------------------------------------- */

/* Computes the mean first, then the deviations. Packs from number `real` on hold zeros. */
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                               unsigned real = COUNT)
{
    value_t sums[2] = {0, 0}, squares[2] = {0, 0}, values[PACK_WIDTH];
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++)
            sums[j % 2] += values[j];
    }
    partial r;
    r.count = real * PACK_WIDTH;
    /* the reciprocal is a constant */
    r.mean = (sums[0] + sums[1]) * ((value_t)1 / (value_t)(COUNT * PACK_WIDTH));
    if (real != COUNT)
        r.mean = (sums[0] + sums[1]) / (value_t)r.count;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++) {
            value_t delta = values[j] - r.mean;
            if (k < real)
                squares[j % 2] += delta * delta;
        }
    }
    r.m2 = squares[0] + squares[1];
    return r;
}

/* Like fold(), but only the first `real` elements exist; the others are 0. */
template <unsigned COUNT>
static __device__ __forceinline__ partial fold_counted(const uint4 *x, unsigned real)
{
    value_t sums[2] = {0, 0}, squares[2] = {0, 0}, values[PACK_WIDTH];
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++)
            sums[j % 2] += values[j];
    }
    partial r;
    r.count = real;
    r.mean = (sums[0] + sums[1]) / (value_t)real;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_WIDTH; j++) {
            value_t delta = values[j] - r.mean;
            if (k * PACK_WIDTH + j < real)
                squares[j % 2] += delta * delta;
        }
    }
    r.m2 = squares[0] + squares[1];
    return r;
}

template <unsigned COUNT>
static __device__ __forceinline__ partial fold_values(const value_t x[COUNT], const value_t *, unsigned,
                                                      unsigned, unsigned real)
{
    value_t sums[2] = {0, 0}, squares[2] = {0, 0};
    partial r;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        sums[k % 2] += x[k];
    r.count = real;
    r.mean = (sums[0] + sums[1]) * ((value_t)1 / (value_t)COUNT);
    if (real != COUNT)
        r.mean = (sums[0] + sums[1]) / (value_t)real;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        value_t delta = x[k] - r.mean;
        if (k < real)
            squares[k % 2] += delta * delta;
    }
    r.m2 = squares[0] + squares[1];
    return r;
}

#define APPENDS 1
#define APPEND_SHARES 1
static __device__ __forceinline__ value_t append_share(const partial &sum, unsigned more)
{
    return (value_t)more / (value_t)(sum.count + more);
}

static __device__ __forceinline__ void append(partial *sum, const partial &next, value_t share)
{
    value_t delta = next.mean - sum->mean;
    sum->mean += delta * share;
    sum->m2 += next.m2 + delta * delta * ((value_t)sum->count * share);
    sum->count += next.count;
}

/*
 * Combines the partials of one thread with a single division, in the same way as words_total() below combines those
 * of a warp. The pivot is the mean of the first partial that has elements.
 */
#define PARTIALS_JOIN 1
template <unsigned COUNT> static __device__ __forceinline__ partial partials_join(const partial parts[COUNT])
{
    partial total = {0, 0, 0};
    value_t pivot = 0, mean = 0;
#pragma unroll
    for (unsigned k = COUNT; k-- > 0;) {
        total.count += parts[k].count;
        pivot = parts[k].count ? parts[k].mean : pivot;
    }
    value_t share = (value_t)1 / (value_t)(total.count ? total.count : 1);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        if (parts[k].count)
            mean += (parts[k].mean - pivot) * ((value_t)parts[k].count * share);
    total.mean = pivot + mean;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        value_t delta = parts[k].mean - total.mean;
        if (parts[k].count)
            total.m2 += parts[k].m2 + delta * delta * (value_t)parts[k].count;
    }
    return total;
}

/* ---- A warp's total (warp.cuh) --------------------------------------------------------------- */

/*
 * Computes the total count with redux.sync, then the mean, then the sum of squared deviations from
 * it. The mean is one partial's mean plus the other partials' differences from it, each weighted by
 * that partial's share of the elements. This cannot overflow, even if the sum of the elements
 * would.
 */
#if __CUDA_ARCH__ >= 800
#define WORDS_TOTAL 1
template <unsigned COUNT, unsigned WIDTH>
static __device__ __forceinline__ partial words_total(partial parts[COUNT])
{
    partial total;
    unsigned count = parts[0].count;
    value_t mean = 0, m2 = 0;
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        count += parts[k].count;
    total.count = __reduce_add_sync(0xffffffff, count);
    value_t share = (value_t)1 / (value_t)(total.count ? total.count : 1);
    /* All lanes take the mean of lane 0 as the pivot. If all means are equal, the result is exactly that mean. */
    value_t pivot = shuffle_xor(parts[0].mean, threadIdx.x % 32);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        mean += (parts[k].mean - pivot) * ((value_t)parts[k].count * share);
    total.mean = pivot + lanes_sum<WIDTH>(mean);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        value_t delta = parts[k].mean - total.mean;
        m2 += parts[k].m2 + delta * delta * (value_t)parts[k].count;
    }
    total.m2 = lanes_sum<WIDTH>(m2);
    return total;
}
#endif

#endif
