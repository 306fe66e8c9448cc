// kernel:    onepass_exact
// idea:      the sum without any error, rounded once: warps turn their elements into integers, blocks write
//            these to slots, and the block with the highest number adds them up and rounds. So the bits depend
//            on the elements alone, not on their order, the launch or the GPU
// source:    redsweep; exact sums by long fixed-point numbers: Kulisch, Computer Arithmetic and Validity (2008);
//            on GPUs: Collange, Defour, Graillat and Iakymchuk, Numerical Reproducibility for the Parallel
//            Reduction on Multi- and Many-Core Architectures, Parallel Computing 49 (2015)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      ceil_div(ceil_div(N, COVERS), ROUNDS)
// workspace: 48 * GRID + 8 * if(SIZEOF = 8, 72, 16)
// depth:     1
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8
// tunable:   ROUNDS 1 2 4 8 16 32 64
// tunable:   AHEAD 0 1
// tunable:   MIN_BLOCKS 1 2 3 4 6 8
// default:   LOADS 4 MIN_BLOCKS 2
// requires:  LOADS * 16 / SIZEOF <= 32 and ROUNDS * LOADS * 16 / SIZEOF <= if(SIZEOF = 8, 512, 4096)
// requires:  ROUNDS = 1 or N >= COVERS * SMS * ROUNDS
// requires:  AHEAD = 0 or ROUNDS > 1
// requires:  BLOCK * MIN_BLOCKS * (LOADS * (if(SIZEOF < 4, 8, 4) + 4 * AHEAD) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32 float64 float16 bfloat16
// ops:       sum
// min_arch:  sm_80
// uniform:   no
// counts:    vary
// standalone: yes
// exact:     yes
#include "exact.cuh"
#include "slots.cuh"

/*
 * Predicted: 0.5 µs more than onepass_slots, for the digits' carries; for large inputs the time of reading, as 8
 * operations on each float32 take a quarter of the time that it takes to come. ROUNDS: a warp's sums go to its
 * digits, and the block's to a slot, once for several tiles. AHEAD: the next tile is on its way meanwhile.
 */
enum {
    COUNT = LOADS * (int)PACK_WIDTH, /* elements of a thread in a tile */
    TILE = BLOCK * COUNT,
    WARPS = BLOCK / 32,
    READS = 4 /* slots of a thread at once */
};

/*
 * What a block has: 128 bits with a sign, from digit `base` on, and what else it has seen. DEEP: its number is longer;
 * it is among the digits behind the slots.
 */
struct record {
    unsigned digits[4], base, about;
};
enum { HAS_OTHER = 8, IS_NEGATIVE = 16, IS_DEEP = 32 }; /* besides those of `special` */

union loaded {
    uint4 words[LOADS];
    element elements[COUNT];
};

/* This thread's elements of a tile that is there as a whole: only issues the loads. */
static __device__ __forceinline__ void tile_load(const element *tile, loaded *p)
{
    const uint4 *mine = (const uint4 *)tile + threadIdx.x;
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(p->words[i].x), "=r"(p->words[i].y), "=r"(p->words[i].z),
                       "=r"(p->words[i].w)
                     : "l"(mine + i * BLOCK));
}

