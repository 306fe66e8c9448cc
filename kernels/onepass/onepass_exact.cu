// kernel:    onepass_exact
// idea:      the sum without any error, rounded once: warps turn their elements into integers, blocks add these
//            with atomics to a fixed-point number in several copies, and the block with the last ticket rounds
//            it. So the bits depend on the elements alone, not on their order, the launch or the GPU
// source:    redsweep; exact sums by long fixed-point numbers: Kulisch, Computer Arithmetic and Validity (2008);
//            on GPUs: Collange, Defour, Graillat and Iakymchuk, Numerical Reproducibility for the Parallel
//            Reduction on Multi- and Many-Core Architectures, Parallel Computing 49 (2015)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      ceil_div(ceil_div(N, COVERS), ROUNDS)
// workspace: 8 * 8 * if(SIZEOF = 8, 72, 16) + 16
// depth:     1
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8
// tunable:   ROUNDS 1 2 4 8 16
// tunable:   MIN_BLOCKS 1 2 3 4 6 8
// default:   LOADS 4 MIN_BLOCKS 2
// requires:  LOADS * 16 / SIZEOF <= 32 and ROUNDS * LOADS * 16 / SIZEOF <= if(SIZEOF = 8, 256, 1024)
// requires:  ROUNDS = 1 or N >= COVERS * SMS * ROUNDS
// requires:  BLOCK * MIN_BLOCKS * (LOADS * if(SIZEOF < 4, 12, if(ROUNDS > 1, 8, 4)) + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32 float64 float16 bfloat16
// ops:       sum
// min_arch:  sm_80
// uniform:   no
#include "exact.cuh"

/*
 * Predicted: onepass_ticket's time and what the digits take, 0.3 to 0.6 µs; for large inputs the
 * time of reading, as 15 operations on each float32 take half of the time that it takes to come.
 * With ROUNDS the next tile is on its way while one is taken apart, and the fence and the ticket at
 * a block's end, two trips to L2, come once for several tiles.
 */
enum {
    COUNT = LOADS * (int)PACK_WIDTH, /* elements of a thread in a tile */
    WARPS = BLOCK / 32,
    COPIES = 8,
    STRIDE = SIGNIFICAND == 53 ? 72 : 16 /* digits of a copy, and room */
};

struct state {
    digit digits[COPIES][STRIDE];
    unsigned ticket, special, negative_zeros, unused; /* the third: blocks that have -0 alone */
};

union loaded {
    uint4 words[LOADS];
    element elements[COUNT];
};

/* This thread's elements of a tile that is there as a whole: only issues the loads. */
static __device__ __forceinline__ void tile_load(const element *input, index_t tile, loaded *p)
{
    const uint4 *mine = (const uint4 *)(input + tile * (BLOCK * COUNT)) + threadIdx.x;
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

/* The rest of the input, less than a tile; what is beyond its end is -0, which changes no sum. */
static __device__ __forceinline__ void rest_gather(gathered *g, long long *digits,
                                                   const element *input, index_t first, index_t n)
{
    value_t x[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        index_t at = first + i * BLOCK + threadIdx.x;
        x[i] = at < n ? convert(input[at]) : -(value_t)0;
    }
    gather(g, digits, x);
}

/* What the block's warps have, to the number: by warp 0. */
static __device__ __forceinline__ void block_add(state *s, const long long (*digits)[DIGITS],
                                                 bool other, unsigned copies)
{
    const unsigned lane = threadIdx.x;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        const unsigned d = lane + 32 * i;
        long long sum = 0;
        if (d < DIGITS)
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                sum += digits[w][d];
        if (sum)
            atomicAdd(&s->digits[blockIdx.x % copies][d], (digit)sum);
    }
    if (lane == 0 && !other)
        atomicAdd(&s->negative_zeros, 1u);
}

/* The result, by warp 0 of the last block; leaves the state zeroed. */
static __device__ __forceinline__ void finish(state *s, value_t *output, unsigned copies,
                                              long long *room)
{
    const unsigned special = __ldcg(&s->special), negative = __ldcg(&s->negative_zeros);
    digit mine[LANE_DIGITS] = {};
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
#pragma unroll
        for (int c = 0; c < COPIES; c++)
            if (c < copies && threadIdx.x + 32 * i < DIGITS)
                mine[i] += __ldcg(&s->digits[c][threadIdx.x + 32 * i]);
    const value_t sum = warp_round(mine, room);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
#pragma unroll
        for (int c = 0; c < COPIES; c++)
            if (c < copies && threadIdx.x + 32 * i < DIGITS)
                s->digits[c][threadIdx.x + 32 * i] = 0;
    if (threadIdx.x > 0)
        return;
    s->special = s->negative_zeros = 0;
    *output = special ? special_value(special) : negative == gridDim.x ? -(value_t)0 : sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_exact(element *input, element *output, index_t n, void *workspace)
{
    __shared__ long long digits[WARPS][DIGITS];
    __shared__ bool others[WARPS], last;
    state *s = (state *)workspace; /* zeroed, and left zeroed */
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned wanted = gridDim.x / 16 + 1, copies = wanted < COPIES ? wanted : COPIES;
    const index_t whole = n / (BLOCK * COUNT); /* tiles */
    index_t tile = blockIdx.x;
    loaded now, next;
    if (tile < whole)
        tile_load(input, tile, &now);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    __syncwarp();
    gathered g = gather_begin();
#pragma unroll 1
    for (; tile < whole; tile += gridDim.x) {
        if (ROUNDS > 1 && tile + gridDim.x < whole)
            tile_load(input, tile + gridDim.x, &next);
        tile_gather(&g, digits[warp], now);
        if (ROUNDS > 1)
            now = next;
    }
    if (tile == whole && n % (BLOCK * COUNT)) /* one block has the rest */
        rest_gather(&g, digits[warp], input, tile * (BLOCK * COUNT), n);
    gather_flush(&g, digits[warp]);
    const bool other = __any_sync(0xffffffffu, g.other);
    const unsigned special = __any_sync(0xffffffffu, g.special != 0) ? warp_or(g.special) : 0;
    if (lane == 0) {
        others[warp] = other;
        if (special)
            atomicOr(&s->special, special);
    }
    __syncthreads();
    if (warp == 0)
        block_add(s, digits, __any_sync(0xffffffffu, lane < WARPS && others[lane % WARPS]),
                  copies);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence(); /* the digits of the block before the ticket */
        last = atomicInc(&s->ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* the ticket before the others' digits */
    }
    __syncthreads();
    if (last && warp == 0)
        finish(s, (value_t *)output, copies, digits[0]);
}
