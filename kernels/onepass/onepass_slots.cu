// kernel:    onepass_slots
// idea:      one launch without atomics or fences: each block writes its total and a ready flag to
//            its own word; the last block polls all words and adds the totals in a fixed order
// source:    redsweep
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS),
//            min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM))
// workspace: 2 * SIZEOF * (GRID + if(GROUP = 0, 0, ceil_div(GRID, max(GROUP, 1))))
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + GROUP + ceil_div(GRID, BLOCK) + 16
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   BLOCKS_PER_SM 0 1 2 3 4 8
// tunable:   ORDER 0 1
// tunable:   POLICY 0 1 2 3
// tunable:   PREFETCH 0 1 2
// tunable:   GROUP 0 64 256
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1 PREFETCH 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  ORDER = 0 or BLOCKS_PER_SM > 0
// requires:  GROUP > 0 or BLOCKS_PER_SM > 0 or N <= COVERS * SMS * 16
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_80
// uniform:   no
// counts:    vary
// standalone: yes
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: a message travels one way (stored to L2 and polled from there), while an atomic is a round
 * trip; but a poll that comes too early costs another trip. The kernel is within 0.2 µs of onepass_packed for
 * every type and operation, and its float results do not vary from launch to launch.
 *
 * The last block has to read a slot of every other block in the grid. If GROUP is not 0, the last of every
 * GROUP neighbouring blocks gathers their totals first, and the last block of the grid gathers the totals of
 * the groups. This allows one block per tile at any n. With PREFETCH 1, the gathering blocks prefetch the
 * slots' lines. With PREFETCH 2, every block prefetches the line of its own slot as well, which also loads
 * the address translation.
 */
enum { LINE_WORDS = 128 / sizeof(slot_word) };

static __device__ __forceinline__ void fetch_slots(const slot_word *slots, unsigned count)
{
    for (unsigned k = threadIdx.x * LINE_WORDS; k < count * SLOT_WORDS; k += BLOCK * LINE_WORDS)
        fetch_ahead(slots + k);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_slots(element *input, element *output, index_t n, void *workspace)
{
    slot_word *slots = (slot_word *)workspace;
    slot_word *group_slots = slots + (size_t)gridDim.x * SLOT_WORDS;
    unsigned size = GROUP ? GROUP : gridDim.x, group = GROUP ? blockIdx.x / size : 0;
    unsigned first = group * size, mates = gridDim.x - first < size ? gridDim.x - first : size;
    bool gathers = blockIdx.x == first + mates - 1, last = blockIdx.x == gridDim.x - 1;
    slot_word *mine = slots + (size_t)first * SLOT_WORDS;
    if (PREFETCH && gathers)
        fetch_slots(mine, mates);
    else if (PREFETCH == 2 && threadIdx.x == 0)
        fetch_ahead(slots + (size_t)blockIdx.x * SLOT_WORDS);

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
        sum = slots_gather(mine, mates - 1, sum);
    if (GROUP && last)
        sum = slots_gather(group_slots, group, sum);
    sum = block_total(sum);

    if (threadIdx.x == 0) {
        if (last)
            output[0] = sum;
        else if (gathers)
            slot_put(group_slots, group, sum);
        else
            slot_put(slots, blockIdx.x, sum);
    }
}
