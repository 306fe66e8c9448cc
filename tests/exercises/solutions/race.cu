// kernel:   race
// idea:     exercise 1 solved: the last warp waits for its lanes
// source:   exercises/race.cu
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
    if (tid < 32) /* only __syncwarp() orders the lanes of a warp: read, wait, write, wait */
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            element pair = tile[tid];
            if (tid + stride < blockDim.x)
                pair = combine(pair, tile[tid + stride]);
            __syncwarp();
            tile[tid] = pair;
            __syncwarp();
        }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
