// kernel:   vector
// idea:     each thread keeps LOADS 16-byte loads in flight in a grid-stride loop; the whole grid
//           is resident at once
// source:   beyond the sources: NVIDIA, CUDA Pro Tips (vectorized memory access, grid-stride loops)
// result:   partial
// input:    untouched
// covers:   BLOCK * LOADS * 16 / SIZEOF
// grid:     min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM)
// depth:    ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + 11
// blocks:   multiple of 32
// tunable:  LOADS 1 2 4 8
// tunable:  BLOCKS_PER_SM 1 2 4 8 16
// default:  LOADS 4 BLOCKS_PER_SM 4
// requires: BLOCK * BLOCKS_PER_SM <= 2048
// requires: OFFSET * SIZEOF % 16 = 0
// uniform:  no
#include "block.cuh"
#include "pack.cuh"

extern "C" __global__ void vector(element *input, element *output, index_t n)
{
    index_t packs = n / PACK_WIDTH, rest = packs * PACK_WIDTH;

    element sum = packs_combine<LOADS>((const pack *)input, packs);
    if (blockIdx.x == 0 && threadIdx.x < n - rest) /* less than a pack remains */
        sum = combine(sum, input[rest + threadIdx.x]);

    sum = block_combine(sum);
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
