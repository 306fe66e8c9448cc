/*
 * Reads pieces of the input that begin and end at any element. A warp loads the 16-byte packs that contain the
 * piece, all in flight at once, and stores them unchanged in shared memory. From there, each lane reads the units
 * of its row by their position in the row. A unit is a 4-byte word, or 8 bytes for 8-byte elements. If elements
 * are smaller than a unit and the row begins within one, a funnel shift joins two units. Every load from memory
 * is thus a whole pack, and the order of a row's additions does not depend on where the row begins.
 *
 *   piece_load()    issues the loads: LOADS packs per lane, and a few more because packs are cut at either end
 *   piece_store()   stores the packs in the warp's shared memory
 *   row_staged()    returns where in shared memory a row is
 *   staged_part()   returns the partial of this lane, which is one of SHARERS lanes that share a row. The lane
 *                   takes units that are SHARERS apart: FOLD packs of them at a time, then TAIL packs at a time
 *
 * Nothing is read before the input's first element or after its last one. At the input's ends, elements outside
 * whole packs are loaded one by one.
 *
 * Kernels that include this header need the fact `constant: BLOCK` and the tunables LOADS, FOLD, TAIL and
 * POLICY.
 */
#ifndef REDSWEEP_KERNELS_STAGED_CUH
#define REDSWEEP_KERNELS_STAGED_CUH

#include "stream.cuh"

#if SHORT_VALUES
typedef unsigned unit;
#else
typedef unsigned long long unit;
#endif

enum {
    UNITS = 16 / sizeof(unit), /* units per pack */
    UNIT_ELEMENTS = sizeof(unit) / sizeof(element),
    /* maximum number of whole packs in a piece, not counting cut packs at its ends */
    PIECE_PACKS = 32 * LOADS,
    STAGED_PACKS = PIECE_PACKS + 3 /* the last one may be read, but is not used */
};

union unit_pack {
    __device__ unit_pack() {}
    uint4 words;
    unit units[UNITS];
};

/* A piece of `count` elements from element `first` on, of the `total` elements at x. */
struct piece {
    const element *x;
    size_t first, total;
    unsigned count;
};

struct piece_packs {
    uint4 packs[LOADS], more;
    unsigned shift;    /* bytes of the first pack before the piece */
    unsigned from, to; /* packs [from, to) lie entirely in the input */
};

static __device__ __forceinline__ void piece_load(piece_packs *l, const piece &p)
{
    const element *begin = p.x + p.first;
    unsigned lane = threadIdx.x % 32;
    l->shift = (unsigned)((size_t)begin % 16);
    unsigned bytes = l->shift + p.count * (unsigned)sizeof(element), beyond = -bytes % 16;
    const pack *at = (const pack *)((const char *)begin - l->shift);
    l->from = p.first * sizeof(element) < l->shift;
    l->to = (bytes + beyond) / 16 - ((p.total - p.first - p.count) * sizeof(element) < beyond);
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        unsigned i = lane + 32 * k;
        l->packs[k] = words_load_if(at + i, i >= l->from && i < l->to);
    }
    l->more = words_load_if(at + PIECE_PACKS + lane, PIECE_PACKS + lane < l->to);
}

/*
 * Writes the loaded packs to the warp's shared memory, then the elements outside whole packs at the input's ends.
 * Where no pack was loaded, writes fill_words(), which may be read but is not used.
 */
static __device__ __forceinline__ void piece_store(uint4 staged[STAGED_PACKS], const piece_packs &l, const piece &p)
{
    unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        staged[lane + 32 * k] = l.packs[k];
    if (PIECE_PACKS + lane < STAGED_PACKS)
        staged[PIECE_PACKS + lane] = l.more;
    unsigned head = (16 - l.shift) / sizeof(element), done = (l.to * 16 - l.shift) / sizeof(element);
    head = l.from ? min(head, p.count) : 0;
    done = l.to > l.from ? done : head;
    /* uniform across the warp; true only at the ends of the input */
    if (head || done < p.count) {
        element *at = (element *)staged + l.shift / sizeof(element);
        const element *begin = p.x + p.first;
        __syncwarp();
        if (lane < head)
            at[lane] = begin[lane];
        if (done + lane < p.count)
            at[done + lane] = begin[done + lane];
    }
}

