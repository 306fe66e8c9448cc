// kernel:     raking
// idea:       one warp rakes through all that the block has put into shared memory
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     4 * BLOCK
// blocks:     64 128 256 512 1024
// constant:   BLOCK
// depth:      4 + BLOCK / 32 + 5
// uniform:    yes
#include "common.cuh"

/* Each lane rakes a row. An element of padding per row avoids bank conflicts. */
extern "C" __global__ void raking(element *input, element *output, index_t n)
{
    constexpr unsigned row = BLOCK / 32;
    __shared__ element grid[32 * (row + 1)];
    index_t first = (index_t)blockIdx.x * BLOCK * 4 + threadIdx.x;
    element x = IDENTITY;

    for (int k = 0; k < 4; k++)
        if (first + k * BLOCK < n)
            x = combine(x, input[first + k * BLOCK]);
    grid[threadIdx.x + threadIdx.x / row] = x;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    x = grid[threadIdx.x * (row + 1)];
    for (unsigned k = 1; k < row; k++)
        x = combine(x, grid[threadIdx.x * (row + 1) + k]);
    for (int d = 16; d > 0; d /= 2)
        x = combine(x, __shfl_down_sync(0xffffffffu, x, d));
    if (threadIdx.x == 0)
        output[blockIdx.x] = x;
}
