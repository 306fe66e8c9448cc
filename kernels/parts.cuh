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

static __device__ __forceinline__ void slot_load(slot_word *words, const slot_word *slot)
{
    if (SLOT_WORDS == 1)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(words[0]) : "l"(slot) : "memory");
#pragma unroll
    for (unsigned w = 0; w + 1 < SLOT_WORDS; w += 2)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(words[w]), "=l"(words[w + 1])
                     : "l"(slot + w)
                     : "memory");
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
 * For one warp: the parts in slots 0 … count - 1, and `part` of lane 0 behind them, joined; the total, in
 * every lane. READS slots of each lane are read at once, again and again, until a vote says that all are
 * there: lanes that wait for one slot after another pay a trip to L2 for each. So that nothing but the
 * reads is in their way, they do not look whether there is such a slot: 32 * READS more slots than are
 * used must be readable. Those may be other blocks', who zero them meanwhile, by relaxed stores, too. The
 * order of the combination is fixed.
 */
enum { READS = PART_WORDS <= 3 ? 8 : 4 };

static __device__ __forceinline__ row_part warp_gather(slot_word *slots, unsigned count,
                                                       row_part part)
{
    unsigned lane = threadIdx.x % 32;
    row_part own = shuffle_xor(part, lane); /* that of lane 0 */
    const slot_word none[SLOT_WORDS] = {};
#pragma unroll 1
    for (unsigned first = lane; first - lane <= count; first += 32 * READS) {
        slot_word *at = slots + (size_t)first * SLOT_WORDS, words[READS][SLOT_WORDS];
        row_part found[READS];
        int left = (int)count - (int)first;
        unsigned marks;
        do {
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
                slot_load(words[k], at + 32 * k * SLOT_WORDS);
            marks = 1;
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < SLOT_WORDS; w++) /* without a branch for each */
                    marks &= (unsigned)words[k][w] | (unsigned)((int)(32 * k) >= left);
        } while (!__all_sync(0xffffffff, marks));
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            found[k] = (int)(32 * k) == left ? own : part_of_none();
            if ((int)(32 * k) < left) {
                found[k] = part_of_slot(words[k]);
                slot_store(at + 32 * k * SLOT_WORDS, none);
            }
        }
        row_part total = warp_total<READS, 32>(found);
        part = first == lane ? total : join(part, total);
    }
    return part;
}

/*
 * One of `count` blocks that share a result, number `mine`. Groups of `size` of them hand their parts to
 * their last block, the groups to the last block of all; `group_slots` has a slot per group.
 */
struct sharing {
    slot_word *slots, *group_slots;
    unsigned mine, count, size;
};

static __device__ __forceinline__ unsigned group_begin(const sharing &s)
{
    return s.mine / s.size * s.size;
}

static __device__ __forceinline__ unsigned group_members(const sharing &s)
{
    unsigned left = s.count - group_begin(s);
    return left < s.size ? left : s.size;
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

static __device__ __forceinline__ void slots_prefetch(const sharing &s)
{
    unsigned others = group_members(s) - 1;
    if (!PREFETCH || s.mine != group_begin(s) + others)
        return;
    lines_prefetch(s.slots + (size_t)group_begin(s) * SLOT_WORDS, others);
    if (s.mine == s.count - 1)
        lines_prefetch(s.group_slots, s.mine / s.size);
}

/*
 * For warp 0 of each block. Returns true in the one that has the total, in `part` of lane 0. Both
 * levels run the same instructions, which are in no cache when the first of them does.
 */
static __device__ __forceinline__ bool blocks_join(row_part *part, const sharing &s)
{
    unsigned members = group_members(s), number = s.mine - group_begin(s);
    slot_word *at = s.slots + (size_t)group_begin(s) * SLOT_WORDS;
#pragma unroll 1
    for (bool groups = false;; groups = true) {
        if (number != members - 1) {
            if (threadIdx.x == 0)
                part_put(at, number, *part);
            return false;
        }
        if (members > 1)
            *part = warp_gather(at, members - 1, *part);
        if (groups || s.count <= s.size)
            return true;
        at = s.group_slots;
        number = s.mine / s.size;
        members = (s.count + s.size - 1) / s.size;
    }
}

#endif
