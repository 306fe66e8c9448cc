// Returns a block's correct partial result in thread 0. Shared by the planted kernels.
#pragma once
#include "common.cuh"

static __device__ element planted_tree(const element *input, index_t n)
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
    return tile[0];
}
