/*
 * Passes the partials of all blocks that share a result to the last of these blocks, through slots
 * (slots.cuh). If there are too many for it to gather at once, the blocks form groups, and the last
 * block of each group passes on the group's total.
 *
 * Kernels that include this header need the fact `constant: BLOCK` and the tunables GATHER (the
 * group size) and PREFETCH.
 */
#ifndef REDSWEEP_KERNELS_HANDSHAKE_CUH
#define REDSWEEP_KERNELS_HANDSHAKE_CUH

#include "slots.cuh"

/*
 * Block number `mine` of the `count` blocks that share a result. The first block's slot has the
 * number `first`. If there are more than DIRECT blocks, they form groups of `size` blocks. The
 * first group's slot has the number `groups`.
 */
struct sharing {
    slot_word *slots;
    unsigned first, groups, mine, count, size;
};

/*
 * DIRECT is how many partials the last block gathers at once: half of what its warps can read at
 * once. If there are more, it still gathers the partials of the last LAST_GROUPS groups itself.
 * Their blocks finish last, and the detour through the last blocks of these groups would take two
 * more trips to L2.
 */
enum {
    READS = slot_of<partial>::BITS <= 3 ? 8 : 4,
    WARPS = BLOCK / 32,
    DIRECT = BLOCK * READS / 2,
    LAST_GROUPS = DIRECT >= 2 * GATHER ? DIRECT / GATHER - 1 : 1
};

/*
 * The slots that this warp gathers: `fronts` slots of groups, and `blocks` slots of blocks, the
 * first of which has the number `first`. `any` says whether the warp's block gathers slots at all,
 * and `many` whether all its warps take part or just the first one.
 */
struct gathering {
    unsigned fronts, first, blocks;
    bool any, many;
};

/*
 * Combines the partials in slots 0 ... count - 1 and lane 0's `part`. All lanes of a warp call this
 * function, and every lane returns the total.
 */
static __device__ __forceinline__ partial warp_gather(slot_word *slots, unsigned count, partial part)
{
    unsigned lane = threadIdx.x % 32;
#pragma unroll 1
    for (unsigned first = lane; first - lane < count; first += 32 * READS) {
        slots_read<32, READS, partial> r(slots, 1, first, count);
        partial found[READS + 1];
        r.wait();
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            found[k] = r.value(k, nothing());
        found[READS] = lane == 0 ? part : nothing();
        part = warp_total<READS + 1, 32>(found);
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            if (r.exists(k))
                r.clear(k);
    }
    return part;
}

/*
 * Returns the slots that this warp gathers, and prefetches their lines into L2. Call it while the
 * block's loads are in flight.
 */
static __device__ __forceinline__ gathering gathering_of(const sharing &s)
{
    unsigned groups = (s.count + s.size - 1) / s.size, warp = threadIdx.x / 32;
    unsigned fronts = s.count > DIRECT && groups > LAST_GROUPS ? groups - LAST_GROUPS : 0;
    bool last = s.mine == s.count - 1;
    unsigned begin = last ? fronts * s.size : s.mine / s.size * s.size;
    unsigned count = last ? s.mine - begin : s.size - 1;
    gathering g;
    g.any = last ? s.mine > 0 : s.mine < fronts * s.size && s.mine == begin + count;
    g.many = WARPS > 1 && g.any && count > 32 * READS;
    g.fronts = last && warp == 0 ? fronts : 0;
    g.first = s.first + begin;
    g.blocks = !g.any || (warp > 0 && !g.many) ? 0 : count;
    /*
     * The prefetch is needed because a store writes only part of a 32-byte sector. Without it, a
     * later read would have to fetch the rest of the sector from memory.
     */
    if (PREFETCH && g.any) {
        slots_prefetch<partial>(s.slots + (size_t)g.first * SLOT_WORDS, count);
        if (last)
            slots_prefetch<partial>(s.slots + (size_t)s.groups * SLOT_WORDS, fronts);
    }
    /* The first warp reads the groups' slots, and the other warps share the blocks' slots. */
    if (g.many) {
        unsigned each = (count + WARPS - 2) / (WARPS > 1 ? WARPS - 1 : 1), before = (warp - 1) * each;
        g.first += before;
        g.blocks = warp == 0 || before >= count ? 0 : min(each, count - before);
    }
    return g;
}

/*
 * Passes this block's total, which the first warp has in `part`, to the last block. All threads of
 * the block call this function. Returns true in the block that ends up with the overall total,
 * which thread 0 then has in `part`. The last block of a group runs the same loop as the very last
 * block, because code has to be fetched from memory before it first runs.
 */
static __device__ __forceinline__ bool blocks_join(partial *part, const sharing &s, const gathering &g)
{
    bool last = s.mine == s.count - 1;
    if (g.any) {
        if (threadIdx.x >= 32)
            *part = nothing();
#pragma unroll 1
        for (bool groups = true;; groups = false) {
            slot_word *slots = s.slots + (size_t)(groups ? s.groups : g.first) * SLOT_WORDS;
            *part = warp_gather(slots, groups ? g.fronts : g.blocks, *part);
            if (!groups)
                break;
        }
        if (WARPS > 1 && g.many)
            *part = warps_join<WARPS>(*part, 1);
    }
    if (!last && threadIdx.x == 0)
        slot_put(s.slots, g.any ? s.groups + s.mine / s.size : s.first + s.mine, *part);
    return last;
}

#endif
