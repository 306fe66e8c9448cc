/*
 * Computes the exact sum of an array. Each block adds up its warps' records and passes the sum on through a slot
 * (slots.cuh). The grid's last block adds the sums of all blocks and rounds once. In a large grid, blocks form groups,
 * and the last block of each group passes on the group's sum.
 *
 * For small inputs, all threads wait while each cache line of code is fetched for the first time. The code is
 * therefore short and mostly straight-line, with rare cases in separate functions.
 */
#ifndef REDSWEEP_KERNELS_EXACT_BLOCKS_CUH
#define REDSWEEP_KERNELS_EXACT_BLOCKS_CUH

#include "exact.cuh"
#include "slots.cuh"

enum {
    WARPS = BLOCK / 32,
    WARP_TILE = 32 * LOADS * PACK_COUNT, /* elements */
    READS = 2,                           /* slots that a thread reads at once */
    DIRECT = WARPS * 32 * READS,         /* slots that a block gathers at once; a grid with more blocks has groups */
    GROUP = 256,                         /* blocks per group */
    COPIES = 8                           /* copies of the digits in global memory, so that atomics contend less */
};
static_assert(WARPS >= 2 && 2 * WARPS <= 32, "a warp adds up a block's records, and half of them gather groups' slots");

struct joining {
    long long digits[WARPS][DIGITS];
    record records[2 * WARPS]; /* one per warp for elements, then one per warp for slots */
};

/* The array's whole tiles, and the elements left over at its ends. */
struct tiles {
    const element *body;
    index_t whole;
    unsigned head, rest;
};

static __device__ __forceinline__ tiles tiles_of(const element *input, index_t n)
{
    tiles t;
    t.head = 0;
#ifdef ANY_OFFSET
    t.head = (unsigned)(-(unsigned long long)input % 16 / sizeof(element));
    t.head = t.head < n ? t.head : (unsigned)n;
#endif
    t.body = input + t.head;
    t.whole = (n - t.head) / WARP_TILE;
    t.rest = (unsigned)((n - t.head) % WARP_TILE);
    return t;
}

static __device__ __forceinline__ void joining_begin(joining *all)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            all->digits[warp][lane + 32 * i] = 0;
    if (lane < 2)
        all->records[warp + lane * WARPS] = record_none();
    __syncwarp();
}

/*
 * Adds the elements before and after an array's whole tiles. Called by the warp that would take the next tile if there
 * were one. `room` has space for a tile. `g` is passed by value, because taking its address would force it into
 * memory.
 */
static __device__ __noinline__ gathered ends_gather(gathered g, record *mine, long long *digits, uint4 *room,
                                                    const element *rest, unsigned rest_count,
                                                    const element *head, unsigned head_count)
{
    const shared_tile tile = {room + threadIdx.x % 32};
#pragma unroll 1
    for (unsigned end = 0; end < 2; end++) {
        const unsigned count = end ? head_count : rest_count;
        if (count) {
            tile_fill((element *)room, WARP_TILE, end ? head : rest, count);
            gather(&g, mine, digits, tile);
        }
    }
    return g;
}

/*
 * Returns the sum of two records whose units can differ. If the units are too far apart, adds `found` to the digits
 * instead.
 */
static __device__ __noinline__ record record_far(record sum, record found, long long *digits)
{
    record_carry(&sum);
    record_carry(&found);
    if (!record_join(&sum, found)) {
        record_to_digits(digits, found);
        sum.about |= HAS_DIGITS;
    }
    return sum;
}

/* The slots that a warp reads: the first 32 * READS of every `step` slots from `first` on. */
struct share {
    slot_word *slots;
    unsigned first, step, count;
};

/*
 * Whether this block gathers slots, and which ones. The workspace has the blocks' slots, then the groups' slots, then
 * the digits. In the last block of a grid with groups, half of the warps gather the slots of the block's own group,
 * and the other half gather the slots of the groups before it.
 */
struct place {
    slot_word *slots, *groups;
    digit *deep;
    unsigned begin; /* number of its group's first slot, or 0 without groups */
    bool last, gathers;

    __device__ __forceinline__ explicit place(void *workspace)
        : slots((slot_word *)workspace), groups(slots + (size_t)gridDim.x * slot_of<record>::WORDS),
          deep((digit *)(groups + (size_t)((gridDim.x + GROUP - 1) / GROUP) * slot_of<record>::WORDS)),
          begin(gridDim.x > DIRECT ? blockIdx.x / GROUP * GROUP : 0), last(blockIdx.x == gridDim.x - 1),
          gathers(last || (gridDim.x > DIRECT && blockIdx.x % GROUP == GROUP - 1))
    {
    }

    __device__ __forceinline__ share gathered_by(unsigned warp) const
    {
        enum { EACH = 32 * READS, HALF = WARPS / 2 };
        slot_word *own = slots + (size_t)begin * slot_of<record>::WORDS;
        if (!last || begin == 0)
            return {own, warp * EACH, WARPS * EACH, blockIdx.x - begin};
        if (warp < HALF)
            return {own, warp * EACH, HALF * EACH, blockIdx.x - begin};
        return {groups, (warp - HALF) * EACH, HALF * EACH, begin / GROUP};
    }

    /*
     * Prefetches the slots into L2. A store writes only part of a 32-byte sector, so without the prefetch, a later
     * read would have to fetch the rest of the sector from memory.
     */
    __device__ __forceinline__ void prefetch() const
    {
        if (!gathers)
            return;
        slots_prefetch<record>(slots + (size_t)begin * slot_of<record>::WORDS, blockIdx.x - begin);
        if (last)
            slots_prefetch<record>(groups, begin / GROUP);
    }
};

