// kernel:    onepass_ticket
// idea:      like ticket, but with 16-byte loads: each block stores its total, fences and takes a
//            ticket; the block with the last ticket adds the stored totals in a fixed order
// source:    CUDA C++ Programming Guide, memory fence functions (threadFenceReduction)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS),
//            min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM))
// workspace: 16 + GRID * SIZEOF
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + ceil_div(GRID, BLOCK) + 16
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8 16
// tunable:   MIN_BLOCKS 1 2 4
// tunable:   BLOCKS_PER_SM 0 1 2 4
// tunable:   POLICY 0 1 2 3
// tunable:   PREFETCH 0 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1 PREFETCH 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_80
// uniform:   no
#include "tile.cuh"

/*
 * Prediction: the loads are followed by four dependent trips to L2 (the store, the fence, the ticket and
 * the totals), compared with one trip in onepass_packed. The kernel is about 1.5 µs slower than
 * onepass_packed at small n, and equally fast once reading the input takes 100 µs or more. It is the
 * baseline for the other ways to finish in one launch.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_ticket(element *input, element *output, index_t n, void *workspace)
{
    __shared__ bool last;
    unsigned *tickets = (unsigned *)workspace; /* zero before and after the launch */
    element *totals = (element *)((char *)workspace + 16);
    if (PREFETCH && blockIdx.x == 0 && threadIdx.x == 0)
        fetch_ahead(tickets);

    body b;
    element sum = ends_combine(input, n, &b);
#if BLOCKS_PER_SM == 0
    sum = combine(sum, tile_combine(b, (index_t)blockIdx.x * TILE_PACKS));
#else
    sum = tiles_strip(b, sum);
#endif
    sum = block_total(sum);
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = sum;
        /* The total must be visible before the ticket. */
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1; /* the last block sets it to 0 */
        __threadfence(); /* The ticket is read before the other blocks' totals. */
    }
    __syncthreads();

    if (last) { /* uniform across the block */
        sum = IDENTITY;
        /* Each thread takes the same number of totals, and then the threads share the rest. */
        unsigned k = threadIdx.x, whole = gridDim.x / BLOCK;
        for (unsigned i = 0; i < whole; i++, k += BLOCK)
            sum = combine(sum, totals[k]);
        if (k < gridDim.x)
            sum = combine(sum, totals[k]);
        sum = block_total(sum);
        if (threadIdx.x == 0)
            output[0] = sum;
    }
}