/* A row's place in shared memory: its first unit, and the bit of that unit at which it begins. */
struct staged_row {
    const unit *units;
    unsigned shift;
};

static __device__ __forceinline__ staged_row row_staged(const uint4 *staged, unsigned byte)
{
    staged_row r = {(const unit *)staged + byte / sizeof(unit), byte % (unsigned)sizeof(unit) * 8};
    return r;
}

/*
 * Returns unit u of a row. A unit of a shifted row takes two words of shared memory. If SHARERS is 1, a lane's
 * consecutive units share these reads. Otherwise, the second read is left out if the shift is 0.
 */
template <unsigned SHARERS> static __device__ __forceinline__ unit unit_at(const staged_row &r, unsigned u)
{
#if SHORT_VALUES
    if (UNIT_ELEMENTS > 1) {
        unit low = r.units[u], high = SHARERS > 1 && r.shift == 0 ? 0 : r.units[u + 1];
        return __funnelshift_r(low, high, r.shift);
    }
#endif
    return r.units[u];
}

/*
 * Folds COUNT packs of a row of `length` elements. SHARERS lanes share the row. This lane's packs consist of the
 * units `first` + lane + k * SHARERS. If WHOLE is true, all of these units exist.
 */
template <unsigned COUNT, bool WHOLE, unsigned SHARERS>
static __device__ __forceinline__ partial units_fold(const staged_row rows[VECTORS], unsigned length,
                                                      unsigned first)
{
    const unsigned units = (length + UNIT_ELEMENTS - 1) / UNIT_ELEMENTS, rest = length % UNIT_ELEMENTS;
    unit_pack fill;
    uint4 x[VECTORS][COUNT];
    unsigned real = 0;
    first += threadIdx.x % SHARERS;
    fill.words = fill_words();
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++) {
            unit_pack pack;
#pragma unroll
            for (unsigned j = 0; j < UNITS; j++) {
                unsigned u = first + (k * UNITS + j) * SHARERS;
                bool exists = WHOLE || u < units, cut = !WHOLE && rest && u == units - 1;
                unit all = exists ? unit_at<SHARERS>(rows[v], u) : fill.units[0];
                unit keep = cut ? ((unit)1 << rest * (8 * sizeof(element)) % (8 * sizeof(unit))) - 1 : ~(unit)0;
                pack.units[j] = (all & keep) | (fill.units[0] & ~keep);
                real += v > 0 || !exists ? 0 : cut ? rest : UNIT_ELEMENTS;
            }
            x[v][k] = pack.words;
        }
#if COUNTED
    partial part = WHOLE ? fold<COUNT>(x[0], x[0], 0, 0) : fold_counted<COUNT>(x[0], real);
#else
    partial part = fold<COUNT>(x[0], x[VECTORS - 1], 0, PACK_ELEMENTS);
#endif
#if INDEXED
    part.index = (part.index / UNIT_ELEMENTS * SHARERS + first) * UNIT_ELEMENTS + part.index % UNIT_ELEMENTS;
#endif
    return WHOLE || first < units ? part : nothing();
}

/* Folds this lane's share of a row of `length` elements that SHARERS neighbouring lanes share. */
template <unsigned SHARERS>
static __device__ __forceinline__ partial staged_part(const staged_row rows[VECTORS], unsigned length)
{
    const unsigned step = FOLD * UNITS * SHARERS, short_step = TAIL * UNITS * SHARERS;
    unsigned at = 0;
    partial part = nothing();
#pragma unroll 1
    for (; (at + step) * UNIT_ELEMENTS <= length; at += step) {
        partial next = units_fold<FOLD, true, SHARERS>(rows, length, at);
        part = at ? combine(part, next) : next;
    }
#pragma unroll 1
    for (; at * UNIT_ELEMENTS < length; at += short_step) {
        partial next = units_fold<TAIL, false, SHARERS>(rows, length, at);
        part = at ? combine(part, next) : next;
    }
    return part;
}

#endif
