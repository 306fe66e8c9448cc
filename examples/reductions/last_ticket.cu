// kernel:     last_ticket
// idea:       the block that draws the last ticket reduces the partial results
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// covers:     BLOCK
// blocks:     power of two
// constant:   BLOCK
// workspace:  16 + GRID * SIZEOF
// depth:      2 * log2(BLOCK) + ceil_div(GRID, BLOCK)
// uniform:    no
#include "common.cuh"

__device__ element block_reduce(element x)
{
    __shared__ element tile[BLOCK];
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + s]);
        __syncthreads();
    }
    element all = tile[0];
    __syncthreads();
    return all;
}

extern "C" __global__ void last_ticket(element *input, element *output, index_t n, void *workspace)
{
    unsigned *ticket = (unsigned *)workspace;
    element *partial = (element *)((char *)workspace + 16);
    index_t i = (index_t)blockIdx.x * BLOCK + threadIdx.x;
    __shared__ bool last;

    element x = block_reduce(i < n ? input[i] : IDENTITY);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    x = IDENTITY;
#pragma unroll 1 /* unrolling would need separate loads for lanes with fewer iterations */
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK)
        x = combine(x, partial[b]);
    x = block_reduce(x);
    if (threadIdx.x == 0)
        *output = x;
}
