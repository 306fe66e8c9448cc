// kernel:   sweep_copy
// idea:     copies a buffer once: the speed limit of reading and writing together
// source:   redsweep
// workload: copy
// role:     harness
// covers:   BLOCK * 128 / SIZEOF
// blocks:   multiple of 32
#include "pack.cuh"

/* Copies the whole 16-byte packs of n elements, with 8 packs in flight per thread. Any grid works. */
extern "C" __global__ void sweep_copy(element *input, element *output, index_t n)
{
    enum { AT_ONCE = 8 };
    const uint4 *__restrict__ from = (const uint4 *)input;
    uint4 *__restrict__ to = (uint4 *)output;
    index_t packs = n / PACK_WIDTH, tile = (index_t)blockDim.x * AT_ONCE;

    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
        uint4 p[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            index_t at = first + k * blockDim.x + threadIdx.x;
            p[k] = at < packs ? from[at] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            index_t at = first + k * blockDim.x + threadIdx.x;
            if (at < packs)
                to[at] = p[k];
        }
    }
}
