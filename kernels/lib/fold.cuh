/*
 * Folds of one vector, or of the two of a dot product, into parts (rows.cuh).
 *
 *   lanes_load(), lanes_fold()   a tile of LOADS packs per lane of a team, in registers
 *   lanes_stream()               ROUNDS tiles, the next one's loads in flight while one is folded
 *   ends_fold()                  the elements before and behind whole packs
 *   team_join()                  the parts of a team's lanes: a part of a warp, or the block
 *
 * Several packs are folded at once, which takes fewer steps than one element after another: for an index
 * the extreme first, then its first place; for a variance the mean first, then the deviations; for
 * log-sum-exp the maximum first, then one exponential per element. Nothing is rounded more often than by
 * operation.cuh's accumulate().
 *
 * Packs are kept as words. Half types are combined two at a time where that is exact (extremes), and
 * otherwise widened from their 32-bit word with one instruction per element and accumulated in
 * float32; kept as elements, the compiler takes each word apart and puts it together again.
 *
 * A kernel that includes this has `constant: BLOCK` and the tunables LOADS and POLICY.
 */
#ifndef REDSWEEP_KERNELS_FOLD_CUH
#define REDSWEEP_KERNELS_FOLD_CUH

#include "operation.cuh"

#if defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
#define HALVES 1
#else
#define HALVES 0
#endif

#include "rows.cuh"
#include "total.cuh"

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

union pack_words {
    __device__ pack_words() {}
    row_pack pack;
    uint4 words;
};

static __device__ __forceinline__ uint4 words_load(const row_pack *at)
{
    pack_words x;
    x.pack = row_load(at);
    return x.words;
}

static __device__ __forceinline__ row_pack pack_of(uint4 words)
{
    pack_words x;
    x.words = words;
    return x.pack;
}

#if HALVES
static __device__ __forceinline__ unsigned word_of(const uint4 &x, unsigned j)
{
    return j == 0 ? x.x : j == 1 ? x.y : j == 2 ? x.z : x.w;
}

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

/* Calls the block that follows for word j of each pack k, in order; unrolled. */
#define EACH_WORD(k, j)                                                                            \
    _Pragma("unroll") for (unsigned k = 0; k < COUNT; k++)                                         \
        _Pragma("unroll") for (unsigned j = 0; j < 4; j++)

#if defined(TYPE_BFLOAT16)
#define PACKED_TYPE "bf16x2"
#else
#define PACKED_TYPE "f16x2"
#endif
#if defined(OP_MAX) || defined(OP_ARGMAX) || defined(OP_LOGSUMEXP)
#define WORD_EXTREME "max.NaN." PACKED_TYPE
#else
#define WORD_EXTREME "min.NaN." PACKED_TYPE
#endif

