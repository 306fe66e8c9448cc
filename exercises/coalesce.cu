// kernel:   coalesce
// idea:     exercise: the result is right, but most of what is loaded is not used
// source:   docs/what-the-kernels-teach.md, exercise 2
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
    for (unsigned k = 8 * tid; k < 8 * tid + 8 && k < here; k++)
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
