// kernel:     warp_shuffle
// idea:       each warp reduces by shuffles, the first warp reduces the warps
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     4 * BLOCK
// blocks:     multiple of 32
// uniform:    yes
#include "common.cuh"

__device__ element warp_reduce(element x)
{
    for (int d = 16; d > 0; d /= 2)
        x = combine(x, __shfl_down_sync(0xffffffffu, x, d));
    return x;
}

extern "C" __global__ void warp_shuffle(element *input, element *output, index_t n)
{
    __shared__ element warps[32];
    index_t first = (index_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    element x = IDENTITY;

    for (int k = 0; k < 4; k++)
        if (first + k * blockDim.x < n)
            x = combine(x, input[first + k * blockDim.x]);
    x = warp_reduce(x);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < 32) {
        x = warp_reduce(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : IDENTITY);
        if (threadIdx.x == 0)
            output[blockIdx.x] = x;
    }
}
