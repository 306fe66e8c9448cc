/*
 * Folds of one vector, or of the two of a dot product, into parts: rows.cuh's, and what they lack.
 *
 *   lanes_load(), lanes_fold()   a tile of LOADS packs per lane of a team, in registers
 *   ends_fold()                  the elements before and behind whole packs
 *   team_join()                  the parts of a team's lanes: a part of a warp, or the block
 *
 * PACKED 1: half types are combined two at a time where that is exact (extremes), and otherwise
 * widened from their 32-bit word with one instruction per element and accumulated in float32 by fused
 * multiply-adds.
 *
 * A file of its own because rows.cuh, on which it builds, must keep the hash that recorded runs name.
 * A kernel that includes this has `constant: BLOCK` and the tunables LOADS, POLICY and PACKED.
 */
#ifndef REDSWEEP_KERNELS_FOLD_CUH
#define REDSWEEP_KERNELS_FOLD_CUH

#include "operation.cuh"

#if defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
#define HALVES 1
#else
#define HALVES 0
#endif

#if HALVES && defined(OP_DOT)
/* rows.cuh's folds of one vector name lift(x, 0), which an element of half a word has no 0 for. */
static __device__ __forceinline__ accumulator lift(element x, int)
{
    return convert(x);
}
#endif

#include "rows.cuh"

#if defined(OP_DOT)
enum { VECTORS = 2 };
#else
enum { VECTORS = 1 };
#endif

/* One vector, or two of the same alignment; y is not read where VECTORS is 1. */
struct vectors {
    const row_pack *x, *y;
};

/* Element i alone; y is the second vector's. */
static __device__ __forceinline__ row_part part_of(const element *x, const element *y, size_t at,
                                                   unsigned i)
{
#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
    row_part part = part_of_none();
    part.value = convert(x[at]);
    part.index = i;
    return part;
#elif defined(OP_MEAN_VAR)
    row_part part = {convert(x[at]), 0, 1};
    return part;
#elif defined(OP_DOT)
    return lift(x[at], y[at]);
#else
    return lift(x[at], 0);
#endif
}

/* ---- COUNT packs -------------------------------------------------------------------------------- */

#if HALVES
union half_words {
    row_pack pack;
    unsigned words[4];
};

/* Both halves of a word as floats. */
static __device__ __forceinline__ float2 widen(unsigned word)
{
#if defined(TYPE_BFLOAT16)
    return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
#else
    float2 both;
    asm("{\n\t"
        ".reg .b16 low, high;\n\t"
        "mov.b32 {low, high}, %2;\n\t"
        "cvt.f32.f16 %0, low;\n\t"
        "cvt.f32.f16 %1, high;\n\t"
        "}"
        : "=f"(both.x), "=f"(both.y)
        : "r"(word));
    return both;
#endif
}

#if defined(OP_MAX) || defined(OP_MIN)
#if defined(OP_MAX)
#define PACKED_BETTER "max.NaN." PACKED_TYPE
#else
#define PACKED_BETTER "min.NaN." PACKED_TYPE
#endif

template <unsigned COUNT>
static __device__ __forceinline__ row_part halves_fold(const row_pack *x, const row_pack *)
{
    half_words best, next;
    best.pack = x[0];
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        next.pack = x[k];
#pragma unroll
        for (unsigned j = k == 0; j < 4; j++)
            asm(PACKED_BETTER " %0, %1, %2;"
                : "=r"(best.words[0])
                : "r"(best.words[0]), "r"(next.words[j]));
    }
    float2 both = widen(best.words[0]);
    return combine(both.x, both.y);
}
#elif defined(OP_LOGSUMEXP)
/*
 * 2^(x log2 e - max log2 e), where the multiplication and the subtraction are one instruction. What
 * the rounding of max log2 e adds to each exponent is taken out of the sum.
 */
template <unsigned COUNT>
static __device__ __forceinline__ row_part halves_fold(const row_pack *x, const row_pack *)
{
    const float log2_e = 1.4426950408889634f;
    float extreme = pack_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        extreme = EXTREME(extreme, pack_extreme(x[k]));
    if (extreme - extreme != 0) /* an infinity or NaN */
        return packs_fold<COUNT>(x, 0, 0);
    float shift = extreme * log2_e, rest = fmaf(extreme, log2_e, -shift), sums[2] = {0, 0}, scale;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        half_words p;
        p.pack = x[k];
#pragma unroll
        for (unsigned j = 0; j < 4; j++) {
            float2 both = widen(p.words[j]);
            float low, high;
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(low) : "f"(fmaf(both.x, log2_e, -shift)));
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(high) : "f"(fmaf(both.y, log2_e, -shift)));
            sums[0] += low;
            sums[1] += high;
        }
    }
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(scale) : "f"(-rest));
    row_part r = {extreme, (sums[0] + sums[1]) * scale};
    return r;
}
#elif defined(OP_SUM) || defined(OP_PROD) || defined(OP_SUMSQ) || defined(OP_NORM2) || defined(OP_DOT)
/* One more element, or one of each vector: products of halves are exact in a float. */
static __device__ __forceinline__ float half_step(float total, float x, float y)
{
#if defined(OP_DOT)
    return fmaf(x, y, total);
#elif defined(OP_SUMSQ) || defined(OP_NORM2)
    return fmaf(x, x, total);
#else
    return combine(total, x);
#endif
}

