// kernel:    onepass_vector
// idea:      like onepass_packed, but for float32: one vector atomic per block adds the sum to one
//            float and 1 to the next; the block whose atomic completes the count has the result
// source:    PTX ISA, atom.add with .v2.f32 (sm_90)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// workspace: 16
// depth:     COVERS / BLOCK + log2(BLOCK) + GRID + 2
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   POLICY 0 1 2 3
// tunable:   GUARD 0 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  N <= COVERS * 16777215
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32
// ops:       sum
// min_arch:  sm_90
// uniform:   no
// varies:    yes
#include "tile.cuh"

/*
 * Prediction: at small n, the kernel takes 0.1 µs longer than onepass_packed because of the five shuffles
 * that onepass_packed replaces with redux.sync. From 2^22 on they are equally fast. The count is exact up to
 * 2^24 blocks.
 *
 * The library does not use this kernel, for two reasons. First, floats are added in the order in which
 * blocks arrive, so the sum varies from run to run. Second, PTX guarantees that each element of the vector
 * is added atomically, but not that both are added together. On a GPU that splits them, the last count could
 * arrive before a block's sum.
 */
static __device__ __forceinline__ void hand_over(float *cell, float sum, float *output)
{
    float before, blocks;
    asm volatile("atom.relaxed.gpu.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(before), "=f"(blocks)
                 : "l"(cell), "f"(sum), "f"(1.0f)
                 : "memory");
    if (blocks == (float)(gridDim.x - 1)) {
        output[0] = before + sum;
        cell[0] = cell[1] = 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_vector(element *input, element *output, index_t n, void *workspace)
{
    body b = body_find(input, n);
    pack p[LOADS];
    tile_load(b, (index_t)blockIdx.x * TILE_PACKS, p);
    element sum = combine(ends_load(input, n, b), tile_total(p));
    sum = block_total(sum);
    if (threadIdx.x == 0)
        /* the workspace is zero before and after the launch */
        hand_over((float *)workspace, sum, output);
}
