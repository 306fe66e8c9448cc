// kernel:    onepass_slots
// idea:      one launch without an atomic or a fence: each block leaves its total, marked, in a
//            word of its own, and the last block waits for all of them and adds them in a fixed
//            order
// source:    redsweep
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS),
//            min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM))
// workspace: 2 * SIZEOF * GRID
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + ceil_div(GRID, BLOCK) + 16
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   BLOCKS_PER_SM 0 1 2 3 4 8
// tunable:   ORDER 0 1
// tunable:   POLICY 0 1 2 3
// tunable:   PREFETCH 0 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  ORDER = 0 or BLOCKS_PER_SM > 0
// requires:  BLOCKS_PER_SM > 0 or N <= COVERS * SMS * 16
// least:     sm_80
// uniform:   no
// standalone: yes
#include "slots.cuh"
#include "tile.cuh"

/*
 * Predicted: a message goes one way (store to L2, poll from there), where an atomic goes there and
 * back, but a poll that comes too early costs a second one; so within 0.2 µs of onepass_packed, and
 * for every type and operation, with floats that are the same every time. Every block more is a
 * slot more for one block to read, so the grid must not be much larger than the GPU holds.
 */
static __device__ __forceinline__ element join(element a, element b)
{
    return combine(a, b);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_slots(element *input, element *output, index_t n, void *workspace)
{
    slot_word *slots = (slot_word *)workspace;
    bool gathers = blockIdx.x == gridDim.x - 1;
    if (PREFETCH && gathers) /* a line of 128 bytes each */
        for (unsigned k = threadIdx.x * 16; k < gridDim.x * (sizeof(element) / 4); k += BLOCK * 16)
            fetch_ahead(slots + k);

    body b;
    element sum = ends_combine(input, n, &b);
#if BLOCKS_PER_SM == 0
    sum = combine(sum, tile_combine(b, (index_t)blockIdx.x * TILE_PACKS));
#elif ORDER == 0
    sum = tiles_strip(b, sum);
#else
    sum = tiles_run(b, sum);
#endif
    if (gathers)
        sum = slots_gather(slots, gridDim.x - 1, sum, join);
    sum = block_total(sum);

    if (threadIdx.x == 0) {
        if (gathers)
            output[0] = sum;
        else
            slot_put(slots, blockIdx.x, sum);
    }
}
