// kernel:     rows_group
// idea:       a part of a warp per row, several rows at once: all 16-byte loads are in flight before
//             the first is used, and one shuffle halves the rows or the lanes that share one
// source:     redsweep
// workload:   rows
// covers:     BLOCK / LANES * ROWS * ROW_LENGTH
// depth:      ceil_div(ROW_LENGTH, LANES) + 16 / SIZEOF + 6
// blocks:     power of two
// constant:   BLOCK
// tunable:    LANES 1 2 4 8 16 32
// tunable:    LOADS 1 2 4 8 16
// tunable:    ROWS 1 2 4 8 16
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1
// default:    LANES 8 LOADS 2 ROWS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0 and ROW_LENGTH < 2^32
// requires:   LOADS * ROWS <= 16
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS * ROWS + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// min_arch:   sm_80
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH * SIZEOF / 16)
#include "rows.cuh"

/*
 * Predicted: rows of 64 bytes to a few KB at the speed of reading. A warp reads a contiguous piece
 * of memory as a whole, whatever the row's length is, and stores its results with one instruction
 * where ROWS = LANES. Longer rows than LANES * LOADS packs are read in several steps, in which the
 * loads wait for the sums before them; then more lanes are better.
 */
enum { WIDTH = 32 / LANES, WARP_ROWS = WIDTH * ROWS, STEP = LANES * LOADS };

/*
 * This lane's share of the packs [first, first + STEP) of its ROWS rows joined onto their parts;
 * `here` rows exist. All loads are in flight before the first is used.
 */
static __device__ __forceinline__ void rows_fold(const row_pack *data, size_t here, unsigned packs,
                                                 unsigned first, row_part parts[ROWS])
{
    row_pack p[ROWS][LOADS];
    unsigned lane = threadIdx.x % LANES, group = threadIdx.x % 32 / LANES;
    const row_pack *mine = data + (size_t)group * packs + first + lane;
    unsigned element_first = (first + lane) * PACK_ELEMENTS;
    if (__builtin_expect(here >= WARP_ROWS && packs - first >= STEP, 1)) {
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
#pragma unroll
            for (unsigned j = 0; j < LOADS; j++)
                p[k][j] = row_load(mine + (size_t)k * WIDTH * packs + j * LANES);
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++) {
            row_part part = packs_fold<LOADS>(p[k], element_first, LANES * PACK_ELEMENTS);
            parts[k] = first ? join(parts[k], part) : part;
        }
        return;
    }
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
#pragma unroll
        for (unsigned j = 0; j < LOADS; j++)
            if (k * WIDTH + group < here && first + lane + j * LANES < packs) {
                p[k][j] = row_load(mine + (size_t)k * WIDTH * packs + j * LANES);
                unsigned at = element_first + j * LANES * PACK_ELEMENTS;
                parts[k] = join(parts[k], packs_fold<1>(&p[k][j], at, 0));
            }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_group(const element *input, result_t *output, size_t rows, unsigned packs)
{
    size_t first_row = ((size_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * WARP_ROWS;
    unsigned group = threadIdx.x % 32 / LANES, lane = threadIdx.x % LANES;
    if (first_row >= rows) /* the same for the whole warp */
        return;
    const row_pack *data = (const row_pack *)input + first_row * packs;
    size_t here = rows - first_row;
    row_part parts[ROWS];
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        parts[k] = part_of_none();
    rows_fold(data, here, packs, 0, parts);
#pragma unroll 1
    for (unsigned first = STEP; first < packs; first += STEP)
        rows_fold(data, here, packs, first, parts);
    lanes_join<ROWS, LANES>(parts);
    unsigned first = lanes_first<ROWS, LANES>();
    if (ROWS < LANES && lane % (LANES / ROWS) != 0)
        return;
#pragma unroll
    for (unsigned k = 0; k < (ROWS > LANES ? ROWS / LANES : 1); k++)
        if ((first + k) * WIDTH + group < here)
            output[first_row + (first + k) * WIDTH + group] = row_result(parts[k]);
}
