// kernel:   beat
// idea:     exercise 3 solved: more elements per thread, and the tree in registers by shuffles
// source:   exercises/beat.cu
// result:   partial
// input:    untouched
// covers:   BLOCK * 16
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void beat(element *input, element *output, index_t n)
{
    __shared__ element warps[32];
    unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    index_t first = (index_t)blockIdx.x * blockDim.x * 16;
    unsigned here = elements_here(n, first, blockDim.x * 16);
    const element *data = input + first;

    element sum = IDENTITY;
    if (here == blockDim.x * 16) {
#pragma unroll
        for (unsigned k = 0; k < 16; k++)
            sum = combine(sum, data[tid + k * blockDim.x]);
    } else { /* the last block: only some of its elements exist */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = combine(sum, data[k]);
    }
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum = combine(sum, __shfl_down_sync(0xffffffff, sum, offset));
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : IDENTITY;
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sum = combine(sum, __shfl_down_sync(0xffffffff, sum, offset));
        if (lane == 0)
            output[blockIdx.x] = sum;
    }
}
