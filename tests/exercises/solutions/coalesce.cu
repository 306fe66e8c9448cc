// kernel:   coalesce
// idea:     exercise 2 solved: neighboring lanes load neighboring elements
// source:   exercises/coalesce.cu
// result:   partial
// input:    untouched
// covers:   BLOCK * 8
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void coalesce(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * 8;
    unsigned here = elements_here(n, first, blockDim.x * 8);
    const element *data = input + first;

    element sum = IDENTITY;
    for (unsigned k = tid; k < here; k += blockDim.x)
        sum = combine(sum, data[k]);
    tile[tid] = sum;
    __syncthreads();

    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
