// kernel:   planted_reads_beyond
// idea:     the last block reads past the end of the input
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void planted_reads_beyond(element *input, element *output, index_t n)
{
    __shared__ element tile[1024];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;

    tile[tid] = input[first + tid];
    __syncthreads();
    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
