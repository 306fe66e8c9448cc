// kernel:   smem_neighbored
// idea:     adds the same pairs as neighbored, but in shared memory; the input is read once and not
//           modified
// source:   Note on block sums of doubles in shared memory
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void smem_neighbored(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0 && tid + stride < blockDim.x)
            tile[tid] = combine(tile[tid], tile[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
