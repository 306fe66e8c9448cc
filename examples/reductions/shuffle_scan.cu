// kernel:     shuffle_scan
// idea:       an inclusive scan by shuffles; the last lane holds the sum
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// ops:        sum
// uniform:    yes
#include "common.cuh"

__device__ element scan(element x)
{
    for (int d = 1; d < 32; d *= 2) {
        element below = __shfl_up_sync(0xffffffffu, x, d);
        if (threadIdx.x % 32 >= d)
            x += below;
    }
    return x;
}

extern "C" __global__ void shuffle_scan(element *input, element *output, index_t n)
{
    __shared__ element warps[32];
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    element x = scan(i < n ? input[i] : 0);
    if (threadIdx.x % 32 == 31)
        warps[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    x = scan(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0);
    if (threadIdx.x == 31)
        output[blockIdx.x] = x;
}
