// kernel:     vector_loads
// idea:       loads of 16 bytes, and the rest one by one
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     16 * BLOCK
// blocks:     power of two
// constant:   BLOCK
// types:      int32 uint32 float32
// ops:        sum
// uniform:    yes
#include "common.cuh"

struct alignas(16) four {
    element x, y, z, w;
};

extern "C" __global__ void vector_loads(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    index_t first = (index_t)blockIdx.x * BLOCK * 16;
    unsigned here = elements_here(n, first, 16 * BLOCK);
    const four *from = (const four *)(input + first);
    element x = 0;

#pragma unroll 1 /* unrolling would need separate loads for lanes with fewer iterations */
    for (unsigned k = threadIdx.x; k < here / 4; k += BLOCK) {
        four v = from[k];
        x += v.x + v.y + v.z + v.w;
    }
    if (threadIdx.x < here % 4)
        x += input[first + here / 4 * 4 + threadIdx.x];
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        output[blockIdx.x] = tile[0];
}
