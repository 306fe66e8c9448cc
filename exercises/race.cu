// kernel:   race
// idea:     exercise: this kernel has a data race even if its result is correct each time you run it
// source:   docs/what-the-kernels-teach.md, exercise 1
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void race(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    for (unsigned stride = tree_start(blockDim.x); stride > 32; stride /= 2) {
        if (tid < stride && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid < 32) /* the last warp: its lanes run together, don't they? */
        for (unsigned stride = 32; stride > 0; stride /= 2)
            if (tid + stride < blockDim.x)
                tile[tid] = combine(tile[tid], tile[tid + stride]);
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
