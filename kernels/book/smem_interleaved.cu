// kernel:   smem_interleaved
// idea:     adds the same pairs as interleaved, but in shared memory; contiguous lanes avoid bank
//           conflicts
// source:   Note on block sums of doubles in shared memory
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void smem_interleaved(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
