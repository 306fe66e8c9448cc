// kernel:    onepass_exact
// idea:      the sum without any error, rounded once: threads turn their elements into integers, warps and blocks add
//            them up, blocks write these to slots, and the last block of each group adds them and the last
//            block rounds. So the bits depend on the elements alone, not on their order, the launch or the GPU
// source:    redsweep; exact sums by long fixed-point numbers: Kulisch, Computer Arithmetic and Validity (2008);
//            on GPUs: Collange, Defour, Graillat and Iakymchuk, Numerical Reproducibility for the Parallel
//            Reduction on Multi- and Many-Core Architectures, Parallel Computing 49 (2015)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      ceil_div(ceil_div(N, COVERS), ROUNDS)
// workspace: if(SIZEOF = 8, 64, 48) * (GRID + ceil_div(GRID, MATES)) + 64 * if(SIZEOF = 8, 72, 16)
// depth:     1
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8
// tunable:   ROUNDS 1 2 4 8 16 32 64
// tunable:   AHEAD 0 1
// tunable:   MIN_BLOCKS 1 2 3 4 5 6 8
// tunable:   MATES 256 64
// tunable:   DIRECT 512 256 1024
// default:   LOADS 4 MIN_BLOCKS 2
// requires:  BLOCK <= 512 and LOADS * 16 / SIZEOF <= 32
// requires:  ROUNDS = 1 or N >= COVERS * SMS * ROUNDS
// requires:  AHEAD = 0 or ROUNDS > 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS * (1 + AHEAD) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
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
 * Predicted: 0.5 µs more than onepass_slots, for five sums of a warp instead of one at each level, and the rounding; for
 * large inputs the time of reading, as 5 to 10 operations on each element take a quarter of the time that
 * it takes to come. The last block reads the slots of DIRECT
 * blocks before it; those before are gathered in groups of MATES blocks, by the last of each group, while others still read
 * their elements. ROUNDS: a block takes several tiles; AHEAD: the next one is on its
 * way meanwhile. Numbers of blocks that are too long for a slot go to digits behind the slots, in COPIES, lest atomics
 * wait for each other.
 */
enum {
    WORDS = 4 * LOADS, /* of a thread in a tile */
    TILE = BLOCK * LOADS * (int)PACK_WIDTH,
    WARPS = BLOCK / 32,
    READS = 2, /* slots of a thread at once */
    COPIES = 8
};

/* A block's number in a slot: the unit, how far it is below the highest one, and what the block has seen. */
struct record {
    unsigned words[VALUE_WORDS];
    short unit;
    unsigned char higher, about;
#if defined(TYPE_FLOAT64)
    unsigned unused;
#endif
};

static __device__ __forceinline__ record record_of(const number &x, unsigned about)
{
    record r = {};
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++)
        r.words[w] = x.value.words[w];
    r.unit = (short)x.unit;
    r.higher = x.unit == NO_UNIT ? 0 : (unsigned char)(x.high - x.unit);
    r.about = (unsigned char)about;
    return r;
}

static __device__ __forceinline__ number number_of(const record &r)
{
    number x;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++)
        x.value.words[w] = r.words[w];
    x.unit = r.unit;
    x.high = x.unit == NO_UNIT ? -NO_UNIT : x.unit + r.higher;
    return x;
}

/* This thread's elements of a tile that is there as a whole: only issues the loads. */
static __device__ __forceinline__ void tile_load(const element *tile, unsigned (&words)[WORDS])
{
    const uint4 *mine = (const uint4 *)tile + threadIdx.x;
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[4 * i]), "=r"(words[4 * i + 1]), "=r"(words[4 * i + 2]),
                       "=r"(words[4 * i + 3])
                     : "l"(mine + i * BLOCK));
}

/* What a warp has. */
struct warp_state {
    gathered g;
    number sum;
};

/* What is in no tile: `head` elements, and those from `tail` on. */
static __device__ __noinline__ warp_state rest_gather(warp_state s, long long *digits,
                                                      const element *input, unsigned head,
                                                      index_t tail, index_t n)
{
    const unsigned count = head + (unsigned)(n - tail);
#pragma unroll 1
    for (unsigned first = 0; first < count; first += TILE) { /* twice, if at all */
        unsigned words[WORDS];
#pragma unroll
        for (int i = 0; i < WORDS; i += ELEMENT_WORDS) {
#pragma unroll
            for (int k = 0; k < ELEMENT_WORDS; k++)
                words[i + k] = minus_zero(i + k);
#pragma unroll
            for (int k = 0; k < WORD_ELEMENTS; k++) {
                const unsigned at =
                    first + (i / ELEMENT_WORDS * WORD_ELEMENTS + k) * BLOCK + threadIdx.x;
                if (at < count)
                    element_put(words + i, k, input[at < head ? at : tail + (at - head)]);
            }
        }
        gather(&s.g, &s.sum, digits, words);
    }
    return s;
}

/* Adds this thread's share of slots to its number. */
static __device__ __forceinline__ void
records_gather(number *mine, long long *digits, unsigned *about, slot_word *slots, unsigned count)
{
#pragma unroll 1
    for (unsigned first = threadIdx.x / 32 * (32 * READS); first < count; first += BLOCK * READS) {
        slots_read<32, READS, record> r(slots, 1, first + threadIdx.x % 32, count);
        r.wait();
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            if (r.exists(k)) {
                const record found = slot_value<record>(r.words[k]);
                *about |= found.about;
                if (!number_join(mine, number_of(found))) {
                    number_to_digits(digits, number_of(found));
                    *about |= HAS_DIGITS;
                }
                r.clear(k);
            }
    }
}

