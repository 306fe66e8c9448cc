// kernel:    onepass_packed
// idea:      one launch and one atomic per block: a 64-bit word packs the sum (upper half) and the
//            block count (lower half); the block whose atomic completes the count has the result
// source:    redsweep
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS),
//            min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM))
// workspace: 16
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   BLOCKS_PER_SM 0 1 2 3 4 8
// tunable:   ORDER 0 1
// tunable:   POLICY 0 1 2 3
// tunable:   PREFETCH 0 1 2
// tunable:   GUARD 0 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1 PREFETCH 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  (ORDER = 0 or BLOCKS_PER_SM > 0) and (GUARD = 0 or BLOCKS_PER_SM = 0)
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     int32 uint32
// ops:       sum
// min_arch:  sm_80
// uniform:   no
// standalone: yes
#include "tile.cuh"

/*
 * Prediction: no kernel with many blocks can finish sooner, because only a single round trip to L2 follows
 * the loads. This trip takes about 0.7 µs if the word with the sum and the count has to come from DRAM
 * first, so PREFETCH requests the word while the input is in flight. Since blocks exchange nothing but this
 * word, no fence is needed. At n = 2^14, the kernel takes about 1.1 µs longer than an empty launch. From
 * 2^24 on, it reaches DRAM bandwidth with one wave of blocks that have all loads in flight.
 *
 * Each thread has LOADS × 16 bytes in flight; MIN_BLOCKS limits the registers. If BLOCKS_PER_SM is 0, there
 * is one block per tile, and the hardware chooses the order of the blocks. Otherwise, a resident grid takes
 * the tiles in striped order (ORDER 0: tiles_strip()) or in blocked order (ORDER 1: tiles_run()).
 */
/*
 * Adds `sum` and a count of 1 to the word *cell. The block that completes the count stores the whole sum in
 * *output.
 */
static __device__ __forceinline__ void hand_over(unsigned long long *cell, element sum,
                                                 element *output)
{
    unsigned long long mine = (unsigned long long)(unsigned)sum << 32 | 1;
    unsigned long long all = atomicAdd(cell, mine) + mine;
    if ((unsigned)all == gridDim.x) {
        output[0] = (element)(all >> 32);
        *cell = 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_packed(element *input, element *output, index_t n, void *workspace)
{
    /* The word is zero before and after the launch. */
    unsigned long long *cell = (unsigned long long *)workspace;
    if ((PREFETCH == 2 || PREFETCH == 1 && blockIdx.x == 0) && threadIdx.x == 0)
        fetch_ahead(cell);

    body b = body_find(input, n);
#if BLOCKS_PER_SM == 0
    pack p[LOADS];
    tile_load(b, (index_t)blockIdx.x * TILE_PACKS, p);
#endif
    element sum = ends_load(input, n, b);
#if BLOCKS_PER_SM == 0
    sum = combine(sum, tile_total(p));
#elif ORDER == 0
    sum = tiles_strip(b, sum);
#else
    sum = tiles_run(b, sum);
#endif
    sum = block_total(sum);
    if (threadIdx.x == 0)
        hand_over(cell, sum, output);
}
