// kernel:   neighbored
// idea:     adds neighboring pairs; the stride doubles at each step, which leaves active threads
//           scattered across all warps
// source:   Professional CUDA C Programming, ch. 3 (reduceNeighbored)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void neighbored(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0 && tid + stride < here)
            data[tid] = combine(data[tid], data[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = data[0];
}
