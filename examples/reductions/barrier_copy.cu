// kernel:     barrier_copy
// idea:       cuda::barrier with an asynchronous copy of the block's whole tile
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     4 * BLOCK
// blocks:     multiple of 32
// constant:   BLOCK
// types:      int32
// ops:        sum
// uniform:    no
#include <cooperative_groups.h>
#include <cuda/barrier>
#include "common.cuh"

extern "C" __global__ void barrier_copy(element *input, element *output, index_t n)
{
    __shared__ element tile[4 * BLOCK];
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    auto block = cooperative_groups::this_thread_block();
    index_t first = (index_t)blockIdx.x * BLOCK * 4;
    unsigned here = elements_here(n, first, 4 * BLOCK);

    if (threadIdx.x == 0)
        init(&arrived, BLOCK);
    block.sync();
    cuda::memcpy_async(block, tile, input + first, here * sizeof(element), arrived);
    arrived.arrive_and_wait();
    for (unsigned s = 2 * BLOCK; s > 0; s /= 2) {
        for (unsigned k = threadIdx.x; k < s && k + s < here; k += BLOCK)
            tile[k] += tile[k + s];
        if (here > s)
            here = s;
        arrived.arrive_and_wait();
    }
    if (threadIdx.x == 0)
        output[blockIdx.x] = tile[0];
}
