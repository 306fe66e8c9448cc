/* argmax and argmin keep a value and its index: the first NaN's if there is one, otherwise the first extreme's. */
#ifndef REDSWEEP_KERNELS_OP_INDEX_CUH
#define REDSWEEP_KERNELS_OP_INDEX_CUH

#include "common.cuh"
#include "lanes.cuh"

#define INDEXED 1
#define VECTORS 1
#if defined(OP_ARGMIN)
#define SEEKS_LEAST 1
#else
#define SEEKS_LEAST 0
#endif
#include "extreme.cuh"

struct accumulator {
    value_t value;
#if SHORT_VALUES
    /* Takes the place of padding. It has to be written, because it is copied. */
    unsigned unused;
#endif
    unsigned long long index;

    accumulator() = default;
    __device__ __forceinline__ accumulator(value_t v, unsigned long long i) : value(v), index(i)
    {
#if SHORT_VALUES
        unused = 0;
#endif
    }
};

struct partial {
    value_t value;
    unsigned index;
};

#define HELD_WORDS ((sizeof(value_t) + 4) / 4)

typedef long long result_t;

/* ---- Elements -------------------------------------------------------------------------------- */

static __device__ __forceinline__ accumulator identity()
{
    return {NO_EXTREME, ~0ull};
}

static __device__ __forceinline__ partial nothing()
{
    partial p;
    p.value = NO_EXTREME;
    p.index = ~0u;
    return p;
}

static __device__ __forceinline__ value_t fill_value()
{
    return NO_EXTREME;
}

/*
 * Few elements are more extreme than the accumulator, so a branch, which nvcc generates here, skips most of the
 * work. For partials, which come from other lanes, a separate variable makes nvcc use selects instead.
 */
template <class A> static __device__ __forceinline__ A combine(A a, A b)
{
    if (sizeof a.index == sizeof(accumulator::index))
        return beats(a.value, b.value) || (!beats(b.value, a.value) && a.index < b.index) ? a : b;
    bool first = beats(a.value, b.value) || (!beats(b.value, a.value) && a.index < b.index);
    return first ? a : b;
}

static __device__ __forceinline__ accumulator lift(element x, index_t i)
{
    return {convert(x), i};
}

static __device__ __forceinline__ accumulator accumulate(accumulator a, element x, index_t i)
{
    return combine(a, lift(x, i));
}

static __device__ __forceinline__ partial partial_of(value_t x, value_t, unsigned i)
{
    partial p = nothing();
    p.value = x;
    p.index = i;
    return p;
}

/* The index is -1 if there was no element, except for partials. */
template <class A> static __device__ __forceinline__ result_t finish(A a)
{
    return (result_t)a.index;
}

/* ---- Folds (operation.cuh) ------------------------------------------------------------------- */

/*
 * Returns whether this is the element sought: it equals the extreme of all elements, or it is NaN, in which
 * case so is the extreme. One expression covers both cases, because nvcc generated branches for a separate NaN
 * case.
 */
static __device__ __forceinline__ bool wanted(value_t x, value_t found)
{
    return (x == found) | (x != x);
}

/*
 * Finds the extreme, then the first pack that contains it, then its first occurrence in that pack.
 */
template <unsigned COUNT>
static __device__ __forceinline__ partial fold(const uint4 *x, const uint4 *, unsigned first,
                                               unsigned stride, unsigned = COUNT)
{
    value_t extremes[COUNT], values[PACK_WIDTH];
    partial r;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        extremes[k] = pack_extreme(x[k]);
        r.value = k == 0 ? extremes[0] : extreme(r.value, extremes[k]);
    }
    uint4 found = x[COUNT - 1];
    unsigned index = first + (COUNT - 1) * stride, place = PACK_WIDTH - 1;
#pragma unroll
    /* backwards, so that the first match wins */
    for (unsigned k = COUNT - 1; k-- > 0;)
        if (wanted(extremes[k], r.value)) {
            found = x[k];
            index = first + k * stride;
        }
    pack_values(found, values);
#pragma unroll
    for (unsigned j = PACK_WIDTH - 1; j-- > 0;)
        place = wanted(values[j], r.value) ? j : place;
    r.index = index + place;
    return r;
}

template <unsigned COUNT>
static __device__ __forceinline__ partial fold_values(const value_t x[COUNT], const value_t *,
                                                      unsigned first, unsigned stride, unsigned)
{
    partial r;
    unsigned at = COUNT - 1;
    r.value = x[0];
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        r.value = extreme(r.value, x[k]);
#pragma unroll
    /* backwards, so that the first match wins */
    for (unsigned k = COUNT - 1; k-- > 0;)
        at = wanted(x[k], r.value) ? k : at;
    r.index = first + at * stride;
    return r;
}

#define APPENDS 1
static __device__ __forceinline__ void append(partial *sum, const partial &next, value_t)
{
    if (beats(next.value, sum->value) || sum->index == ~0u)
        *sum = next;
}

/* ---- A warp's total (warp.cuh) --------------------------------------------------------------- */

/*
 * Uses one redux.sync for the values, mapped to integers in the same order, and one for the
 * indices.
 */
#if __CUDA_ARCH__ >= 800 && SHORT_VALUES
#define WORDS_TOTAL 1
template <unsigned COUNT, unsigned WIDTH>
static __device__ __forceinline__ partial words_total(partial parts[COUNT])
{
    unsigned keys[COUNT], best, index = ~0u;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        keys[k] = key_of(parts[k].value + (value_t)0); /* -0 + 0 is +0, so both zeros get the same key */
        best = k == 0 || keys[k] > best ? keys[k] : best;
    }
    best = __reduce_max_sync(0xffffffff, best);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        if (keys[k] == best && parts[k].index < index)
            index = parts[k].index;
    partial total;
    total.value = value_of_key(best);
    total.index = __reduce_min_sync(0xffffffff, index);
    return total;
}
#endif

#endif