static __device__ __forceinline__ unsigned word_extreme(unsigned a, unsigned b)
{
    unsigned c;
    asm(WORD_EXTREME " %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}

/* The extremes of a pack's lower and of its upper halves; NaN if one is. */
static __device__ __forceinline__ unsigned words_extreme(const uint4 &x)
{
    return word_extreme(word_extreme(x.x, x.y), word_extreme(x.z, x.w));
}

#endif

#if defined(OP_MEAN_VAR) || INDEXED || (defined(OP_LOGSUMEXP) && !HALVES)
static __device__ __forceinline__ void pack_values(uint4 words, value_t values[PACK_ELEMENTS])
{
#if HALVES
#pragma unroll
    for (unsigned j = 0; j < 4; j++) {
        float2 both = widen(word_of(words, j));
        values[2 * j] = both.x;
        values[2 * j + 1] = both.y;
    }
#else
    row_pack pack = pack_of(words);
#pragma unroll
    for (unsigned j = 0; j < PACK_ELEMENTS; j++)
        values[j] = convert(pack.e[j]);
#endif
}
#endif

#if INDEXED || defined(OP_LOGSUMEXP)
#if defined(OP_ARGMIN)
#define EXTREME(a, b) lesser(a, b)
#else
#define EXTREME(a, b) greater(a, b)
#endif

/* The extreme element of a pack; NaN if one is. */
static __device__ __forceinline__ value_t pack_extreme(const uint4 &x)
{
#if HALVES
    float2 both = widen(words_extreme(x));
    return EXTREME(both.x, both.y);
#else
    row_pack pack = pack_of(x);
    value_t extreme = convert(pack.e[0]);
#pragma unroll
    for (unsigned j = 1; j < PACK_ELEMENTS; j++)
        extreme = EXTREME(extreme, convert(pack.e[j]));
    return extreme;
#endif
}
#endif

/*
 * fold<COUNT>(x, y, first, stride, real): COUNT packs of each vector. Pack k begins at element `first` + k * `stride`
 * of what is reduced, which matters for an index only. Packs from `real` on, which matters for a count only,
 * hold fill_words().
 */
#if INDEXED
/*
 * Whether an element is one that is looked for: it equals the extreme of all, or is NaN, and then the extreme
 * is, too. One expression for both, as a branch for NaN kept nvcc from selecting without branches.
 */
static __device__ __forceinline__ bool wanted(value_t x, value_t extreme)
{
    return (x == extreme) | (x != x);
}

/* The extreme, the first pack that has it, its first element of that value. */
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *, unsigned first,
                                                unsigned stride, unsigned = COUNT)
{
    value_t extremes[COUNT], values[PACK_ELEMENTS];
    row_part r;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        extremes[k] = pack_extreme(x[k]);
        r.value = k == 0 ? extremes[0] : EXTREME(r.value, extremes[k]);
    }
    uint4 found = x[COUNT - 1];
    unsigned index = first + (COUNT - 1) * stride, place = PACK_ELEMENTS - 1;
#pragma unroll
    for (unsigned k = COUNT - 1; k-- > 0;) /* backwards: the last to be taken is the first */
        if (wanted(extremes[k], r.value)) {
            found = x[k];
            index = first + k * stride;
        }
    pack_values(found, values);
#pragma unroll
    for (unsigned j = PACK_ELEMENTS - 1; j-- > 0;)
        place = wanted(values[j], r.value) ? j : place;
    r.index = index + place;
    return r;
}
#elif defined(OP_MEAN_VAR)
/* The mean first, then the deviations. Only the first `real` packs have elements. */
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                                unsigned real = COUNT)
{
    value_t sums[2] = {0, 0}, squares[2] = {0, 0}, values[PACK_ELEMENTS];
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values); /* beyond `real` they are 0 */
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++)
            sums[j % 2] += values[j];
    }
    row_part r;
    r.count = real * PACK_ELEMENTS;
    r.mean = (sums[0] + sums[1]) * ((value_t)1 / (value_t)(COUNT * PACK_ELEMENTS)); /* a constant */
    if (real != COUNT)
        r.mean = (sums[0] + sums[1]) / (value_t)r.count;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++) {
            value_t delta = values[j] - r.mean;
            if (k < real)
                squares[j % 2] += delta * delta;
        }
    }
    r.m2 = squares[0] + squares[1];
    return r;
}
#elif defined(OP_LOGSUMEXP) && HALVES
/*
 * 2^(x log2 e - max log2 e), where the multiplication and the subtraction are one instruction. What
 * the rounding of max log2 e adds to each exponent is taken out of the sum. An infinite maximum is not
 * subtracted (infinity - infinity is no number): the sum is then 0 or infinite, as it should be.
 */
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                                unsigned = COUNT)
{
    const float log2_e = 1.4426950408889634f;
    unsigned best = words_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = word_extreme(best, words_extreme(x[k]));
    float2 extremes = widen(best);
    row_part r;
    r.max = EXTREME(extremes.x, extremes.y);
    float finite = r.max - r.max == 0 ? r.max : 0, shift = finite * log2_e;
    float rest = fmaf(finite, log2_e, -shift), sums[2] = {0, 0}, scale;
    EACH_WORD(k, j)
    {
        float2 both = widen(word_of(x[k], j));
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
#elif defined(OP_LOGSUMEXP)
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                                unsigned = COUNT)
{
    value_t values[PACK_ELEMENTS];
    row_part r;
    r.max = pack_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        r.max = EXTREME(r.max, pack_extreme(x[k]));
    /* An infinite maximum is not subtracted: infinity - infinity is no number. */
    value_t shift = r.max - r.max == 0 ? r.max : 0;
    r.sum = 0;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        pack_values(x[k], values);
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++)
            r.sum += exponential_of(values[j] - shift);
    }
    if (shift != r.max && r.max == r.max) { /* -infinity alone, or the infinities among others */
        r.sum = 0;
#pragma unroll
        for (unsigned k = 0; k < COUNT; k++) {
            pack_values(x[k], values);
#pragma unroll
            for (unsigned j = 0; j < PACK_ELEMENTS; j++)
                r.sum += values[j] == r.max;
        }
    }
    return r;
}
#elif (defined(OP_MAX) || defined(OP_MIN)) && HALVES
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *, unsigned, unsigned,
                                                unsigned = COUNT)
{
    unsigned best = words_extreme(x[0]);
#pragma unroll
    for (unsigned k = 1; k < COUNT; k++)
        best = word_extreme(best, words_extreme(x[k]));
    float2 both = widen(best);
    return combine(both.x, both.y);
}
#elif HALVES
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
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *y, unsigned, unsigned,
                                                unsigned = COUNT)
{
    float low = IDENTITY, high = IDENTITY;
    EACH_WORD(k, j)
    {
        float2 a = widen(word_of(x[k], j)), b = VECTORS == 2 ? widen(word_of(y[k], j)) : a;
        low = half_step(low, a.x, b.x);
        high = half_step(high, a.y, b.y);
    }
    return combine(low, high);
}
#else
template <unsigned COUNT>
static __device__ __forceinline__ row_part fold(const uint4 *x, const uint4 *y, unsigned, unsigned,
                                                unsigned = COUNT)
{
    row_part total = identity();
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) {
        row_pack a = pack_of(x[k]), b = VECTORS == 2 ? pack_of(y[VECTORS == 2 ? k : 0]) : a;
        row_part lifted[PACK_ELEMENTS > 1 ? PACK_ELEMENTS : 2];
#pragma unroll
        for (unsigned j = 0; j < PACK_ELEMENTS; j++)
            lifted[j] = lift(a.e[j], b.e[j]);
#pragma unroll
        for (unsigned half = PACK_ELEMENTS / 2; half > 0; half /= 2)
#pragma unroll
            for (unsigned j = 0; j < PACK_ELEMENTS / 2; j++)
                if (j < half)
                    lifted[j] = combine(lifted[2 * j], lifted[2 * j + 1]);
        total = k == 0 ? lifted[0] : combine(total, lifted[0]);
    }
    return total;
}
#endif

