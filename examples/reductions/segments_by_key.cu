// kernel:     segments_by_key
// idea:       lanes of equal key reduce together; a segment's sum collects in its own cell
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// types:      int32 uint32
// ops:        sum
// workspace:  16 + 4 * ceil_div(N, 100)
// uniform:    no
#include "common.cuh"

/* A segment of 100 elements can begin in any lane. The last block adds the segments' sums. */
extern "C" __global__ void segments_by_key(element *input, element *output, index_t n, void *workspace)
{
    unsigned *ticket = (unsigned *)workspace, *sums = ticket + 4;
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = (unsigned)(i < n ? i : n - 1) / 100, x = i < n ? (unsigned)input[i] : 0;
    __shared__ bool last;
    __shared__ unsigned total;

    unsigned peers = __match_any_sync(0xffffffffu, key);
    unsigned sum = __reduce_add_sync(peers, x);
    if (threadIdx.x % 32 == __ffs(peers) - 1)
        atomicAdd(sums + key, sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        total = 0;
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    x = 0;
    for (unsigned k = threadIdx.x; k < (unsigned)(n + 99) / 100; k += blockDim.x)
        x += __ldcg(sums + k);
    atomicAdd(&total, x);
    __syncthreads();
    if (threadIdx.x == 0)
        *output = total;
}
