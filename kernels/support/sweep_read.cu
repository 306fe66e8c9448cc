// kernel:   sweep_read
// idea:     reads a buffer once and writes nothing: cleans the cache, and is the ceiling of reading
// source:   redsweep
// result:   partial
// input:    untouched
// covers:   BLOCK * 128 / SIZEOF
// blocks:   multiple of 32
// uniform:  yes
#include "pack.cuh"

/*
 * Reads the whole packs (16 bytes) of n elements, 8 in flight a thread; right for any grid. The
 * store keeps the loads alive and happens only if all bits that a thread read cancel out to a
 * value that is one in 2^128 for random contents, and impossible for constant ones.
 */
extern "C" __global__ void sweep_read(element *input, element *output, index_t n)
{
    enum { LOADS = 8 };
    const uint4 *data = (const uint4 *)input;
    index_t packs = n / PACK_WIDTH, tile = (index_t)blockDim.x * LOADS;
    uint4 seen = make_uint4(0, 0, 0, 0);

    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
        uint4 p[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            index_t at = first + k * blockDim.x + threadIdx.x;
            p[k] = at < packs ? data[at] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            seen.x ^= p[k].x;
            seen.y ^= p[k].y;
            seen.z ^= p[k].z;
            seen.w ^= p[k].w;
        }
    }
    if (seen.x == 0x243f6a88 && seen.y == 0x85a308d3 && seen.z == 0x13198a2e &&
        seen.w == 0x03707344)
        output[0] = (element)seen.x;
}
