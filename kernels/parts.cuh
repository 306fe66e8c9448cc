/*
 * Blocks hand parts of any size to a block that polls for them: slots.cuh's idea for values of more
 * than 8 bytes, which that header cannot carry and, as recorded runs name its hash, does not learn.
 *
 * A slot is a 64-bit word for each 32 bits of a part: the bits above, a mark below. Slots are zeroed
 * before the launch and left zeroed.
 *
 * A kernel that includes this has `constant: BLOCK` and the tunable PREFETCH.
 */
#ifndef REDSWEEP_KERNELS_PARTS_CUH
#define REDSWEEP_KERNELS_PARTS_CUH

#include "rows.cuh"

typedef unsigned long long slot_word;

enum { PART_WORDS = sizeof(row_part) / 4 };

static __device__ __forceinline__ void word_store(slot_word *at, slot_word word)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(at), "l"(word) : "memory");
}

static __device__ __forceinline__ void part_put(slot_word *slots, size_t i, row_part part)
{
    words_of<row_part> x;
    x.value = part;
#pragma unroll
    for (unsigned k = 0; k < PART_WORDS; k++)
        word_store(slots + i * PART_WORDS + k, (slot_word)x.words[k] << 32 | 1);
}

/*
 * For one warp: the parts in slots 0 … count - 1, and `part` of lane 0 behind them, joined; the total, in
 * every lane. READS slots of each lane are read at once, again and again, until a vote says that all are
 * there: lanes that wait for one slot after another pay a trip to L2 for each. So that nothing but the
 * reads is in their way, they do not look whether there is such a slot: 32 * READS more slots than are
 * used must be readable. Those may be other blocks', who zero them meanwhile, by relaxed stores, too. The
 * order of the combination is fixed, and a tree: parts of equally many elements meet, which is the short
 * way for variances.
 */
enum { READS = PART_WORDS == 1 ? 8 : 4 };

static __device__ __forceinline__ row_part warp_gather(slot_word *slots, unsigned count,
                                                       row_part part)
{
    unsigned lane = threadIdx.x % 32;
    row_part own = shuffle_xor(part, lane); /* that of lane 0 */
    part = part_of_none();
#pragma unroll 1
    for (unsigned first = lane; first - lane <= count; first += 32 * READS) {
        slot_word *at = slots + (size_t)first * PART_WORDS, words[READS][PART_WORDS];
        row_part found[READS];
        int left = (int)count - (int)first;
        bool all;
        do {
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < PART_WORDS; w++)
                    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                                 : "=l"(words[k][w])
                                 : "l"(at + 32 * k * PART_WORDS + w)
                                 : "memory");
            all = true;
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < PART_WORDS; w++)
                    all = all && ((words[k][w] & 1) || (int)(32 * k) >= left);
        } while (!__all_sync(0xffffffff, all));
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            words_of<row_part> x;
            x.value = (int)(32 * k) == left ? own : part_of_none();
#pragma unroll
            for (unsigned w = 0; w < PART_WORDS; w++)
                if ((int)(32 * k) < left) {
                    x.words[w] = (unsigned)(words[k][w] >> 32);
                    word_store(at + 32 * k * PART_WORDS + w, 0);
                }
            found[k] = x.value;
        }
#pragma unroll
        for (unsigned step = 1; step < READS; step *= 2)
#pragma unroll
            for (unsigned k = 0; k < READS; k += 2 * step)
                found[k] = join(found[k], found[k + step]);
        part = first == lane ? found[0] : join(part, found[0]);
    }
    lanes_join<1, 32>(&part);
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

/* A block that will gather brings its slots' lines into L2, where PREFETCH says so, before its loads. */
static __device__ __forceinline__ void slots_prefetch(const sharing &s)
{
    enum { LINE_WORDS = 128 / sizeof(slot_word) };
    unsigned others = group_members(s) - 1;
    if (!PREFETCH || s.mine != group_begin(s) + others)
        return;
    const slot_word *at = s.slots + (size_t)group_begin(s) * PART_WORDS;
    for (unsigned k = threadIdx.x * LINE_WORDS; k < others * PART_WORDS; k += BLOCK * LINE_WORDS)
        asm volatile("prefetch.global.L2 [%0];" : : "l"(at + k));
}

/*
 * For warp 0 of each block. Returns true in the one that has the total, in `part` of lane 0. Both
 * levels run the same instructions, which are in no cache when the first of them does.
 */
static __device__ __forceinline__ bool blocks_join(row_part *part, const sharing &s)
{
    unsigned members = group_members(s), number = s.mine - group_begin(s);
    slot_word *at = s.slots + (size_t)group_begin(s) * PART_WORDS;
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
