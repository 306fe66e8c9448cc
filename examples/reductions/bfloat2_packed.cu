// kernel:     bfloat2_packed
// idea:       packed bfloat16: digits of the elements, two to a register
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     16 * BLOCK
// blocks:     multiple of 32
// constant:   BLOCK
// types:      uint32
// ops:        sum
// uniform:    yes
#include <cuda_bf16.h>
#include "common.cuh"

/* Splits each element into digits of 4 bits and adds these digits as pairs of bfloat16. The sums stay below 256 and are exact. */
extern "C" __global__ void bfloat2_packed(element *input, element *output, index_t n)
{
    __shared__ element sum;
    __nv_bfloat162 digits[4];
    index_t first = (index_t)blockIdx.x * BLOCK * 16 + threadIdx.x;
    element x = 0;

    if (threadIdx.x == 0)
        sum = 0;
    for (int d = 0; d < 4; d++)
        digits[d] = __float2bfloat162_rn(0);
    for (int k = 0; k < 16 && first + k * BLOCK < n; k++) {
        element v = input[first + k * BLOCK];
        for (int d = 0; d < 4; d++)
            digits[d] = __hadd2(digits[d], __floats2bfloat162_rn(v >> 8 * d & 15, v >> (8 * d + 4) & 15));
    }
    for (int d = 0; d < 4; d++) {
        float2 f = __bfloat1622float2(digits[d]);
        x += (element)f.x << 8 * d;
        x += (element)f.y << (8 * d + 4);
    }
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, x);
    __syncthreads();
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
