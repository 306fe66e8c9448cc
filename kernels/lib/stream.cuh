/*
 * Streams one vector, or the two vectors of a dot product, through teams of threads. A team is a part of a warp or
 * a whole block.
 *
 *   lanes_load(), lanes_fold()   load and fold a tile of LOADS packs per lane of a team, in registers
 *   lanes_stream()               reads ROUNDS tiles and loads the next one while it folds the current one
 *   ends_fold()                  folds the elements before and after the whole packs
 *
 * Kernels that include this header need the fact `constant: BLOCK` and the tunables LOADS and POLICY.
 */
#ifndef REDSWEEP_KERNELS_STREAM_CUH
#define REDSWEEP_KERNELS_STREAM_CUH

#include "block.cuh"

/*
 * This is a variable rather than a macro, because it is a part of compiled images, whose hashes are in recorded
 * runs.
 */
static const unsigned PACK_ELEMENTS = PACK_WIDTH;

/* One vector, or two of the same alignment. y is not read if VECTORS is 1. */
struct vectors {
    const pack *x, *y;
};

/* ---- A tile: LOADS packs per lane, SHARERS apart --------------------------------------------------- */

struct tile {
    uint4 x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned here; /* number of the team's packs that exist */
};

/* Returns the element that replaces elements beyond the end. It changes no result except an index or a count. */
static __device__ __forceinline__ element fill_element()
{
    return element_of(fill_value());
}

static __device__ __forceinline__ uint4 fill_words()
{
    pack_words x;
#pragma unroll
    for (unsigned j = 0; j < PACK_ELEMENTS; j++)
        x.elements.e[j] = fill_element();
    return x.words;
}

/*
 * Returns the pack at `at` if `real` is true, and fill_words() otherwise. Avoids branches, because ptxas would
 * place the code of partial tiles before that of whole tiles and so delay the loads of whole tiles.
 */
static __device__ __forceinline__ uint4 words_load_if(const pack *at, bool real)
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
 * Issues the loads of a tile: the packs [first, first + SHARERS * LOADS) of a vector that has `packs` packs. Packs
 * beyond the last one are filled instead of read, so that whole and partial tiles share the same fold.
 */
template <unsigned SHARERS>
static __device__ __forceinline__ void lanes_load(tile *t, const vectors &v, size_t packs,
                                                  size_t first)
{
    unsigned lane = threadIdx.x % SHARERS;
    size_t left = first < packs ? packs - first : 0;
    t->here = left < SHARERS * LOADS ? (unsigned)left : SHARERS * LOADS;
    /* This condition has no __builtin_expect(), because ptxas would place an unlikely branch first. */
    if (t->here < SHARERS * LOADS) {
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

/* Folds the packs that lanes_load() loaded. The team's first pack begins at element `first`. */
template <unsigned SHARERS>
static __device__ __forceinline__ partial lanes_fold(const tile &t, unsigned first)
{
    unsigned lane = threadIdx.x % SHARERS;
    unsigned real = t.here > lane ? (t.here - lane + SHARERS - 1) / SHARERS : 0;
    partial part = fold<LOADS>(t.x, t.y, first + lane * PACK_ELEMENTS, SHARERS * PACK_ELEMENTS, real);
    return real ? part : nothing();
}

#ifdef ROUNDS
/*
 * Folds the packs [first, first + ROUNDS * SHARERS * LOADS) of a vector that has `packs` packs. Pack `first` begins
 * at element `first_element`. Each round's loads are issued before the previous round is folded, and all rounds
 * share one reduction over the team. meanwhile() is called while the first loads are in flight.
 */
template <unsigned SHARERS, class MEANWHILE>
static __device__ __forceinline__ partial lanes_stream(const vectors &v, size_t packs, size_t first,
                                                        unsigned first_element, MEANWHILE meanwhile)
{
    tile now, next;
    lanes_load<SHARERS>(&now, v, packs, first);
    meanwhile();
    partial part;
#pragma unroll 1
    for (unsigned round = 0;; round++) {
        bool more = round + 1 < ROUNDS;
        if (more)
            lanes_load<SHARERS>(&next, v, packs, first + (round + 1) * (SHARERS * LOADS));
        partial folded = lanes_fold<SHARERS>(now, first_element);
        part = round ? combine(part, folded) : folded;
        if (!more)
            return part;
        first_element += SHARERS * LOADS * PACK_ELEMENTS;
        now = next;
    }
}
#endif

/* ---- Elements beside whole packs ----------------------------------------------------------------- */

/*
 * How many elements of a vector come before the first multiple of 16 bytes, and how many whole packs come after it.
 */
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

/* Returns `part` combined with this lane's share of the elements outside whole packs. */
template <unsigned SHARERS>
static __device__ __forceinline__ partial ends_fold(partial part, const element *x,
                                                     const element *y, const span &s,
                                                     unsigned length)
{
    unsigned body = s.packs * PACK_ELEMENTS;
#pragma unroll 1
    for (unsigned k = threadIdx.x % SHARERS; k < length - body; k += SHARERS) {
        unsigned i = k < s.head ? k : k + body;
        part = combine(part, partial_of(convert(x[i]), convert(VECTORS == 2 ? y[i] : x[i]), i));
    }
    return part;
}

#endif
