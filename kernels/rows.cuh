/*
 * What the kernels by rows share: every type and operation, from packs of 16 bytes in registers to
 * one result per row. The input is `rows` rows of `row_length` elements, one after the other; element
 * i of the output is the reduction of row i.
 *
 * Several packs are folded at once, which takes fewer steps than one element after another: for an
 * index the extreme first, then its first place; for a variance the mean first, then the deviations;
 * for log-sum-exp the maximum first, then one exponential per element. Nothing is rounded more often
 * than by operation.cuh's accumulate().
 *
 * A kernel that includes this defines the tunable POLICY. Everything is in a fixed order: a float
 * result depends on the row and the launch shape only.
 */
#ifndef REDSWEEP_KERNELS_ROWS_CUH
#define REDSWEEP_KERNELS_ROWS_CUH

#include "operation.cuh"

static const unsigned PACK_ELEMENTS = 16 / sizeof(element);

struct alignas(16) row_pack {
    element e[16 / sizeof(element)];
};

/* POLICY 0: as the compiler does it; 1: read-only path, does not allocate in L1. */
static __device__ __forceinline__ row_pack row_load(const row_pack *at)
{
#if POLICY == 0
    return *at;
#else
    union {
        uint4 words;
        row_pack elements;
    } x;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.words.x), "=r"(x.words.y), "=r"(x.words.z), "=r"(x.words.w)
                 : "l"(at));
    return x.elements;
#endif
}

/* ---- What is kept of a part of a row ------------------------------------------------------------ */

/* An index and a count have 32 bits here, in operation.cuh's accumulators 64. */
#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
struct row_part {
    value_t value;
    unsigned index;
};

static __device__ __forceinline__ row_part part_of_none()
{
    row_part p;
    p.value = identity().value;
    p.index = ~0u;
    return p;
}

static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    bool first = beats(a.value, b.value) || (!beats(b.value, a.value) && a.index < b.index);
    return first ? a : b;
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return (result_t)p.index;
}

#elif defined(OP_MEAN_VAR)
struct row_part {
    value_t mean, m2;
    unsigned count;
};

static __device__ __forceinline__ row_part part_of_none()
{
    row_part p = {0, 0, 0};
    return p;
}

/* As combine(), without a division where both have as many elements, as nearly always. */
static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    row_part c;
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

static __device__ __forceinline__ result_t row_result(row_part p)
{
    accumulator a = {p.mean, p.m2, p.count};
    return finish(a);
}

#elif defined(OP_LOGSUMEXP)
typedef accumulator row_part;

/* exp(x) of x ≤ 0, within 2 ulp and the rounding of its argument: 2^(x · log2 e). */
static __device__ __forceinline__ value_t exponential_of(value_t x)
{
#if defined(TYPE_FLOAT64)
    return exponential(x);
#else
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * 1.4426950408889634f));
    return power;
#endif
}

static __device__ __forceinline__ row_part part_of_none()
{
    return identity();
}

/* As combine(), with one exponential: the larger maximum's sum is not scaled. */
static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    bool first = a.max > b.max || a.max != a.max;
    value_t large = first ? a.max : b.max, small = first ? b.max : a.max;
    value_t scale = exponential_of(large == small ? (value_t)0 : small - large);
    row_part c = {large, first ? a.sum + b.sum * scale : b.sum + a.sum * scale};
    return c;
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return finish(p);
}

#else
typedef accumulator row_part;

static __device__ __forceinline__ row_part part_of_none()
{
    return identity();
}

static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    return combine(a, b);
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return finish(p);
}
#endif

/* ---- COUNT packs of a thread, folded ------------------------------------------------------------ */

#if defined(TYPE_BFLOAT16)
#define PACKED_TYPE "bf16x2"
#else
#define PACKED_TYPE "f16x2"
#endif
#if defined(OP_ARGMAX) || defined(OP_LOGSUMEXP)
#define EXTREME(a, b) greater(a, b)
#define PACKED_EXTREME "max.NaN." PACKED_TYPE
#elif defined(OP_ARGMIN)
#define EXTREME(a, b) lesser(a, b)
#define PACKED_EXTREME "min.NaN." PACKED_TYPE
#endif

