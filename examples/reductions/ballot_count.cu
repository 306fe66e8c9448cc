// kernel:     ballot_count
// idea:       a ballot for each bit counts its ones in a warp
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// types:      int32 uint32
// ops:        sum
// uniform:    yes
#include "common.cuh"

extern "C" __global__ void ballot_count(element *input, element *output, index_t n)
{
    __shared__ unsigned sum;
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i < n ? (unsigned)input[i] : 0, ones = 0;

    if (threadIdx.x == 0)
        sum = 0;
    for (int bit = 0; bit < 32; bit++)
        ones += (unsigned)__popc(__ballot_sync(0xffffffffu, x >> bit & 1)) << bit;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, ones);
    __syncthreads();
    if (threadIdx.x == 0)
        output[blockIdx.x] = (element)sum;
}
