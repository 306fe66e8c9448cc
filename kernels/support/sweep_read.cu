// kernel:   sweep_read
// idea:     reads a buffer once and writes nothing: flushes the cache, and shows the speed limit of
//           reading
// source:   redsweep
// workload: read
// role:     limit of reduce
// covers:   BLOCK * 128 / SIZEOF
// blocks:   multiple of 32
#include "pack.cuh"

/*
 * Reads the whole 16-byte packs of n elements, with 8 packs in flight per thread. Any grid works. The store
 * keeps the compiler from removing the loads. It executes only if the xor of a thread's packs is one
 * particular 16-byte value. This never happens if the buffer repeats a single byte, and has a chance of 1
 * in 2^128 for random contents.
 */
extern "C" __global__ void sweep_read(element *input, element *output, index_t n)
{
    enum { AT_ONCE = 8 };
    const uint4 *data = (const uint4 *)input;
    index_t packs = n / PACK_WIDTH, tile = (index_t)blockDim.x * AT_ONCE;
    uint4 seen = make_uint4(0, 0, 0, 0);

    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
        uint4 p[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            index_t at = first + k * blockDim.x + threadIdx.x;
            p[k] = at < packs ? data[at] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
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