/* Calls step(x, k, j) for element j of each pack k, in order; unrolled. */
#define EACH_ELEMENT(k, j)                                                                         \
    _Pragma("unroll") for (unsigned k = 0; k < COUNT; k++)                                         \
        _Pragma("unroll") for (unsigned j = 0; j < PACK_ELEMENTS; j++)

#ifdef EXTREME
/* The extreme element of a pack; NaN if one is. Half types two at a time. */
static __device__ __forceinline__ value_t pack_extreme(const row_pack &p)
{
#if defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
    union {
        row_pack pack;
        unsigned words[4];
        element halves[8];
    } x;
    x.pack = p;
#pragma unroll
    for (unsigned k = 1; k < 4; k++)
        asm(PACKED_EXTREME " %0, %1, %2;" : "=r"(x.words[0]) : "r"(x.words[0]), "r"(x.words[k]));
    return EXTREME(convert(x.halves[0]), convert(x.halves[1]));
#else
    value_t extreme = convert(p.e[0]);
#pragma unroll
    for (unsigned j = 1; j < PACK_ELEMENTS; j++)
        extreme = EXTREME(extreme, convert(p.e[j]));
    return extreme;
#endif
}
#endif

/*
 * Pack k begins at element `first` + k * `stride` of its row, which is known where an index is
 * wanted.
 */
template <unsigned COUNT>
static __device__ __forceinline__ row_part packs_fold(const row_pack *p, unsigned first,
                                                      unsigned stride)
{
#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
    value_t extremes[COUNT];
    row_part r;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        extremes[k] = pack_extreme(p[k]);
        r.value = k == 0 ? extremes[0] : EXTREME(r.value, extremes[k]);
    }
    /* The first pack that has it, then the first element of that one: backwards, the last to be
     * taken is the first. */
    bool nan = r.value != r.value;
    row_pack found = p[0];
    r.index = first;
#pragma unroll
    for (unsigned k = COUNT; k-- > 0;)
        if (nan ? extremes[k] != extremes[k] : extremes[k] == r.value) {
            found = p[k];
            r.index = first + k * stride;
        }
    unsigned place = 0;
#pragma unroll
    for (unsigned j = PACK_ELEMENTS; j-- > 0;) {
        value_t x = convert(found.e[j]);
        if (nan ? x != x : x == r.value)
            place = j;
    }
    r.index += place;
    return r;
#elif defined(OP_MEAN_VAR)
    row_part r;
    value_t sum = 0;
    EACH_ELEMENT(k, j)
        sum += convert(p[k].e[j]);
    r.count = COUNT * PACK_ELEMENTS;
    r.mean = sum * ((value_t)1 / (value_t)(COUNT * PACK_ELEMENTS)); /* a constant */
    r.m2 = 0;
    EACH_ELEMENT(k, j)
    {
        value_t delta = convert(p[k].e[j]) - r.mean;
        r.m2 += delta * delta;
    }
    return r;
#elif defined(OP_LOGSUMEXP)
    row_part r;
    r.max = pack_extreme(p[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        r.max = EXTREME(r.max, pack_extreme(p[k]));
    /* An infinite maximum is not subtracted: infinity - infinity is no number. */
    value_t shift = r.max - r.max == 0 ? r.max : 0;
    r.sum = 0;
    EACH_ELEMENT(k, j)
        r.sum += exponential_of(convert(p[k].e[j]) - shift);
    if (shift != r.max && r.max == r.max) { /* -infinity alone, or the infinities among others */
        r.sum = 0;
        EACH_ELEMENT(k, j)
            r.sum += convert(p[k].e[j]) == r.max;
    }
    return r;
#else
    row_part total = lift(p[0].e[0], 0);
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        row_part pairs[PACK_ELEMENTS > 1 ? PACK_ELEMENTS : 2];
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++)
            pairs[j] = lift(p[k].e[j], 0);
#pragma unroll
        for (unsigned half = PACK_ELEMENTS / 2; half > 0; half /= 2)
#pragma unroll
            for (unsigned j = 0; j < PACK_ELEMENTS / 2; j++)
                if (j < half)
                    pairs[j] = combine(pairs[2 * j], pairs[2 * j + 1]);
        total = k == 0 ? pairs[0] : combine(total, pairs[0]);
    }
    return total;
