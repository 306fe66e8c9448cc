// kernel:     staged_pipeline
// idea:       cuda::pipeline with two stages, copies by the whole block
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     8 * BLOCK
// blocks:     multiple of 32
// constant:   BLOCK
// types:      int32
// ops:        sum
// uniform:    no
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include "common.cuh"

extern "C" __global__ void staged_pipeline(element *input, element *output, index_t n)
{
    __shared__ element tile[2][BLOCK];
    __shared__ element sum;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    index_t first = (index_t)blockIdx.x * BLOCK * 8;
    unsigned here = elements_here(n, first, 8 * BLOCK), tiles = (here + BLOCK - 1) / BLOCK;
    element x = 0;

    if (threadIdx.x == 0)
        sum = 0;
    for (unsigned k = 0; k <= tiles; k++) {
        if (k < tiles) {
            unsigned count = here - k * BLOCK < BLOCK ? here - k * BLOCK : BLOCK;
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[k % 2], input + first + k * BLOCK, count * sizeof(element), pipe);
            pipe.producer_commit();
        }
        if (k == 0)
            continue;
        pipe.consumer_wait();
        if ((k - 1) * BLOCK + threadIdx.x < here)
            x += tile[(k - 1) % 2][threadIdx.x];
        pipe.consumer_release();
    }
    block.sync();
    atomicAdd(&sum, x);
    block.sync();
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
