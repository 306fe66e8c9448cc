/*
 * Lets a block read a tile with 16-byte loads, all in flight before the first is used, and reduce it in as
 * few dependent steps as possible. The kernels that reduce the input in a single launch share this code.
 *
 * Kernels that include this header need the fact `constant: BLOCK` and the tunables LOADS and POLICY. All
 * additions happen in a fixed order, so a float result depends only on n and the launch configuration.
 *
 * With ANY_OFFSET, the input can begin at any element instead of a multiple of 16 bytes. The harness's
 * buffers are aligned; the library that `redsweep tuned` writes compiles kernels both with and without
 * ANY_OFFSET.
 */
#ifndef REDSWEEP_KERNELS_TILE_CUH
#define REDSWEEP_KERNELS_TILE_CUH

#include "block.cuh"

#define TILE_PACKS ((unsigned)(BLOCK * LOADS)) /* packs per tile */

/* The input's whole, aligned packs, without the elements before and after them. */
struct body {
    const pack *packs;
    index_t count;
};

static __device__ __forceinline__ body body_find(const element *input, index_t n)
{
    unsigned head = 0;
#ifdef ANY_OFFSET
    head = (unsigned)(-(unsigned long long)input % 16 / sizeof(element));
    head = head < n ? head : (unsigned)n;
#endif
    body b = {(const pack *)(input + head), (n - head) / PACK_WIDTH};
    return b;
}

/*
 * Returns this thread's element before or after the body, or IDENTITY if it has none. There are less than
 * two packs of such elements, and the last block handles all of them. Loading them together with the body
 * hides their latency.
 */
static __device__ __forceinline__ element ends_load(const element *input, index_t n, const body &b)
{
    unsigned head = (unsigned)((const element *)b.packs - input);
    index_t tail = head + b.count * PACK_WIDTH;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < head + (unsigned)(n - tail))
        return input[threadIdx.x < head ? threadIdx.x : tail + (threadIdx.x - head)];
    return IDENTITY;
}

static __device__ __forceinline__ element ends_combine(const element *input, index_t n, body *b)
{
    *b = body_find(input, n);
    return ends_load(input, n, *b);
}

#ifndef GUARD
#define GUARD 0
#endif

/*
 * Issues this thread's loads of the tile at pack `first`, up to the end of the body. If GUARD is 0, full
 * tiles have a path without conditions. If GUARD is 1, all tiles share a path where every load is
 * predicated, with less code before the first load.
 */
static __device__ __forceinline__ void tile_load(const body &b, index_t first, pack p[LOADS])
{
    const pack *mine = b.packs + first + threadIdx.x;
    index_t left = first < b.count ? b.count - first : 0;
    if (GUARD == 0 && __builtin_expect(left >= TILE_PACKS, 1)) {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            p[k] = pack_load(mine + k * BLOCK);
    } else {
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (threadIdx.x + k * BLOCK < left)
                p[k] = pack_load(mine + k * BLOCK);
            else
#pragma unroll
                for (unsigned j = 0; j < PACK_WIDTH; j++)
                    p[k].e[j] = IDENTITY;
    }
}

static __device__ __forceinline__ element tile_total(const pack p[LOADS])
{
    element sum = pack_combine(p[0]);
#pragma unroll
    for (unsigned k = 1; k < LOADS; k++)
        sum = combine(sum, pack_combine(p[k]));
    return sum;
}

static __device__ __forceinline__ element tile_combine(const body &b, index_t first)
{
    pack p[LOADS];
    tile_load(b, first, p);
    return tile_total(p);
}

/*
 * Adds the body's tiles to `sum` with a grid that has fewer blocks than there are tiles: block b takes
 * tile b, then the tile that is gridDim.x tiles further on, and so on.
 */
static __device__ __forceinline__ element tiles_strip(const body &b, element sum)
{
#pragma unroll 1
    for (index_t first = (index_t)blockIdx.x * TILE_PACKS; first < b.count;
         first += (index_t)gridDim.x * TILE_PACKS)
        sum = combine(sum, tile_combine(b, first));
    return sum;
}

/*
 * Does the same as tiles_strip() in another order: block b takes the tiles of the b-th part of the body.
 */
static __device__ __forceinline__ element tiles_run(const body &b, element sum)
{
    index_t tiles = (b.count + TILE_PACKS - 1) / TILE_PACKS;
    index_t share = (tiles + gridDim.x - 1) / gridDim.x * TILE_PACKS;
    index_t first = share * blockIdx.x;
    index_t end = first + share < b.count ? first + share : b.count;
#pragma unroll 1
    for (; first < end; first += TILE_PACKS)
        sum = combine(sum, tile_combine(b, first));
    return sum;
}

/*
 * Combines one value per thread; thread 0 returns the total. Every thread must call this function. Put a
 * block barrier between two calls with the same `place` (0 or 1).
 */
static __device__ __forceinline__ element block_total(element value, unsigned place = 0)
{
    value = lanes_total<32, FIRST_LANE>(value);
#if BLOCK > 32
    __shared__ element totals[2][BLOCK / 32];
    value = warps_total<FIRST_LANE>(value, nothing, totals, place);
#endif
    return value;
}

#endif