#endif
}

/* ---- Parts of several lanes --------------------------------------------------------------------- */

/*
 * Many parts in each lane, COUNT (a power of two) of them: part k is joined over SHARERS (a power of
 * two, up to 32) neighbouring lanes. Each step halves either the parts or the lanes that still share
 * one, so it takes COUNT - 1 + log2(SHARERS / COUNT) shuffles instead of COUNT * log2(SHARERS).
 *
 * Returned in parts[0 … max(COUNT / SHARERS, 1) - 1] are those that begin with part number
 * lanes_first(); where COUNT < SHARERS, SHARERS / COUNT neighbouring lanes return the same one.
 */
template <unsigned COUNT, unsigned SHARERS>
static __device__ __forceinline__ void lanes_join(row_part parts[COUNT])
{
    unsigned lane = threadIdx.x % SHARERS, left = COUNT;
#pragma unroll
    for (unsigned offset = SHARERS / 2; offset > 0; offset /= 2) {
        bool upper = lane & offset;
        if (left > 1) {
            left /= 2;
#pragma unroll
            for (unsigned k = 0; k < (COUNT + 1) / 2; k++)
                if (k < left) {
                    row_part keep = upper ? parts[k + left] : parts[k];
                    row_part pass = upper ? parts[k] : parts[k + left];
                    parts[k] = join(keep, shuffle_xor(pass, offset));
                }
        } else {
            parts[0] = join(parts[0], shuffle_xor(parts[0], offset));
        }
    }
}

template <unsigned COUNT, unsigned SHARERS> static __device__ __forceinline__ unsigned lanes_first()
{
    unsigned lane = threadIdx.x % SHARERS;
    return COUNT >= SHARERS ? lane * (COUNT / SHARERS) : lane / (SHARERS / COUNT);
}

#ifdef BLOCK
/*
 * One part from each thread: the total, in thread 0. Every thread must call it; a block barrier must
 * separate two calls.
 */
static __device__ __forceinline__ row_part block_join(row_part part)
{
    lanes_join<1, 32>(&part);
#if BLOCK > 32
    __shared__ row_part warps[BLOCK / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warps[warp] = part;
    __syncthreads();
    if (warp == 0) {
        part = lane < BLOCK / 32 ? warps[lane] : part_of_none();
        lanes_join<1, 32>(&part);
    }
#endif
    return part;
}

/*
 * This thread's LOADS packs, BLOCK apart, of the tile that begins at pack `first` of a row of
 * `packs`: all loads are in flight before the first is used. What does not exist is not loaded.
 */
static __device__ __forceinline__ row_part row_tile_fold(const row_pack *row, size_t packs,
                                                         size_t first)
{
    row_pack p[LOADS];
    const row_pack *mine = row + first + threadIdx.x;
    size_t left = first < packs ? packs - first : 0;
    unsigned element_first = (unsigned)(first + threadIdx.x) * PACK_ELEMENTS;
    if (__builtin_expect(left >= BLOCK * LOADS, 1)) {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            p[k] = row_load(mine + k * BLOCK);
        return packs_fold<LOADS>(p, element_first, BLOCK * PACK_ELEMENTS);
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (threadIdx.x + k * BLOCK < left)
            p[k] = row_load(mine + k * BLOCK);
    row_part part = part_of_none();
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (threadIdx.x + k * BLOCK < left)
            part = join(part, packs_fold<1>(&p[k], element_first + k * BLOCK * PACK_ELEMENTS, 0));
    return part;
}
#endif

#endif
