// kernel:     grid_sum
// idea:       blocks store partial sums, the grid synchronizes, block 0 adds them
// source:     examples/as-written
// result:     complete
// input:      untouched
// covers:     BLOCK
// grid:       min(ceil_div(N, COVERS), SMS)
// workspace:  GRID * SIZEOF
// depth:      ceil_div(N, GRID * BLOCK) + BLOCK + GRID
// blocks:     multiple of 32
// launch:     cooperative
// types:      float32 float64
// ops:        sum
// min_arch:   sm_70
// uniform:    no
// parameters: input n workspace output
/*
 * A cooperative launch: all blocks wait for each other, and then one block adds the partial sums.
 *
 * - "launch: cooperative" needs a grid whose blocks are all on the device at once. The grid therefore has at most
 *   SMS blocks.
 * - The function is extern "C" and has the kernel's name, so no "entry:" is needed.
 * - "parameters:" puts the workspace where the author passed a buffer of partial sums.
 */
#include <cooperative_groups.h>
#include "common.cuh"

extern "C" __global__ void grid_sum(const element *in, index_t n, element *partial, element *out)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    __shared__ element lanes[1024];
    element mine = 0;
    for (index_t i = grid.thread_rank(); i < n; i += grid.size())
        mine += in[i];
    lanes[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        element sum = 0;
        for (unsigned t = 0; t < blockDim.x; t++)
            sum += lanes[t];
        partial[blockIdx.x] = sum;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        element sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b];
        *out = sum;
    }
}
