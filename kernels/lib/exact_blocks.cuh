/*
 * The exact sum of an array from what its blocks' warps have: blocks add up their warps' records, the last block those of
 * all blocks, which come through slots (slots.cuh), and rounds once.
 *
 * Little code, most of it straight, and what happens seldom apart: at a small input each line of it is fetched for the
 * first time, while all wait.
 */
#ifndef REDSWEEP_KERNELS_EXACT_BLOCKS_CUH
#define REDSWEEP_KERNELS_EXACT_BLOCKS_CUH

#include "exact.cuh"
#include "slots.cuh"

enum {
    WARPS = BLOCK / 32,
    WARP_TILE = 32 * LOADS * PACK_COUNT, /* elements */
    READS = 2,                           /* slots of a thread at once */
    COPIES = 8                           /* of digits in global memory, lest atomics wait for each other */
};
static_assert(2 * WARPS <= 32, "a warp adds up a block's records");

struct joining {
    long long digits[WARPS][DIGITS];
    record records[2 * WARPS]; /* of the elements, and of slots */
};

/* The part of the array that is whole tiles, and what is left at its ends. */
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
 * The ends of an array, for the warp that would have the tile after the last one: `room` has a tile. By value: what has an
 * address is in memory all the time.
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

/* This thread's share of slots, as one carried record. What lies too far apart goes to the digits. */
static __device__ __forceinline__ record slots_record(slot_word *slots, unsigned count, long long *digits)
{
    record sum = record_none();
    unsigned about = 0;
#pragma unroll 1
    for (unsigned first = threadIdx.x / 32 * (32 * READS); first < count; first += BLOCK * READS) {
        slots_read<32, READS, record> r(slots, 1, first + threadIdx.x % 32, count);
        r.wait();
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            const record found = r.value(k, record_none());
            about |= found.about;
            if (__builtin_expect(!record_join(&sum, found), 0)) {
                record_to_digits(digits, found);
                about |= HAS_DIGITS;
            }
            if (r.exists(k))
                r.clear(k);
        }
    }
    sum.about = (unsigned short)about;
    return sum;
}

/* For warp 0: all warps' digits and the sum as one number. */
static __device__ __forceinline__ void digits_gather(long long (*digits)[DIGITS], const total &all, lane_digits &mine)
{
    if (threadIdx.x == 0)
        record_to_digits(digits[0], all.sum, all.top);
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

/* A block's digits go to those in global memory, before the slot that says so. */
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

/* The last block's sum and what is in the digits in global memory, which are left zeroed. */
static __device__ __noinline__ value_t deep_round(long long (*digits)[DIGITS], total all, digit *deep)
{
    lane_digits mine;
    digits_gather(digits, all, mine);
    __threadfence(); /* the slots before these */
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

/* The end of every block: its warps' sums, to a slot or, in the last one, with those of all slots to the output. */
static __device__ __forceinline__ void blocks_join(gathered *g, joining *all, value_t *output, slot_word *slots,
                                                   digit *deep, index_t n)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const bool last = blockIdx.x == gridDim.x - 1;
    gather_flush(g, &all->records[warp], all->digits[warp]);
    const unsigned about = warp_or(g->about);
    if (lane == 0)
        all->records[warp].about = (unsigned short)about;
    total sum;
#pragma unroll 1
    for (unsigned level = last ? 0 : 1;; level++) { /* two are one code */
        record mine;
        if (level) {
            __syncthreads();
            if (warp)
                return;
            mine = lane < 2 * WARPS ? all->records[lane] : record_none();
        } else {
            mine = slots_record(slots, blockIdx.x, all->digits[warp]);
        }
        sum = records_total(mine, all->digits[warp]);
        if (level)
            break;
        if (lane == 0)
            all->records[WARPS + warp] = sum.sum;
    }
    if (!last) {
        if (__builtin_expect(sum.sum.about & HAS_DIGITS, 0)) {
            deep_add(all->digits, sum, deep);
            const unsigned seen = sum.sum.about;
            sum.sum = record_none();
            sum.sum.about = (unsigned short)seen;
        }
        if (lane == 0)
            slot_put(slots, blockIdx.x, sum.sum);
        return;
    }
    const value_t value = __builtin_expect(sum.sum.about & HAS_DIGITS, 0)
                              ? deep_round(all->digits, sum, deep)
                              : wide_round(wide_of(sum.sum, sum.top), sum.sum.unit);
    if (lane == 0)
        *output = sum.sum.about & HAS_SPECIAL           ? special_value(sum.sum.about)
                  : sum.sum.about & HAS_OTHER || n == 0 ? value
                                                        : -(value_t)0;
}

#endif
