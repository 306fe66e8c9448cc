// kernel:     rows_tile
// idea:       a warp reads a tile of whole rows, of any length and beginning at any element, into
//             its own shared memory in 16-byte packs, and a few lanes reduce each row from there
// source:     redsweep
// workload:   rows
// covers:     BLOCK / 32 * ROW_LENGTH * max(1, if(LOADS * 512 * LANES < 32 * ROW_LENGTH * SIZEOF,
//             (LOADS * 512 - LOADS * 512 % (ROW_LENGTH * SIZEOF)) / (ROW_LENGTH * SIZEOF),
//             (LOADS * 512 - LOADS * 512 % (32 / LANES * ROW_LENGTH * SIZEOF)) / (ROW_LENGTH * SIZEOF)))
// depth:      ceil_div(ROW_LENGTH, LANES) + 16 / SIZEOF + 6
// blocks:     power of two
// constant:   BLOCK
// tunable:    LANES 1 2 4 8 16 32
// tunable:    LOADS 1 2 3 4 5 6 8 9 10 12 16
// tunable:    FOLD 1 2 4 8
// tunable:    TAIL 1 2 4
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1
// default:    LANES 4 LOADS 4 FOLD 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF <= LOADS * 512 and BLOCK * LOADS <= 1152
// requires:   BLOCK * MIN_BLOCKS * (4 * max(LOADS, FOLD) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      WORDS ceil_div(ROW_LENGTH * SIZEOF, 4)
// where:      PASSES ceil_div(COVERS / (BLOCK / 32 * ROW_LENGTH) * LANES, 32)
// where:      CONFLICTS if(ROW_LENGTH * SIZEOF % 4 > 0, 1, max(1, if(WORDS % 32 = 0, 32, if(WORDS % 16 = 0, 16,
//             if(WORDS % 8 = 0, 8, if(WORDS % 4 = 0, 4, if(WORDS % 2 = 0, 2, 1))))) / LANES))
// where:      FULL PASSES * (WORDS - WORDS % (4 * FOLD * LANES)) / (4 * LANES)
// where:      REST PASSES * ceil_div(WORDS % (4 * FOLD * LANES), 4 * TAIL * LANES)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       ceil_div(GRID, SMS * MIN_BLOCKS)
// cost:       PASSES
// cost:       REST
// cost:       FULL * CONFLICTS
// cost:       WARPS * PASSES
// cost:       WARPS * FULL * CONFLICTS
// cost:       WARPS * REST * CONFLICTS
// cost:       if(ROW_LENGTH * SIZEOF % 4 = 0, 0, WARPS * (FULL + REST))
// types:      all
// ops:        all
// min_arch:   sm_80
// invariant:  yes
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
//             unsigned(COVERS / (BLOCK / 32 * ROW_LENGTH))
#include "staged.cuh"

/*
 * Prediction: rows of 2 elements to 8 KB are reduced as fast as they can be read, whether or not they are whole
 * packs. A pack costs one store to shared memory and 4 reads, or 7 to 8 reads if lanes share a row of elements
 * smaller than 4 bytes. These accesses take 12 to 16 of the 25 cycles that an H200 needs to deliver a pack to
 * each lane of a warp. If a single lane takes a row, no shuffles are needed, and rows with an odd number of
 * units (see staged.cuh) cause no bank conflicts. Rows of more than 128 bytes need more lanes, because a tile
 * of 32 such rows leaves too little shared memory for other warps.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_tile(const element *input, result_t *output, const element *second, size_t rows, unsigned row_length,
              unsigned tile_rows)
{
    __shared__ uint4 staged[BLOCK / 32][VECTORS][STAGED_PACKS];
    size_t first_row = ((size_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * tile_rows;
    if (first_row >= rows) /* uniform across the warp */
        return;
    unsigned here = rows - first_row < tile_rows ? (unsigned)(rows - first_row) : tile_rows;
    piece pieces[VECTORS];
    piece_packs packs[VECTORS];
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++) {
        piece p = {v ? second : input, first_row * row_length, rows * row_length, here * row_length};
        pieces[v] = p;
        piece_load(&packs[v], pieces[v]);
    }
#pragma unroll
    for (unsigned v = 0; v < VECTORS; v++)
        piece_store(staged[threadIdx.x / 32][v], packs[v], pieces[v]);
    __syncwarp();
#pragma unroll 1
    for (unsigned first = 0; first < here; first += 32 / LANES) {
        unsigned row = first + threadIdx.x % 32 / LANES, real = row < here ? row : here - 1;
        staged_row at[VECTORS];
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++)
            at[v] = row_staged(staged[threadIdx.x / 32][v],
                               packs[v].shift + real * row_length * (unsigned)sizeof(element));
        partial part = staged_part<LANES>(at, row_length);
        if (LANES == 32)
            part = warp_total<1, 32>(&part);
        else
            lanes_join<1, LANES>(&part);
        if (threadIdx.x % LANES == 0 && row < here)
            output[first_row + row] = finish(part);
    }
}
