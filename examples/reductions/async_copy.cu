// kernel:     async_copy
// idea:       cp.async fills one tile while the other is added
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     8 * BLOCK
// blocks:     multiple of 32
// constant:   BLOCK
// types:      int32 uint32 float32
// ops:        sum
// depth:      8 + BLOCK / 32 + 5
// uniform:    yes
#include <cuda_pipeline.h>
#include "common.cuh"

extern "C" __global__ void async_copy(element *input, element *output, index_t n)
{
    __shared__ element tile[2][BLOCK], warps[32];
    index_t first = (index_t)blockIdx.x * BLOCK * 8 + threadIdx.x;
    element x = 0;

    for (unsigned k = 0; k <= 8; k++) {
        index_t i = first + k * BLOCK;
        if (k < 8) { /* zeros beyond the end */
            bool there = i < n;
            __pipeline_memcpy_async(&tile[k % 2][threadIdx.x], input + (there ? i : 0), sizeof(element),
                                    there ? 0 : sizeof(element));
            __pipeline_commit();
        }
        if (k == 0)
            continue;
        if (k < 8)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        x += tile[(k - 1) % 2][threadIdx.x]; /* the element that this thread copied */
    }
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffffu, x, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll 1 /* unrolling would let ptxas merge these loads into 16-byte loads */
        for (unsigned w = 1; w < BLOCK / 32; w++)
            x += warps[w];
        output[blockIdx.x] = x;
    }
}
