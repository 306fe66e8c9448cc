// kernel:     rows_split
// idea:       like rows_poll, but for rows of any length that begin at any element: a row is split
//             into equal tiles, with a block for each tile; the block's warps read 16-byte packs
//             into shared memory and take the row's elements from there
// source:     redsweep
// workload:   rows
// covers:     min(BLOCK * LOADS * 16 / SIZEOF, ROW_LENGTH)
// grid:       N / ROW_LENGTH * ceil_div(max(1, ROW_LENGTH - 16 / SIZEOF + 1), BLOCK * LOADS * 16 / SIZEOF)
// workspace:  if(GRID = N / ROW_LENGTH, 0, 2 * ACCUMULATOR * (GRID + N / ROW_LENGTH
//             * ceil_div(GRID / (N / ROW_LENGTH), GATHER)))
// depth:      LOADS * 16 / SIZEOF + ceil_div(GATHER, 32) + ceil_div(GRID / (N / ROW_LENGTH), GATHER * 32) + 48
// blocks:     power of two
// constant:   BLOCK
// tunable:    LOADS 1 2 3 4 5 6 8 10 12 16
// tunable:    FOLD 1 2 4 8
// tunable:    MIN_BLOCKS 1 2 3 4 6 8
// tunable:    POLICY 0 1
// tunable:    GATHER 256 64 128 512
// tunable:    PREFETCH 0 1
// default:    LOADS 4 FOLD 2 POLICY 1
// requires:   ROW_LENGTH < 2^32 and BLOCK * LOADS <= 1152
// requires:   BLOCK * MIN_BLOCKS * (4 * max(LOADS, FOLD) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      TILES GRID / (N / ROW_LENGTH)
// cost:       ceil_div(GRID, SMS * MIN_BLOCKS)
// cost:       ceil_div(GRID, SMS)
// cost:       if(TILES > 1, 1, 0)
// cost:       log2(TILES)
// types:      all
// ops:        all
// min_arch:   sm_80
// counts:     vary
// invariant:  yes
// parameters: input output second workspace size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
//             unsigned(GRID / (N / ROW_LENGTH))
//             unsigned(512 / SIZEOF * ceil_div(max(1, ROW_LENGTH - 16 / SIZEOF + 1),
//             BLOCK * 16 / SIZEOF * GRID / (N / ROW_LENGTH)))
#define TAIL 1
#include "staged.cuh"
#include "handshake.cuh"

/*
 * Prediction: rows of 4 KB and more are reduced as fast as they can be read. The kernel is as fast as
 * rows_poll if rows are whole packs, and faster at lengths between two multiples of rows_poll's tile, because
 * a row's tiles all have the same size to within 512 bytes per warp. The last warp takes the elements after a
 * row's whole packs.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_split(const element *input, result_t *output, const element *second, void *workspace, size_t rows,
               unsigned row_length, unsigned tiles, unsigned each)
{
    __shared__ uint4 staged[BLOCK / 32][VECTORS][STAGED_PACKS];
    size_t row = blockIdx.x / tiles;
    unsigned at = blockIdx.x - (unsigned)row * tiles, groups = (tiles + GATHER - 1) / GATHER;
    sharing all = {(slot_word *)workspace, blockIdx.x - at, gridDim.x + (unsigned)row * groups,
                   at, tiles, GATHER};
    /*
     * The number of elements in the row's whole packs. The piece with the last pack includes the elements
     * after it.
     */
    unsigned whole = row_length - row_length % PACK_ELEMENTS;
    size_t begin = ((size_t)at * (BLOCK / 32) + threadIdx.x / 32) * each;
    unsigned first = begin < whole ? (unsigned)begin : begin == 0 ? 0 : row_length;
    unsigned length = first + (size_t)each < whole ? each : row_length - first;
    piece pieces[VECTORS];
    piece_packs packs[VECTORS];
    staged_row from[VECTORS];
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        piece p = {v ? second : input, row * row_length + first, rows * row_length, length};
        pieces[v] = p;
        piece_load(&packs[v], pieces[v]);
    }
    gathering gathers = gathering_of(all);
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        uint4 *mine = staged[threadIdx.x / 32][v];
        piece_store(mine, packs[v], pieces[v]);
        from[v] = row_staged(mine, packs[v].shift);
    }
    __syncwarp();
    partial part = staged_part<32>(from, length);
#if INDEXED
    part.index += length ? first : 0;
#endif
    part = team_total<BLOCK>(part, 0);
    if (blocks_join(&part, all, gathers) && threadIdx.x == 0)
        output[row] = finish(part);
}