/* ---- A tile: LOADS packs per lane, SHARERS apart --------------------------------------------------- */

struct tile {
    uint4 x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned here; /* packs of the whole team that exist */
};

/* What stands for elements beyond the end: it changes no result but an index and a count. */
static __device__ __forceinline__ element fill_element()
{
#if defined(OP_MAX) || defined(OP_ARGMAX) || defined(OP_LOGSUMEXP)
    value_t value = (value_t)ELEMENT_LEAST;
#elif defined(OP_MIN) || defined(OP_ARGMIN)
    value_t value = (value_t)ELEMENT_GREATEST;
#elif defined(OP_PROD)
    value_t value = 1;
#else
    value_t value = 0;
#endif
#if HALVES
    element x;
#if defined(TYPE_BFLOAT16)
    x.bits = (unsigned short)(__float_as_uint(value) >> 16);
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(value));
#endif
    return x;
#else
    return (element)value;
#endif
}

static __device__ __forceinline__ uint4 fill_words()
{
    pack_words x;
#pragma unroll
    for (unsigned j = 0; j < PACK_ELEMENTS; j++)
        x.pack.e[j] = fill_element();
    return x.words;
}

/*
 * A pack, or what stands for it where there is none. Without a branch: where partial tiles have some,
 * ptxas puts their code before that of whole ones, which then begin to load later.
 */
static __device__ __forceinline__ uint4 words_load_if(const row_pack *at, bool real)
{
    uint4 x = fill_words();
#if POLICY == 0
    if (real)
        x = words_load(at);
#else
    asm volatile("{\n\t"
                 ".reg .pred real;\n\t"
                 "setp.ne.u32 real, %5, 0;\n\t"
                 "@real ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n\t"
                 "}"
                 : "+r"(x.x), "+r"(x.y), "+r"(x.z), "+r"(x.w)
                 : "l"(at), "r"((unsigned)real));
#endif
    return x;
}

/*
 * Issues the loads of the packs [first, first + SHARERS * LOADS) of `packs`. What is beyond them is not
 * read but filled, so that one fold, the same instructions, serves whole and partial tiles.
 */
