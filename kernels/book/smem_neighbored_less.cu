// kernel:   smem_neighbored_less
// idea:     adds the same pairs as neighbored_less, but in shared memory; lanes are 2*stride words
//           apart, which causes bank conflicts
// source:   Note on block sums of doubles in shared memory
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void smem_neighbored_less(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < blockDim.x)
            tile[index] = combine(tile[index], tile[index + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
