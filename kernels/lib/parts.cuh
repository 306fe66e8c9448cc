/*
 * Blocks hand parts of any size to a block that polls for them: slots.cuh's idea for values of more
 * than 8 bytes, which that header cannot carry and, as recorded runs name its hash, does not learn.
 *
 * A slot is a 64-bit word for each 32 bits of a part: the bits above, a mark below. Three share two such
 * words: the third's bits are beside the marks. Two words are stored and read by one access of 16 bytes, of
 * which each is whole by itself (PTX ISA, vector data types in the memory consistency model). Slots are
 * zeroed before the launch and left zeroed.
 *
 * A kernel that includes this has `constant: BLOCK` and the tunable PREFETCH.
 */
#ifndef REDSWEEP_KERNELS_PARTS_CUH
#define REDSWEEP_KERNELS_PARTS_CUH

#include "total.cuh"

typedef unsigned long long slot_word;

enum { PART_WORDS = sizeof(row_part) / 4, SLOT_WORDS = PART_WORDS == 3 ? 2 : PART_WORDS };

static __device__ __forceinline__ void slot_store(slot_word *slot, const slot_word *words)
{
    if (SLOT_WORDS == 1)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(slot), "l"(words[0]) : "memory");
#pragma unroll
    for (unsigned w = 0; w + 1 < SLOT_WORDS; w += 2)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(slot + w), "l"(words[w]), "l"(words[w + 1])
                     : "memory");
}

/* Where `real`; elsewhere `words` stay as they are. Without a branch. */
static __device__ __forceinline__ void slot_load_if(slot_word *words, const slot_word *slot, bool real)
{
    if (SLOT_WORDS == 1)
        asm volatile("{\n\t"
                     ".reg .pred real;\n\t"
                     "setp.ne.u32 real, %2, 0;\n\t"
                     "@real ld.relaxed.gpu.global.u64 %0, [%1];\n\t"
                     "}"
                     : "+l"(words[0])
                     : "l"(slot), "r"((unsigned)real)
                     : "memory");
#pragma unroll
    for (unsigned w = 0; w + 1 < SLOT_WORDS; w += 2)
        asm volatile("{\n\t"
                     ".reg .pred real;\n\t"
                     "setp.ne.u32 real, %3, 0;\n\t"
                     "@real ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];\n\t"
                     "}"
                     : "+l"(words[w]), "+l"(words[w + 1])
                     : "l"(slot + w), "r"((unsigned)real)
                     : "memory");
}

/* The mark of a slot's word, and `marks`. Opaque: nvcc compares each word by itself and in 64 bits. */
static __device__ __forceinline__ unsigned mark_and(unsigned marks, slot_word word)
{
    unsigned both;
    asm("and.b32 %0, %1, %2;" : "=r"(both) : "r"(marks), "r"((unsigned)word));
    return both;
}

static __device__ __forceinline__ void part_put(slot_word *slots, size_t i, row_part part)
{
    words_of<row_part> x;
    slot_word words[SLOT_WORDS];
    x.value = part;
#pragma unroll
    for (unsigned w = 0; w < SLOT_WORDS; w++)
        words[w] = (slot_word)x.words[w] << 32 | 1;
    if (PART_WORDS == 3) {
        unsigned third = x.words[PART_WORDS == 3 ? 2 : 0];
        words[0] |= (third & 0xffff) << 1;
        words[SLOT_WORDS - 1] |= third >> 16 << 1;
    }
    slot_store(slots + i * SLOT_WORDS, words);
}

static __device__ __forceinline__ row_part part_of_slot(const slot_word *words)
{
    words_of<row_part> x;
#pragma unroll
    for (unsigned w = 0; w < SLOT_WORDS; w++)
        x.words[w] = (unsigned)(words[w] >> 32);
    if (PART_WORDS == 3)
        x.words[PART_WORDS == 3 ? 2 : 0] =
            (unsigned)words[0] >> 1 | (unsigned)words[SLOT_WORDS - 1] >> 1 << 16;
    return x.value;
}

/*
 * One of `count` blocks that share a result, number `mine`; their slots are those from `first` on. Where
 * they are more than DIRECT, groups of `size` of them hand their parts to their last block first, whose
 * slots are those from `groups` on.
 */
struct sharing {
    slot_word *slots;
    unsigned first, groups, mine, count, size;
};

