// kernel:   beat
// idea:     exercise: needs fewer instructions than smem_unroll with UNROLL = 16, for the same sum
// source:   docs/what-the-kernels-teach.md, exercise 3
// result:   partial
// input:    untouched
// covers:   BLOCK * 4
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void beat(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * 4;
    unsigned here = elements_here(n, first, blockDim.x * 4);
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
