// kernel:   sweep_write
// idea:     writes a buffer once and reads nothing: the speed limit of writing
// source:   redsweep
// workload: write
// role:     harness
// covers:   BLOCK * 128 / SIZEOF
// blocks:   multiple of 32
#include "pack.cuh"

/* Fills each whole 16-byte pack of n elements with the number of the pack. Any grid works. */
extern "C" __global__ void sweep_write(element *input, element *output, index_t n)
{
    enum { AT_ONCE = 8 };
    uint4 *data = (uint4 *)output;
    index_t packs = n / PACK_WIDTH, tile = (index_t)blockDim.x * AT_ONCE;

    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            index_t at = first + k * blockDim.x + threadIdx.x;
            unsigned x = (unsigned)at;
            if (at < packs)
                data[at] = make_uint4(x, x, x, x);
        }
    }
}