static __device__ __forceinline__ void tile_gather(gathered *g, long long *digits, const loaded &p)
{
    value_t x[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        x[i] = convert(p.elements[i]);
    gather(g, digits, x);
}

/* What is in no tile: `head` elements, and those from `tail` on. What is beyond the end is -0, which changes no sum. */
static __device__ __forceinline__ void rest_gather(gathered *g, long long *digits, const element *input,
                                                   unsigned head, index_t tail, index_t n)
{
    const unsigned count = head + (unsigned)(n - tail);
#pragma unroll 1
    for (unsigned first = 0; first < count; first += TILE) { /* twice, if at all */
        value_t x[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const unsigned at = first + i * BLOCK + threadIdx.x;
            x[i] = at < count ? convert(input[at < head ? at : tail + (at - head)]) : -(value_t)0;
        }
        gather(g, digits, x);
    }
}

/* The record of a resolved number; one that does not fit goes to `deep`, in global memory. For a warp. */
static __device__ __forceinline__ record record_make(const lane_digits &mine, unsigned about,
                                                     digit *deep)
{
    const bool minus = is_negative(mine);
    const unsigned sign = minus ? ~0u : 0;
    const int top = highest_unlike(mine, sign);
    const bool room = ((digit_at(mine, top) ^ sign) >> 31) == 0; /* for the sign */
    int base = top - (room ? 3 : 2);
    base = base < 0 ? 0 : base < DIGITS - 4 ? base : DIGITS - 4;
    record r = {{0, 0, 0, 0}, (unsigned)base, about};
    if (any_below(mine, base)) { /* the same for the warp */
#pragma unroll
        for (int i = 0; i < LANE_DIGITS; i++)
            if (threadIdx.x + 32 * i < DIGITS && mine[i])
                atomicAdd(&deep[threadIdx.x + 32 * i], (digit)mine[i]);
        __threadfence(); /* before the slot that says so */
        __syncwarp();
        r.about |= IS_DEEP;
        return r;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        r.digits[i] = digit_at(mine, base + i);
    r.about |= minus ? IS_NEGATIVE : 0;
    return r;
}

/* Adds a record of each lane that has one to the warp's digits. Most have the same base. */
static __device__ __forceinline__ void records_add(long long *digits, const record &r, bool exists)
{
    const unsigned lane = threadIdx.x % 32;
    unsigned waiting = __ballot_sync(0xffffffffu, exists && !(r.about & IS_DEEP));
#pragma unroll 1
    while (waiting) {
        const unsigned base = __shfl_sync(0xffffffffu, r.base, __ffs((int)waiting) - 1);
        const bool now = exists && !(r.about & IS_DEEP) && r.base == base;
        long long sums[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const unsigned bits = now ? r.digits[i] : 0;
            sums[i] = warp_sum((int)(bits & 0xffff)) + (warp_sum((int)(bits >> 16)) << 16);
        }
        const int minus = __popc(__ballot_sync(0xffffffffu, now && (r.about & IS_NEGATIVE)));
        if (lane < 4)
            digits[base + lane] += lane == 0 ? sums[0] : lane == 1 ? sums[1] : lane == 2 ? sums[2] : sums[3];
        __syncwarp();
        if (lane == 0) { /* the sign goes through all digits above */
            if (base + 4 < DIGITS)
                digits[base + 4] -= minus;
            else
                digits[LAST_DIGIT] -= (long long)minus << 32;
        }
        __syncwarp();
        waiting &= ~__ballot_sync(0xffffffffu, now);
    }
}

/* This warp's share of all other blocks' slots; what they say besides, in each lane its own. */
static __device__ __forceinline__ unsigned records_gather(long long *digits, slot_word *slots,
                                                          unsigned count)
{
    unsigned about = 0;
#pragma unroll 1
    for (unsigned first = threadIdx.x / 32 * (32 * READS); first < count; first += BLOCK * READS) {
        slots_read<32, READS, record> r(slots, 1, first + threadIdx.x % 32, count);
        r.wait();
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            const record none = {{0, 0, 0, 0}, 0, 0};
            const record found = r.value(k, none);
            about |= found.about;
            records_add(digits, found, r.exists(k));
            if (r.exists(k))
                r.clear(k);
        }
    }
    return about & ~(unsigned)IS_NEGATIVE;
}

/* The sum of the warps' digits, and all that their lanes have seen. For warp 0, behind a barrier. */
static __device__ __forceinline__ unsigned block_sum(const long long (*digits)[DIGITS], const unsigned *abouts,
                                                     lane_digits &mine)
{
    unsigned about = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        about |= abouts[w];
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        mine[i] = 0;
        if (threadIdx.x + 32 * i < DIGITS)
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                mine[i] += digits[w][threadIdx.x + 32 * i];
    }
    return about;
}

/* The numbers of blocks whose records are too short, taken and zeroed. */
static __device__ __forceinline__ void deep_add(lane_digits &mine, digit *deep)
{
    __threadfence(); /* the slots before these */
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (threadIdx.x + 32 * i < DIGITS) {
            mine[i] += (long long)__ldcg(&deep[threadIdx.x + 32 * i]);
            deep[threadIdx.x + 32 * i] = 0;
        }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_exact(element *input, element *output, index_t n, void *workspace)
{
    __shared__ long long digits[WARPS][DIGITS];
    __shared__ unsigned abouts[WARPS];
    slot_word *slots = (slot_word *)workspace; /* zeroed, and left zeroed */
    digit *deep = (digit *)(slots + (size_t)gridDim.x * slot_of<record>::WORDS);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, others = gridDim.x - 1;
    const bool gathers = blockIdx.x == others;
    unsigned head = 0;
#ifdef ANY_OFFSET
    head = (unsigned)(-(unsigned long long)input % 16 / sizeof(element));
    head = head < n ? head : (unsigned)n;
#endif
    const element *body = input + head;
    const index_t whole = (n - head) / TILE; /* tiles */
    index_t tile = blockIdx.x;
    loaded now, next;
    if (tile < whole)
        tile_load(body + tile * TILE, &now);
    if (gathers)
        slots_prefetch<record>(slots, others);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    __syncwarp();
    gathered g = gather_begin();
#pragma unroll 1
    while (tile < whole) {
        const index_t after = tile + gridDim.x;
        if (AHEAD && after < whole)
            tile_load(body + after * TILE, &next);
        tile_gather(&g, digits[warp], now);
        if (AHEAD)
            now = next;
        else if (ROUNDS > 1 && after < whole)
            tile_load(body + after * TILE, &now);
        tile = after;
    }
    if (tile == whole && (head || (n - head) % TILE)) /* one block has the rest */
        rest_gather(&g, digits[warp], input, head, head + whole * TILE, n);
    gather_flush(&g, digits[warp]);
    unsigned about = g.special | (g.other ? HAS_OTHER : 0);
    if (gathers)
        about |= records_gather(digits[warp], slots, others);
    about = warp_or(about);
    if (lane == 0)
        abouts[warp] = about;
    __syncthreads();
    if (warp > 0)
        return;
    lane_digits mine;
    about = block_sum(digits, abouts, mine);
    if (!gathers) {
        digits_resolve(mine);
        const record r = record_make(mine, about, deep);
        if (lane == 0)
            slot_put(slots, blockIdx.x, r);
        return;
    }
    if (about & IS_DEEP) /* the same for the warp */
        deep_add(mine, deep);
    const value_t sum = digits_round(mine);
    const unsigned special = about & (HAS_NAN | HAS_PLUS_INF | HAS_MINUS_INF);
    if (lane == 0)
        *(value_t *)output = special ? special_value(special)
                             : about & HAS_OTHER || n == 0 ? sum
                                                           : -(value_t)0;
}
