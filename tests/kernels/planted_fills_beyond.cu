// kernel:   planted_fills_beyond
// idea:     the first block writes past the end of its workspace
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// workspace: 4 * GRID
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void planted_fills_beyond(element *input, element *output, index_t n,
                                                void *workspace)
{
    __shared__ element tile[1024];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();
    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid == 0) {
        output[blockIdx.x] = tile[0];
        ((unsigned *)workspace)[gridDim.x] = 1;
    }
}
