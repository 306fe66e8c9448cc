// kernel:   interleaved
// idea:     halves the stride at each step, so neighboring threads access neighboring addresses
// source:   Professional CUDA C Programming, ch. 3 (reduceInterleaved)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void interleaved(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < here)
            data[tid] = combine(data[tid], data[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = data[0];
}
