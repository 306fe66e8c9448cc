/*
 * Supports every element type and operation in kernels that combine elements in an accumulator.
 *
 *   accumulator a = identity();
 *   for (…)
 *       a = accumulate(a, input[i], i);    adds one more element; i is its index
 *   a = combine(a, b);                     combines two parts of the input
 *   output[0] = finish(a);                 computes the result
 *
 * accumulate(a, x, i) does the same as combine(a, lift(x, i)), often in fewer steps.
 *
 * A kernel with partial results stores accumulators; a kernel with a complete result stores finish() of the
 * total. Kernels that use these functions state `types: all` and `ops: all`. docs/kernels.md has the sizes of
 * accumulators, and the results for NaN, infinities, ties and empty inputs.
 *
 *   value_t (types.cuh)    is float for half types, int for int8, unsigned for uint8, otherwise element
 *   accumulator            is a value_t; for argmax, argmin, mean_var and logsumexp it is a structure
 *   result_t               is a value_t; for argmax and argmin an index; for mean_var a mean and a variance
 *
 * Kernels that reduce fewer than 2^32 elements at a time can keep a `partial` instead: an
 * accumulator whose index or count has 32 bits. nothing() is a partial of no elements, and
 * partial_of(x, y, i) is the partial of element i. combine() and finish() accept both kinds.
 * Folding several elements at once takes fewer steps than adding them one by one, and does not
 * round more often:
 *
 *   fold<COUNT>(x, y, first, stride, real)         folds COUNT packs of each vector. Pack k begins at element
 *                                                  `first` + k * `stride` of what is reduced; only operations
 *                                                  with an index use these two. Packs from number `real` on
 *                                                  hold fill_value(); only operations with a count use `real`
 *   fold_values<COUNT>(x, y, first, stride, real)  does the same for COUNT values of each vector
 *   append(&sum, next, share)                      adds `next`, a result of fold_values() whose elements all
 *                                                  come after those of `sum`. `share` is append_share() of
 *                                                  `sum` and of the number of elements in `next`
 *   partials_join<COUNT>(parts)                    combines COUNT partials of one thread
 *   words_total<COUNT, WIDTH>(parts)               computes a warp's total, for operations that have a faster
 *                                                  way than warp_total() in warp.cuh and set WORDS_TOTAL
 *
 * Each file included below has all the code of its operations; x and y belong to the first and the second
 * vector, and y is used only if VECTORS is 2. To add an operation, add a block to the file whose accumulator
 * it shares, or write a new file and include it here.
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
#define INDEXED 0 /* 1 if a partial has a 32-bit index */
#endif

#ifndef WORDS_TOTAL
#define WORDS_TOTAL 0
#endif

#ifndef COUNTED
/* 1 if a partial has a count; fold_counted<COUNT>(x, real) then folds the first `real` elements */
#define COUNTED 0
#endif

#ifndef HELD_WORDS
#define HELD_WORDS (sizeof(partial) / 4) /* words in a partial, without padding at its end */
#endif

/* 1 if accumulators have the type of the elements, so that a pack of elements can be combined as it is */
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

#ifndef PARTIALS_JOIN
/* Combines COUNT partials, in order. */
template <unsigned COUNT> static __device__ __forceinline__ partial partials_join(const partial parts[COUNT])
{
    partial total = parts[0];
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        total = combine(total, parts[k]);
    return total;
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

/* A part of the input from element `first` on, with the same part of the second vector. */
struct part {
    const element *x, *y;
    index_t first;
};

static __device__ __forceinline__ part part_from(const element *input, const element *second,
                                                   index_t first)
{
    return {input + first, second + first, first};
}

/* Returns element k of a part. */
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
