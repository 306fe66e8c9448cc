// kernel:     rows_tiles
// idea:       one block per tile of a row with 16-byte loads, all in flight; the last block of a row
//             polls the flagged words of the row's other blocks, in two levels where GROUP says so
// source:     redsweep
// workload:   rows
// covers:     min(BLOCK * LOADS * 16 / SIZEOF, ROW_LENGTH)
// grid:       N / ROW_LENGTH * ceil_div(ROW_LENGTH, BLOCK * LOADS * 16 / SIZEOF)
// workspace:  if(GRID = N / ROW_LENGTH, 0, 2 * SIZEOF * (GRID + if(GROUP = 0, 0, N / ROW_LENGTH
//             * ceil_div(GRID / (N / ROW_LENGTH), max(GROUP, 1)))))
// depth:      COVERS / BLOCK + GROUP + ceil_div(ROW_LENGTH, BLOCK * BLOCK * LOADS) + 40
// blocks:     power of two
// constant:   BLOCK
// tunable:    LOADS 1 2 4 6 8 12 16
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1 2
// tunable:    GROUP 0 64 256
// default:    LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:   GROUP > 0 or ROW_LENGTH <= 4096 * (BLOCK * LOADS * 16 / SIZEOF)
// min_arch:   sm_80
// counts:     vary
// parameters: input output workspace size_t(ROW_LENGTH * SIZEOF / 16)
//             unsigned(GRID / (N / ROW_LENGTH))
#include "slots.cuh"
#include "tile.cuh"

/*
 * Predicted: rows of 4 KB and more at the speed of reading: the hardware's scheduler of blocks deals
 * out the tiles of all rows, so no shape of the input leaves multiprocessors idle. A row of one tile
 * needs no slot. Blocks that poll started after those they wait for.
 */
static __device__ __forceinline__ element join(element a, element b)
{
    return combine(a, b);
}

enum { SLOT_WORDS = sizeof(element) / 4 };

/*
 * The row's total from `sum` of each of its `tiles` blocks, in thread 0 of the last one, which
 * returns true; every other block hands its sum on.
 */
static __device__ __forceinline__ bool row_finish(element *sum, slot_word *slots, size_t row,
                                                  unsigned tile, unsigned tiles)
{
    unsigned size = GROUP ? GROUP : tiles, groups = (tiles + size - 1) / size;
    unsigned group = tile / size, first = group * size;
    unsigned mates = tiles - first < size ? tiles - first : size;
    bool gathers = tile == first + mates - 1, last = tile == tiles - 1;
    slot_word *mine = slots + row * tiles * SLOT_WORDS;
    slot_word *of_groups = slots + ((size_t)gridDim.x + row * groups) * SLOT_WORDS;
    if (gathers)
        *sum = slots_gather(mine + (size_t)first * SLOT_WORDS, mates - 1, *sum, join);
    if (GROUP && last)
        *sum = slots_gather(of_groups, group, *sum, join);
    *sum = block_total(*sum);
    if (threadIdx.x == 0 && gathers && !last)
        slot_put(of_groups, group, *sum);
    if (threadIdx.x == 0 && !gathers)
        slot_put(mine, tile, *sum);
    return last;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_tiles(const element *input, element *output, void *workspace, size_t packs, unsigned tiles)
{
    size_t row = blockIdx.x / tiles;
    unsigned tile = blockIdx.x - (unsigned)row * tiles;
    body b = {(const pack *)input + row * packs, (index_t)packs};
    element sum = tile_combine(b, (index_t)tile * TILE_PACKS);
    bool last = true;
    if (tiles > 1)
        last = row_finish(&sum, (slot_word *)workspace, row, tile, tiles);
    else
        sum = block_total(sum, 1);
    if (last && threadIdx.x == 0)
        output[row] = sum;
}
