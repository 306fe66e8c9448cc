// kernel:     cooperative_grid
// idea:       all blocks wait for each other, then the first one finishes
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// covers:     BLOCK
// blocks:     power of two
// launch:     cooperative
// grid:       min(ceil_div(N, COVERS), SMS)
// workspace:  GRID * SIZEOF
// depth:      ceil_div(N, GRID * BLOCK) + 2 * log2(BLOCK) + ceil_div(GRID, BLOCK)
// shared:     BLOCK * SIZEOF
// uniform:    no
#include <cooperative_groups.h>
#include "common.cuh"

__device__ element block_reduce(element x)
{
    extern __shared__ unsigned char bytes[];
    element *tile = (element *)bytes;
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + s]);
        __syncthreads();
    }
    return tile[0];
}

extern "C" __global__ void cooperative_grid(element *input, element *output, index_t n, void *workspace)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    element *partial = (element *)workspace, x = IDENTITY;

    for (index_t i = grid.thread_rank(); i < n; i += grid.size())
        x = combine(x, input[i]);
    x = block_reduce(x);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = x;
    grid.sync();
    if (blockIdx.x != 0)
        return;
    x = IDENTITY;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        x = combine(x, partial[b]);
    x = block_reduce(x);
    if (threadIdx.x == 0)
        *output = x;
}
