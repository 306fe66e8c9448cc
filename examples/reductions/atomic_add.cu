// kernel:     atomic_add
// idea:       each warp adds its sum to a zeroed result
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// output:     zeroed
// covers:     BLOCK
// blocks:     multiple of 32
// types:      int32 uint32 float32 float64
// ops:        sum
// varies:     yes
// depth:      5 + GRID * BLOCK / 32
// uniform:    no
#include "common.cuh"

extern "C" __global__ void atomic_add(element *input, element *output, index_t n)
{
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    element x = i < n ? input[i] : 0;

    for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(output, x);
}
