// kernel:    dependent
// idea:      two overlapping launches: the second pass is launched while this kernel runs and waits
//            for it on the device
// source:    CUDA C++ Programming Guide, programmatic dependent launch and synchronization
// result:    partial
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS),
//            min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM))
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + 11
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8 16
// tunable:   MIN_BLOCKS 1 2 4
// tunable:   BLOCKS_PER_SM 0 1 2 4
// tunable:   POLICY 0 1 2 3
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_90
// launch:    dependent
// uniform:   no
#include "tile.cuh"

/*
 * Prediction: the second of CUB's two launches costs 2.8 µs. Here, the loads of this kernel hide
 * the launch of the second pass. What remains is to wait for this kernel's grid to finish, and the
 * second pass's own round trip to L2. Both together take about 1.2 µs. The kernel is therefore
 * faster than those with two separate launches and slower than those with one launch.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    dependent(element *input, element *output, index_t n)
{
    asm volatile("griddepcontrol.launch_dependents;"); /* takes effect once all blocks get here */

    body b;
    element sum = ends_combine(input, n, &b);
#if BLOCKS_PER_SM == 0
    sum = combine(sum, tile_combine(b, (index_t)blockIdx.x * TILE_PACKS));
#else
    sum = tiles_strip(b, sum);
#endif
    sum = block_total(sum);
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
