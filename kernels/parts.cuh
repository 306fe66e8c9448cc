/*
 * Blocks hand parts of any size to a block that polls for them: slots.cuh's idea for values of more
 * than 8 bytes, which that header cannot carry and, as recorded runs name its hash, does not learn.
 *
 * A slot is a 64-bit word for each 32 bits of a part: the bits above, a mark below. Slots are zeroed
 * before the launch and left zeroed.
 */
#ifndef REDSWEEP_KERNELS_PARTS_CUH
#define REDSWEEP_KERNELS_PARTS_CUH

#include "rows.cuh"

typedef unsigned long long slot_word;

enum { PART_WORDS = sizeof(row_part) / 4 };

static __device__ __forceinline__ void part_put(slot_word *slots, size_t i, row_part part)
{
    words_of<row_part> x;
    x.value = part;
#pragma unroll
    for (unsigned k = 0; k < PART_WORDS; k++)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                     :
                     : "l"(slots + i * PART_WORDS + k), "l"((slot_word)x.words[k] << 32 | 1)
                     : "memory");
}

/* Reads slot i once; false while one of its marks is missing. */
static __device__ __forceinline__ bool part_try(const slot_word *slots, size_t i, row_part *part)
{
    words_of<row_part> x;
    slot_word marks = 1;
#pragma unroll
    for (unsigned k = 0; k < PART_WORDS; k++) {
        slot_word word;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(word)
                     : "l"(slots + i * PART_WORDS + k)
                     : "memory");
        x.words[k] = (unsigned)(word >> 32);
        marks &= word;
    }
    *part = x.value;
    return marks & 1;
}

/*
 * For one warp: the parts in slots 0 … count - 1, and `part` of lane 0 behind them, joined; the total, in
 * every lane. READS slots of each lane are read at once, again and again, until a vote says that all are
 * there: lanes that wait for one slot after another pay a trip to L2 for each. The order of the
 * combination is fixed, and a tree: parts of equally many elements meet, which is the short way for
 * variances.
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
        row_part found[READS];
        bool all;
        do {
            all = true;
#pragma unroll
            for (unsigned k = 0; k < READS; k++) {
                unsigned i = first + 32 * k;
                all = part_try(slots, i < count ? i : count - 1, &found[k]) && all;
            }
        } while (!__all_sync(0xffffffff, all));
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            size_t i = first + 32 * k;
            if (i >= count)
                found[k] = i == count ? own : part_of_none();
#pragma unroll
            for (unsigned w = 0; w < PART_WORDS; w++)
                if (i < count)
                    slots[i * PART_WORDS + w] = 0;
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
 * For warp 0 of each of `count` blocks that share a result, of which this one is number `mine`: groups
 * of `size` blocks hand their parts to their last block, the groups to the last block of all. Returns
 * true there, with the total in `part` of lane 0. `group_slots` has a slot per group.
 */
static __device__ __forceinline__ bool blocks_join(row_part *part, slot_word *slots,
                                                   slot_word *group_slots, unsigned mine,
                                                   unsigned count, unsigned size)
{
    unsigned group = mine / size, begin = group * size;
    unsigned mates = count - begin < size ? count - begin : size;
    if (mine != begin + mates - 1) {
        if (threadIdx.x == 0)
            part_put(slots, mine, *part);
        return false;
    }
    if (mates > 1)
        *part = warp_gather(slots + (size_t)begin * PART_WORDS, mates - 1, *part);
    if (mine != count - 1) {
        if (threadIdx.x == 0)
            part_put(group_slots, group, *part);
        return false;
    }
    if (group > 0)
        *part = warp_gather(group_slots, group, *part);
    return true;
}

#endif