/* For warp 0: all warps' digits and the number as one. */
static __device__ __forceinline__ void digits_gather(long long (*digits)[DIGITS], const number &sum,
                                                     lane_digits &mine)
{
    if (threadIdx.x == 0)
        number_to_digits(digits[0], sum);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        mine[i] = 0;
        if (threadIdx.x + 32 * i < DIGITS)
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                mine[i] += digits[w][threadIdx.x + 32 * i];
    }
}

/* A number that is too long goes to the digits in global memory, before the slot that says so. */
static __device__ __noinline__ void deep_add(long long (*digits)[DIGITS], number sum, digit *deep)
{
    lane_digits mine;
    digits_gather(digits, sum, mine);
    digits_resolve(mine);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (threadIdx.x + 32 * i < DIGITS && mine[i])
            atomicAdd(&deep[blockIdx.x % COPIES * DIGITS + threadIdx.x + 32 * i], (digit)mine[i]);
    __threadfence();
    __syncwarp();
}

/* The last block's number and what is in the digits in global memory, which are left zeroed. */
static __device__ __noinline__ value_t deep_round(long long (*digits)[DIGITS], number sum,
                                                  digit *deep)
{
    lane_digits mine;
    digits_gather(digits, sum, mine);
    __threadfence(); /* the slots before these */
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        for (int copy = 0; copy < COPIES; copy++)
            if (threadIdx.x + 32 * i < DIGITS) {
                digit *at = &deep[copy * DIGITS + threadIdx.x + 32 * i];
                mine[i] += (long long)__ldcg(at);
                *at = 0;
            }
    return digits_round(mine);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_exact(element *input, element *output, index_t n, void *workspace)
{
    __shared__ long long digits[WARPS][DIGITS];
    __shared__ number numbers[2 * WARPS]; /* of the elements, and of slots */
    __shared__ unsigned abouts[WARPS];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned others = gridDim.x - 1, direct = others < DIRECT ? others : DIRECT,
                   grouped = others - direct;
    const unsigned group = blockIdx.x / MATES,
                   end = (group + 1) * MATES < grouped ? (group + 1) * MATES : grouped;
    const bool last = blockIdx.x == others, gathers = last || blockIdx.x + 1 == end;
    const unsigned first = last ? grouped : group * MATES, count = gathers ? blockIdx.x - first : 0;
    /* zeroed, and left zeroed: a slot for each block, one for each group */
    slot_word *slots = (slot_word *)workspace;
    slot_word *group_slots = slots + (size_t)gridDim.x * slot_of<record>::WORDS;
    digit *deep = (digit *)(group_slots + (size_t)(others / MATES + 1) * slot_of<record>::WORDS);
    unsigned head = 0;
#ifdef ANY_OFFSET
    head = (unsigned)(-(unsigned long long)input % 16 / sizeof(element));
    head = head < n ? head : (unsigned)n;
#endif
    const element *body = input + head;
    const index_t whole = (n - head) / TILE; /* tiles */
    index_t tile = blockIdx.x;
    unsigned now[WORDS];
    if (tile < whole)
        tile_load(body + tile * TILE, now);
    slots_prefetch<record>(slots + (size_t)first * slot_of<record>::WORDS, count);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    __syncwarp();
    warp_state s = {gather_begin(), number_none()};
#if ROUNDS == 1 /* no loop, out of which conversions would be moved */
    if (tile < whole) {
        gather(&s.g, &s.sum, digits[warp], now);
        tile += gridDim.x;
    }
#else
#pragma unroll 1
    while (tile < whole) {
        const index_t after = tile + gridDim.x;
        unsigned next[WORDS];
        if (AHEAD && after < whole)
            tile_load(body + after * TILE, next);
        gather(&s.g, &s.sum, digits[warp], now);
        if (!AHEAD && after < whole)
            tile_load(body + after * TILE, next);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            now[i] = next[i];
        tile = after;
    }
#endif
    if (tile == whole && (head || (n - head) % TILE)) /* one block has the rest */
        s = rest_gather(s, digits[warp], input, head, head + whole * TILE, n);
    gather_flush(&s.g, &s.sum, digits[warp]);
    unsigned about = s.g.about;
    number found = number_none();
#pragma unroll 1
    for (unsigned level = 0; level < (last ? 2 : gathers ? 1 : 0); level++)
        records_gather(&found, digits[warp], &about,
                       level ? group_slots : slots + (size_t)first * slot_of<record>::WORDS,
                       level ? (grouped + MATES - 1) / MATES : count);
    if (gathers)
        lanes_total(&found, digits[warp], &about);
    about = warp_or(about);
    if (lane == 0) {
        numbers[warp] = s.sum;
        numbers[WARPS + warp] = found;
        abouts[warp] = about;
    }
    __syncthreads();
    if (warp > 0)
        return;
    number sum = lane < 2 * WARPS ? numbers[lane] : number_none();
    about = warp_or(lane < WARPS ? abouts[lane] : 0);
    lanes_total(&sum, digits[0], &about);
    if (!last) {
        if (about & HAS_DIGITS) {
            deep_add(digits, sum, deep);
            sum = number_none();
        }
        if (lane == 0)
            slot_put(gathers ? group_slots : slots, gathers ? group : blockIdx.x,
                     record_of(sum, about));
        return;
    }
    const value_t total =
        about & HAS_DIGITS ? deep_round(digits, sum, deep) : wide_round(sum.value, sum.unit);
    if (lane == 0)
        *(value_t *)output = about & HAS_SPECIAL           ? special_value(about)
                             : about & HAS_OTHER || n == 0 ? total
                                                           : -(value_t)0;
}
