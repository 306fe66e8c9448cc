// kernel:     block_tree
// idea:       a tree in shared memory, one element a thread
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     BLOCK
// blocks:     power of two
// shared:     BLOCK * SIZEOF
// uniform:    yes
#include "common.cuh"

extern "C" __global__ void block_tree(element *input, element *output, index_t n)
{
    extern __shared__ unsigned char bytes[];
    element *tile = (element *)bytes;
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? input[i] : IDENTITY;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        output[blockIdx.x] = tile[0];
}