template <unsigned SHARERS>
static __device__ __forceinline__ void lanes_load(tile *t, const vectors &v, size_t packs,
                                                  size_t first)
{
    unsigned lane = threadIdx.x % SHARERS;
    size_t left = first < packs ? packs - first : 0;
    t->here = left < SHARERS * LOADS ? (unsigned)left : SHARERS * LOADS;
    if (t->here < SHARERS * LOADS) { /* expected to be rare, ptxas would put it first */
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            bool real = lane + k * SHARERS < t->here;
            t->x[k] = words_load_if(v.x + first + lane + k * SHARERS, real);
            if (VECTORS == 2)
                t->y[VECTORS == 2 ? k : 0] = words_load_if(v.y + first + lane + k * SHARERS, real);
        }
        return;
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        t->x[k] = words_load(v.x + first + lane + k * SHARERS);
        if (VECTORS == 2)
            t->y[VECTORS == 2 ? k : 0] = words_load(v.y + first + lane + k * SHARERS);
    }
}

/* What lanes_load() has loaded; the team's first pack begins at element `first`. */
template <unsigned SHARERS>
static __device__ __forceinline__ row_part lanes_fold(const tile &t, unsigned first)
{
    unsigned lane = threadIdx.x % SHARERS;
    unsigned real = t.here > lane ? (t.here - lane + SHARERS - 1) / SHARERS : 0;
    row_part part = fold<LOADS>(t.x, t.y, first + lane * PACK_ELEMENTS, SHARERS * PACK_ELEMENTS, real);
    return real ? part : part_of_none();
}

#ifdef ROUNDS
/*
 * The packs [first, first + ROUNDS * SHARERS * LOADS) of `packs`, of which the first begins at element
 * `first_element`: each round's loads are issued before the last one's are folded, and a thread's rounds
 * share one reduction over the team. meanwhile() is called while the first loads are under way.
 */
template <unsigned SHARERS, class MEANWHILE>
static __device__ __forceinline__ row_part lanes_stream(const vectors &v, size_t packs, size_t first,
                                                        unsigned first_element, MEANWHILE meanwhile)
{
    tile now, next;
    lanes_load<SHARERS>(&now, v, packs, first);
    meanwhile();
    row_part part;
#pragma unroll 1
    for (unsigned round = 0;; round++) {
        bool more = round + 1 < ROUNDS;
        if (more)
            lanes_load<SHARERS>(&next, v, packs, first + (round + 1) * (SHARERS * LOADS));
        row_part folded = lanes_fold<SHARERS>(now, first_element);
        part = round ? join(part, folded) : folded;
        if (!more)
            return part;
        first_element += SHARERS * LOADS * PACK_ELEMENTS;
        now = next;
    }
}
#endif

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
template <unsigned SHARERS>
static __device__ __forceinline__ row_part ends_fold(row_part part, const element *x,
                                                     const element *y, const span &s,
                                                     unsigned length)
{
    unsigned body = s.packs * PACK_ELEMENTS;
#pragma unroll 1
    for (unsigned k = threadIdx.x % SHARERS; k < length - body; k += SHARERS) {
        unsigned i = k < s.head ? k : k + body;
        part = join(part, part_of(x, y, i, i));
    }
    return part;
}

/* ---- The lanes of a team ------------------------------------------------------------------------- */

/*
 * One part of each warp of the block, in its lane 0: the total, in the first warp. Every thread of the block
 * must call it. Successive calls alternate `place` between 0 and 1, which saves a second barrier.
 */
template <unsigned WARPS>
static __device__ __forceinline__ row_part warps_join(row_part part, unsigned place)
{
    __shared__ row_part warps[2][WARPS];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warps[place][warp] = part;
    __syncthreads();
    if (warp == 0) {
        part = lane < WARPS ? warps[place][lane] : part_of_none();
        part = warp_total<1, WARPS>(&part);
    }
    return part;
}

/*
 * One part of each of SHARERS neighbouring threads (a power of two up to 32, or the block): the total, in
 * all of them, or in the first warp of the block. Every thread of the block must call it; `place` as above.
 */
template <unsigned SHARERS>
static __device__ __forceinline__ row_part team_join(row_part part, unsigned place)
{
    if (SHARERS < 32)
        lanes_join<1, (SHARERS < 32 ? SHARERS : 32)>(&part);
    else
        part = warp_total<1, 32>(&part);
    if (SHARERS > 32)
        part = warps_join<(SHARERS > 32 ? SHARERS / 32 : 1)>(part, place);
    return part;
}

#endif