/*
 * Returns the sum of this thread's share of the slots as one settled record (see record_settle()). Its unit is usually
 * *unit, the unit of the warp. If the warp has none, *unit is set to that of a slot first.
 */
static __device__ __forceinline__ record slots_record(const share &mine, int *unit, long long *digits)
{
    record sum = record_none();
#pragma unroll 1
    for (unsigned first = mine.first; first < mine.count; first += mine.step) {
        slots_read<32, READS, record> r(mine.slots, 1, first + threadIdx.x % 32, mine.count);
        r.wait();
        if (__builtin_expect(*unit == NO_UNIT, 0))
            *unit = __shfl_sync(0xffffffffu, r.value(0, record_none()).unit, 0);
        sum.unit = sum.unit == NO_UNIT ? (short)*unit : sum.unit;
        unsigned about = 0;
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            const record found = r.value(k, record_none());
            about |= found.about;
            if (__builtin_expect(sum.unit != *unit || !record_plain(found, *unit), 0)) {
                sum = record_far(sum, found, digits);
            } else {
#pragma unroll
                for (int i = 0; i < PIECES; i++)
                    sum.pieces[i] += found.pieces[i];
            }
            if (r.exists(k))
                r.clear(k);
        }
        sum.about |= (unsigned short)about;
        record_settle(&sum);
        if (__builtin_expect(!record_plain(sum, *unit), 0)) {
            const unsigned seen = sum.about | HAS_DIGITS;
            record_to_digits(digits, sum);
            sum = record_none();
            sum.about = (unsigned short)seen;
        }
    }
    return sum;
}

/*
 * Adds the digits of all the block's warps and the block's sum `all`, and stores this lane's digits of the result in
 * `mine`. Called by warp 0.
 */
static __device__ __forceinline__ void digits_gather(long long (*digits)[DIGITS], const total &all, lane_digits &mine)
{
    total carried = all;
    total_carry(&carried);
    if (threadIdx.x == 0)
        record_to_digits(digits[0], carried.sum, carried.top);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        mine[i] = 0;
        if (threadIdx.x + 32 * i < DIGITS)
#pragma unroll 1
            for (int w = 0; w < WARPS; w++)
                mine[i] += digits[w][threadIdx.x + 32 * i];
    }
}

/*
 * Adds a block's digits and its sum `all` to the digits in global memory. Called before the block's slot is written,
 * because the slot announces these digits.
 */
static __device__ __noinline__ void deep_add(long long (*digits)[DIGITS], total all, digit *deep)
{
    lane_digits mine;
    digits_gather(digits, all, mine);
    digits_resolve(mine);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (threadIdx.x + 32 * i < DIGITS && mine[i])
            atomicAdd(&deep[blockIdx.x % COPIES * DIGITS + threadIdx.x + 32 * i], (digit)mine[i]);
    __threadfence();
    __syncwarp();
}

/* Rounds the last block's sum together with the digits in global memory, and zeroes these digits. */
static __device__ __noinline__ value_t deep_round(long long (*digits)[DIGITS], total all, digit *deep)
{
    lane_digits mine;
    digits_gather(digits, all, mine);
    __threadfence(); /* the slots are read before these digits */
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
#pragma unroll 1
        for (int copy = 0; copy < COPIES; copy++)
            if (threadIdx.x + 32 * i < DIGITS) {
                digit *at = &deep[copy * DIGITS + threadIdx.x + 32 * i];
                mine[i] += (long long)__ldcg(at);
                *at = 0;
            }
    return digits_round(mine);
}

/*
 * Finishes a block: adds the sums of its warps and of the slots that it gathers, and writes the result to a slot. The
 * last block writes it to the output instead.
 */
static __device__ __forceinline__ void blocks_join(gathered *g, joining *all, value_t *output, const place &here,
                                                   index_t n)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int unit = g->tiles ? g->unit : NO_UNIT;
    gather_flush(g, &all->records[warp], all->digits[warp]);
    const unsigned about = warp_or(g->about);
    if (lane == 0)
        all->records[warp].about = (unsigned short)about;
    total sum;
#pragma unroll 1
    for (unsigned level = here.gathers ? 0 : 1;; level++) { /* a loop, so that both levels share code */
        record mine;
        if (level) {
            __syncthreads();
            if (warp)
                return;
            mine = lane < 2 * WARPS ? all->records[lane] : record_none();
        } else {
            mine = slots_record(here.gathered_by(warp), &unit, all->digits[warp]);
        }
        sum = records_total(mine, unit, all->digits[warp]);
        if (level)
            break;
        if (lane == 0)
            all->records[WARPS + warp] = sum.sum;
    }
    if (!here.last) {
        if (__builtin_expect(sum.sum.about & HAS_DIGITS, 0)) {
            deep_add(all->digits, sum, here.deep);
            const unsigned seen = sum.sum.about;
            sum.sum = record_none();
            sum.sum.about = (unsigned short)seen;
        }
        if (lane == 0)
            slot_put(here.gathers ? here.groups : here.slots, here.gathers ? blockIdx.x / GROUP : blockIdx.x, sum.sum);
        return;
    }
    const value_t value = __builtin_expect(sum.sum.about & HAS_DIGITS, 0)
                              ? deep_round(all->digits, sum, here.deep)
                              : total_round(sum);
    if (lane == 0)
        *output = sum.sum.about & HAS_SPECIAL           ? special_value(sum.sum.about)
                  : sum.sum.about & HAS_OTHER || n == 0 ? value
                                                        : -(value_t)0;
}

#endif
