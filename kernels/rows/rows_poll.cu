// kernel:     rows_poll
// idea:       one block reduces each tile of a row with 16-byte loads, in rounds that share one
//             reduction over the block; a warp of the row's last block polls the results of the
//             other blocks, all at once. If a row has many blocks, they are gathered in groups
//             first, and all warps of the last block poll
// source:     redsweep
// workload:   rows
// covers:     min(BLOCK * LOADS * ROUNDS * 16 / SIZEOF, ROW_LENGTH)
// grid:       N / ROW_LENGTH * ceil_div(ROW_LENGTH, BLOCK * LOADS * ROUNDS * 16 / SIZEOF)
// workspace:  if(GRID = N / ROW_LENGTH, 0, 2 * ACCUMULATOR * (GRID + N / ROW_LENGTH
//             * ceil_div(GRID / (N / ROW_LENGTH), GATHER)))
// depth:      COVERS / BLOCK + ceil_div(GATHER, 32) + ceil_div(GRID / (N / ROW_LENGTH), GATHER * 32) + 40
// blocks:     power of two
// constant:   BLOCK
// tunable:    LOADS 1 2 4 6 8 12 16
// tunable:    ROUNDS 1 2 4 8
// tunable:    MIN_BLOCKS 1 2 3 4 6
// tunable:    POLICY 0 1
// tunable:    GATHER 128 64 256 512
// tunable:    PREFETCH 0 1
// default:    LOADS 4 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS * min(ROUNDS, 2) + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      TILES GRID / (N / ROW_LENGTH)
// cost:       ceil_div(GRID, SMS * MIN_BLOCKS)
// cost:       ceil_div(GRID, SMS)
// cost:       if(TILES > 1, 1, 0)
// cost:       log2(TILES)
// types:      all
// ops:        all
// min_arch:   sm_80
// counts:     vary
// parameters: input output second workspace size_t(ROW_LENGTH * SIZEOF / 16)
//             unsigned(GRID / (N / ROW_LENGTH))
#include "stream.cuh"
#include "handshake.cuh"

/*
 * Prediction: rows of 4 KB and more are reduced as fast as they can be read. A dot product's tile has twice
 * as many bytes as that of a single vector, so half as many loads per vector are enough. If a row has many
 * blocks, the kernel takes 0.5 to 1 us less than one in which all threads of the last block poll, because no
 * reduction over the block is left when the last word arrives. With more ROUNDS, a block's fixed cost is
 * spread over more packs. This cost is about 180 instructions per thread, most of them for reductions. It
 * matters for half types, which need 40 of the 105 instructions that a multiprocessor can issue while a pack
 * arrives for each lane of a warp. MIN_BLOCKS is a trade-off: variances need many registers, but too few
 * blocks leave too few loads in flight.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_poll(const pack *input, result_t *output, const pack *second, void *workspace,
             size_t packs, unsigned tiles)
{
    size_t row = blockIdx.x / tiles;
    unsigned at = blockIdx.x - (unsigned)row * tiles;
    vectors v = {input + row * packs, second + row * packs};
    unsigned groups = (tiles + GATHER - 1) / GATHER;
    sharing all = {(slot_word *)workspace, blockIdx.x - at, gridDim.x + (unsigned)row * groups,
                   at, tiles, GATHER};
    unsigned first = at * (BLOCK * LOADS * ROUNDS);
    gathering gathers;
    partial part = lanes_stream<BLOCK>(v, packs, first, first * PACK_ELEMENTS,
                                         [&] { gathers = gathering_of(all); });
    part = team_total<BLOCK>(part, 0);
    if (blocks_join(&part, all, gathers) && threadIdx.x == 0)
        output[row] = finish(part);
}
