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
 * A partial kernel stores accumulators; a complete kernel stores the finish() of the total.
 * A kernel that uses these functions states `types: all` and `ops: all`; docs/kernels.md
 * has the sizes and the results for NaN, infinities, ties and empty inputs.
 *
 *   value_t (types.cuh)    float for half types, int for int8, unsigned for uint8, else element
 *   accumulator            a value_t; with argmax, argmin, mean_var, logsumexp a structure
 *   result_t               a value_t; an index with argmax, argmin; a mean and variance
 *
 * A kernel whose parts of the input have fewer than 2^32 elements may keep a `partial` instead:
 * an accumulator whose index or count has 32 bits. nothing() is a partial of no elements,
 * partial_of(x, y, i) that of element i; combine() and finish() take both kinds. Folding several
 * elements at once takes fewer steps than adding one after another, and rounds no more often:
 *
 *   fold<COUNT>(x, y, first, stride, real)         COUNT packs of each vector. Pack k begins at element
 *                                                  `first` + k * `stride` of what is reduced, which matters
 *                                                  for an index only. Packs from `real` on, which matters
 *                                                  for a count only, hold fill_value()
 *   fold_values<COUNT>(x, y, first, stride, real)  the same for COUNT values of each vector
 *   append(&sum, next, share)                      adds a result of fold_values() whose elements are all behind
 *                                                  those of `sum`; share: append_share() of both, which is the
 *                                                  same for sums of equally many elements
 *   words_total<COUNT, WIDTH>(parts)               a warp's total, if an operation has its own way
 *                                                  (WORDS_TOTAL): warp_total() in warp.cuh
 *
 * Each of these files has all the code of its operations; y is the second of VECTORS vectors. A
 * new operation is a block in the file that has its accumulator, or a new file that is named here.
 */
#ifndef REDSWEEP_KERNELS_OPERATION_CUH
#define REDSWEEP_KERNELS_OPERATION_CUH

#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
#include "op_index.cuh"
#elif defined(OP_MEAN_VAR)
#include "op_moments.cuh"
#elif defined(OP_LOGSUMEXP)
#include "op_exponents.cuh"
#else
#include "op_value.cuh"
#endif

#ifndef INDEXED
#define INDEXED 0 /* 1: a partial has an index, of 32 bits */
#endif

#ifndef WORDS_TOTAL
#define WORDS_TOTAL 0
#endif

#ifndef COUNTED
#define COUNTED 0 /* 1: a partial has a count; fold_counted<COUNT>(x, real) takes the first `real` elements */
#endif

#ifndef HELD_WORDS
#define HELD_WORDS (sizeof(partial) / 4) /* of a partial, without padding at its end */
#endif

/* 1 where an accumulator is an element, so that packs of elements are packs of accumulators. */
#if ELEMENT_IS_VALUE && (defined(OP_SUM) || defined(OP_MAX) || defined(OP_MIN) || defined(OP_PROD))
#define PLAIN 1
#else
#define PLAIN 0
#endif

#ifndef APPEND_SHARES
static __device__ __forceinline__ value_t append_share(const partial &, unsigned)
{
    return 0;
}
#endif

#ifndef APPENDS
static __device__ __forceinline__ void append(partial *sum, const partial &next, value_t)
{
    *sum = combine(*sum, next);
}
#endif

/* ---- Elements of one vector, or of two ---------------------------------------------------------- */

static __device__ __forceinline__ accumulator accumulate_at(accumulator a, const element *input,
                                                            const element *second, index_t i)
{
#if VECTORS == 2
    return accumulate(a, input[i], second[i]);
#else
    return accumulate(a, input[i], i);
#endif
}

/* A part of the input that begins at element `first`, and the same part of the second vector. */
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
#if VECTORS == 2
    return lift(p.x[k], p.y[k]);
#else
    return lift(p.x[k], p.first + k);
#endif
}

static __device__ __forceinline__ accumulator accumulate_at(accumulator a, const part &p, index_t k)
{
#if VECTORS == 2
    return accumulate(a, p.x[k], p.y[k]);
#else
    return accumulate(a, p.x[k], p.first + k);
#endif
}

#endif