/*
 * The last block gathers so many parts at once, half of what its warps can read at once. Of more, it
 * gathers those of the last groups itself: they come from the blocks that end last, and would take two
 * trips to L2 more by way of their groups' last blocks.
 */
enum {
    READS = PART_WORDS <= 3 ? 8 : 4,
    WARPS = BLOCK / 32,
    DIRECT = BLOCK * READS / 2,
    LAST_GROUPS = DIRECT >= 2 * GATHER ? DIRECT / GATHER - 1 : 1
};

/*
 * What this warp gathers: `fronts` slots of groups and `blocks` of blocks, those from `first` on. `many`: all warps
 * of the block gather; otherwise the first one, if any.
 */
struct gathering {
    unsigned fronts, first, blocks;
    bool any, many;
};

/*
 * For one warp: the parts in slots 0 ... count - 1, and `part` of lane 0 behind them, joined; the total, in
 * every lane. READS slots of each lane are read at once, again and again, until a vote says that all are
 * there: lanes that wait for one slot after another pay a trip to L2 for each. Slots beyond `count` are not
 * read: they would come from memory. The order of the combination is fixed.
 */
static __device__ __forceinline__ row_part warp_gather(slot_word *slots, unsigned count, row_part part)
{
    unsigned lane = threadIdx.x % 32;
    const slot_word none[SLOT_WORDS] = {};
#pragma unroll 1
    for (unsigned first = lane; first - lane < count; first += 32 * READS) {
        slot_word *at = slots + (size_t)first * SLOT_WORDS, words[READS][SLOT_WORDS];
        row_part found[READS + 1];
        int left = (int)count - (int)first;
        unsigned marks;
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
#pragma unroll
            for (unsigned w = 0; w < SLOT_WORDS; w++)
                words[k][w] = 1;
        do {
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
                slot_load_if(words[k], at + 32 * k * SLOT_WORDS, (int)(32 * k) < left);
            marks = 1;
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < SLOT_WORDS; w++)
                    marks = mark_and(marks, words[k][w]);
        } while (!__all_sync(0xffffffff, marks));
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            found[k] = (int)(32 * k) < left ? part_of_slot(words[k]) : part_of_none();
        found[READS] = lane == 0 ? part : part_of_none();
        part = warp_total<READS + 1, 32>(found);
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            if ((int)(32 * k) < left)
                slot_store(at + 32 * k * SLOT_WORDS, none);
    }
    return part;
}

/*
 * Where PREFETCH says so, a block that will gather brings what it will read into L2: a slot is written in
 * part of a sector, and a sector of which a part was written comes from memory when it is read.
 */
static __device__ __forceinline__ void lines_prefetch(const slot_word *at, unsigned slots)
{
    enum { LINE_WORDS = 128 / sizeof(slot_word) };
#pragma unroll 1
    for (unsigned k = threadIdx.x * LINE_WORDS; k < slots * SLOT_WORDS; k += BLOCK * LINE_WORDS)
        asm volatile("prefetch.global.L2 [%0];" : : "l"(at + k));
}

/* To be called while the block's loads are under way. */
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
    if (PREFETCH && g.any) {
        lines_prefetch(s.slots + (size_t)g.first * SLOT_WORDS, count);
        if (last)
            lines_prefetch(s.slots + (size_t)s.groups * SLOT_WORDS, fronts);
    }
    if (g.many) { /* the first warp has the groups' slots, the others share the blocks' */
        unsigned each = (count + WARPS - 2) / (WARPS > 1 ? WARPS - 1 : 1), before = (warp - 1) * each;
        g.first += before;
        g.blocks = warp == 0 || before >= count ? 0 : min(each, count - before);
    }
    return g;
}

/*
 * For all threads of the block, of whose first warp `part` is the total. Returns true in the block that has
 * the total of all, in `part` of thread 0. Groups' last blocks and the last of all run the same
 * instructions, which are in no cache when the first of them does.
 */
static __device__ __forceinline__ bool blocks_join(row_part *part, const sharing &s, const gathering &g)
{
    bool last = s.mine == s.count - 1;
    if (g.any) {
        if (threadIdx.x >= 32)
            *part = part_of_none();
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
        part_put(s.slots, g.any ? s.groups + s.mine / s.size : s.first + s.mine, *part);
    return last;
}

#endif
