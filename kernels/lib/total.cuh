/*
 * The total of the parts of a warp, word by word instead of part by part. lanes_join() (rows.cuh) joins
 * two parts at each of its steps: five times the exchange of every word and a join, whose instructions
 * depend on each other. Here each word is reduced over all lanes at once:
 *
 *   max, argmax, …   one redux.sync of values as integers of the same order, and one of indices
 *   sums of 32-bit integers   one redux.sync
 *   mean_var         the counts (redux.sync), then the mean, then the squares about that mean
 *   logsumexp        the maximum (one redux.sync), then the sums scaled to it: one exponential per part
 *   others           as lanes_join()
 *
 * The order of float sums is fixed. The mean is one part's and a sum of the others' distances from it times
 * their share of all elements, which does not overflow where the sum of elements would.
 *
 * Measured beside lanes_join(), on an H200: docs/rows.md. redux.sync: sm_80 and newer.
 */
#ifndef REDSWEEP_KERNELS_TOTAL_CUH
#define REDSWEEP_KERNELS_TOTAL_CUH

#include "rows.cuh"

#if defined(TYPE_FLOAT32) || defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
#define FLOAT_VALUES 1
#else
#define FLOAT_VALUES 0
#endif
#if defined(TYPE_INT64) || defined(TYPE_UINT64) || defined(TYPE_FLOAT64)
#define SHORT_VALUES 0
#else
#define SHORT_VALUES 1 /* of 32 bits */
#endif
#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
#define INDEXED 1
#else
#define INDEXED 0
#endif
#if defined(OP_SUM) || defined(OP_SUMSQ) || defined(OP_NORM2) || defined(OP_DOT)
#define SUMS 1
#else
#define SUMS 0
#endif

/* ---- Extremes: integers of the same order -------------------------------------------------------- */

#if SHORT_VALUES && (INDEXED || defined(OP_MAX) || defined(OP_MIN) || defined(OP_LOGSUMEXP))
#define KEYS 1

/* Turns the order around, or not: the largest key is of the value that is wanted. */
static __device__ __forceinline__ unsigned key_turn(unsigned key)
{
#if defined(OP_MIN) || defined(OP_ARGMIN)
    return ~key;
#else
    return key;
#endif
}

/* A NaN has the largest key, which no other value has. */
static __device__ __forceinline__ unsigned key_of(value_t value)
{
#if FLOAT_VALUES
    int bits = __float_as_int(value);
    unsigned key = key_turn((unsigned)(bits ^ (bits >> 31 | (int)0x80000000)));
    return value != value ? ~0u : key;
#elif defined(TYPE_INT32) || defined(TYPE_INT8)
    return key_turn((unsigned)value ^ 0x80000000u);
#else
    return key_turn(value);
#endif
}

static __device__ __forceinline__ value_t value_of_key(unsigned key)
{
#if FLOAT_VALUES
    int bits = (int)key_turn(key);
    return __int_as_float(key == ~0u ? 0x7fffffff : bits ^ (~(bits >> 31) | (int)0x80000000));
#elif defined(TYPE_INT32) || defined(TYPE_INT8)
    return (value_t)(key_turn(key) ^ 0x80000000u);
#else
    return key_turn(key);
#endif
}
#else
#define KEYS 0
#endif

/* ---- One word of every lane ---------------------------------------------------------------------- */

/* Over neighbouring lanes, WIDTH (a power of two up to 32) of them; in all of them. */
template <unsigned WIDTH> static __device__ __forceinline__ value_t lanes_sum(value_t x)
{
#pragma unroll
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
        x += shuffle_xor(x, offset);
    return x;
}

/* ---- COUNT parts of every lane ------------------------------------------------------------------- */

/*
 * The total of COUNT parts of each lane of a warp, in all of the first WIDTH lanes (a power of two); the
 * other lanes' are parts of nothing. The whole warp calls it; `parts` do not stay as they were.
 */
template <unsigned COUNT, unsigned WIDTH>
static __device__ __forceinline__ row_part warp_total(row_part parts[COUNT])
{
#if INDEXED && KEYS
    unsigned keys[COUNT], best, index = ~0u;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        keys[k] = key_of(parts[k].value + (value_t)0); /* -0 + 0 is +0: they are equal */
        best = k == 0 || keys[k] > best ? keys[k] : best;
    }
    best = __reduce_max_sync(0xffffffff, best);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        if (keys[k] == best && parts[k].index < index)
            index = parts[k].index;
    row_part total;
    total.value = value_of_key(best);
    total.index = __reduce_min_sync(0xffffffff, index);
    return total;
#elif defined(OP_MEAN_VAR)
    row_part total;
    unsigned count = parts[0].count;
    value_t mean = 0, m2 = 0;
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        count += parts[k].count;
    total.count = __reduce_add_sync(0xffffffff, count);
    value_t share = (value_t)1 / (value_t)(total.count ? total.count : 1);
    value_t pivot = shuffle_xor(parts[0].mean, threadIdx.x % 32); /* lane 0's: equal means stay as they are */
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
#elif defined(OP_LOGSUMEXP)
    row_part total;
    value_t best = parts[0].max, sum = 0;
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = greater(best, parts[k].max);
#if KEYS
    total.max = value_of_key(__reduce_max_sync(0xffffffff, key_of(best)));
#else
#pragma unroll
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
        best = greater(best, shuffle_xor(best, offset));
    total.max = best;
#endif
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) /* infinity - infinity is no number */
        sum += parts[k].sum *
               exponential_of(parts[k].max == total.max ? (value_t)0 : parts[k].max - total.max);
    total.sum = lanes_sum<WIDTH>(sum);
    return total;
#else
#pragma unroll
    for (unsigned step = 1; step < COUNT; step *= 2) /* a tree: parts of equally many elements meet */
#pragma unroll
        for (unsigned k = 0; k + step < COUNT; k += 2 * step)
            parts[k] = join(parts[k], parts[k + step]);
#if KEYS && !INDEXED
    return value_of_key(__reduce_max_sync(0xffffffff, key_of(parts[0])));
#elif SUMS && SHORT_VALUES && !FLOAT_VALUES
    return (value_t)__reduce_add_sync(0xffffffff, (unsigned)parts[0]);
#else
    lanes_join<1, WIDTH>(parts);
    return parts[0];
#endif
#endif
}

#endif