template <unsigned COUNT>
static __device__ __forceinline__ row_part halves_fold(const row_pack *x, const row_pack *y)
{
    float low = IDENTITY, high = IDENTITY;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        half_words p, q;
        p.pack = x[k];
        q.pack = VECTORS == 2 ? y[k] : p.pack;
#pragma unroll
        for (unsigned j = 0; j < 4; j++) {
            float2 a = widen(p.words[j]), b = widen(q.words[j]);
            low = half_step(low, a.x, b.x);
            high = half_step(high, a.y, b.y);
        }
    }
    return combine(low, high);
}
#else
/* Indices and variances: rows.cuh has nothing to gain from here. */
#define HALVES_AS_OTHERS 1
#endif
#endif

/*
 * COUNT packs of each vector; pack k begins at element `first` + k * `stride` of what is reduced,
 * which matters for an index only.
 */
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const row_pack *x, const row_pack *y, unsigned first,
                                                unsigned stride)
{
#if PACKED && HALVES && !defined(HALVES_AS_OTHERS)
    return halves_fold<COUNT>(x, y);
#elif defined(OP_DOT)
    row_part total = identity();
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        row_part products[PACK_ELEMENTS];
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++)
            products[j] = lift(x[k].e[j], y[k].e[j]);
#pragma unroll
        for (unsigned half = PACK_ELEMENTS / 2; half > 0; half /= 2)
#pragma unroll
            for (unsigned j = 0; j < PACK_ELEMENTS / 2; j++)
                if (j < half)
                    products[j] = combine(products[2 * j], products[2 * j + 1]);
        total = k == 0 ? products[0] : combine(total, products[0]);
    }
    return total;
#else
    return packs_fold<COUNT>(x, first, stride);
#endif
}

/* ---- A tile: LOADS packs per lane, LANES apart --------------------------------------------------- */

struct tile {
    row_pack x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned here; /* packs of the whole team that exist */
};

/* Issues the loads of the packs [first, first + LANES * LOADS) of `packs`; none beyond them. */
template <unsigned LANES>
static __device__ __forceinline__ void lanes_load(tile *t, const vectors &v, size_t packs,
                                                  size_t first)
{
    unsigned lane = threadIdx.x % LANES;
    size_t left = first < packs ? packs - first : 0;
    t->here = left < LANES * LOADS ? (unsigned)left : LANES * LOADS;
    if (__builtin_expect(t->here == LANES * LOADS, 1)) {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            t->x[k] = row_load(v.x + first + lane + k * LANES);
            if (VECTORS == 2)
                t->y[VECTORS == 2 ? k : 0] = row_load(v.y + first + lane + k * LANES);
        }
        return;
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (lane + k * LANES < t->here) {
            t->x[k] = row_load(v.x + first + lane + k * LANES);
            if (VECTORS == 2)
                t->y[VECTORS == 2 ? k : 0] = row_load(v.y + first + lane + k * LANES);
        }
}

/* What lanes_load() has loaded; the team's first pack begins at element `first`. */
template <unsigned LANES>
static __device__ __forceinline__ row_part lanes_fold(const tile &t, unsigned first)
{
    unsigned lane = threadIdx.x % LANES;
    first += lane * PACK_ELEMENTS;
    if (__builtin_expect(t.here == LANES * LOADS, 1))
        return fold<LOADS>(t.x, t.y, first, LANES * PACK_ELEMENTS);
    row_part part = part_of_none();
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (lane + k * LANES < t.here)
            part = join(part, fold<1>(&t.x[k], &t.y[VECTORS == 2 ? k : 0],
                                      first + k * LANES * PACK_ELEMENTS, 0));
    return part;
}

/* ---- Elements beside whole packs ----------------------------------------------------------------- */

/* `length` elements from x on: so many before the first multiple of 16 bytes, then whole packs. */
struct span {
    unsigned head, packs;
};

static __device__ __forceinline__ span span_of(const element *x, unsigned length)
{
    unsigned beyond = (unsigned)((size_t)x % 16 / sizeof(element));
    unsigned head = beyond ? PACK_ELEMENTS - beyond : 0;
    head = head < length ? head : length;
    span s = {head, (length - head) / PACK_ELEMENTS};
    return s;
}

/* This lane's share of the elements that are in no whole pack joined onto `part`. */
template <unsigned LANES>
static __device__ __forceinline__ row_part ends_fold(row_part part, const element *x,
                                                     const element *y, const span &s,
                                                     unsigned length)
{
    unsigned body = s.packs * PACK_ELEMENTS;
    for (unsigned k = threadIdx.x % LANES; k < length - body; k += LANES) {
        unsigned i = k < s.head ? k : k + body;
        part = join(part, part_of(x, y, i, i));
    }
    return part;
}

/* ---- The lanes of a team ------------------------------------------------------------------------- */

/*
 * One part of each of LANES neighbouring threads (a power of two up to 32, or the block): the total,
 * in all of them, or in thread 0 of the block. Every thread of the block must call it. Successive
 * calls for the block alternate `place` between 0 and 1, which saves a second barrier.
 */
template <unsigned LANES>
static __device__ __forceinline__ row_part team_join(row_part part, unsigned place)
{
    lanes_join<1, (LANES < 32 ? LANES : 32)>(&part);
    if (LANES > 32) {
        __shared__ row_part warps[2][LANES > 32 ? LANES / 32 : 1];
        unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        if (lane == 0)
            warps[place][warp] = part;
        __syncthreads();
        if (warp == 0) {
            part = lane < LANES / 32 ? warps[place][lane] : part_of_none();
            lanes_join<1, 32>(&part);
        }
    }
    return part;
}

#endif
