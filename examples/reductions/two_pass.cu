// kernel:     two_pass
// idea:       even shares for a fixed grid; a second launch reduces the partial results
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     ceil_div(N, min(ceil_div(N, BLOCK), 4 * SMS))
// blocks:     power of two
// constant:   BLOCK
// depth:      ceil_div(COVERS, BLOCK) + log2(BLOCK)
// uniform:    no
#include "common.cuh"

extern "C" __global__ void two_pass(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    index_t share = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * share;
    index_t last = first + share < n ? first + share : n;
    element x = IDENTITY;

    for (index_t i = first + threadIdx.x; i < last; i += BLOCK)
        x = combine(x, input[i]);
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        output[blockIdx.x] = tile[0];
}
