// kernel:     rows_lanes
// idea:       part of a warp per row, several rows at once: all 16-byte loads are in flight before
//             the first is used, and each shuffle halves either the number of rows or the number of
//             lanes per row
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
// where:      PACKS ROW_LENGTH * SIZEOF / 16
// where:      FULL (PACKS - PACKS % (LANES * LOADS)) / (LANES * LOADS)
// where:      PART ceil_div(PACKS % (LANES * LOADS), LANES)
// where:      WAVES ceil_div(GRID * BLOCK * max(65536 / 2048, 4 * LOADS * ROWS + 24), SMS * 65536)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       WAVES
// cost:       WAVES * FULL
// cost:       WAVES * PART
// cost:       PART
// cost:       WARPS
// cost:       WARPS * FULL
// cost:       WARPS * PART
// cost:       N * SIZEOF / 512 / SMS * max(1, min(32 / LANES * max(1, LANES / 8), PACKS * 4 / LANES))
// cost:       if(N / ROW_LENGTH % (32 / LANES * ROWS) = 0, 0, ceil_div(PACKS, LANES) - PART)
// types:      all
// ops:        all
// min_arch:   sm_80
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH * SIZEOF / 16)
#include "stream.cuh"

/*
 * Prediction: rows of 64 bytes to a few KB are reduced as fast as they can be read. Whatever the row
 * length, a warp reads a contiguous piece of memory. It stores its results with one instruction if ROWS =
 * LANES. Rows longer than LANES * LOADS packs take several steps, and each step's loads wait for the sums
 * of the previous one, so such rows need more lanes. While a 16-byte pack arrives for each lane of a warp,
 * a multiprocessor can issue 105 instructions. With half types, log-sum-exp takes 36 of them and a
 * variance 32. Each row takes another 25 to 60 instructions, for a join and two shuffles per step and for
 * the logarithm or division at the end. Rows of 64 bytes therefore reach 90 % of the speed of reading if a
 * lane has at least two packs of its row; rows of 32 bytes do not reach it.
 */
enum { WIDTH = 32 / LANES, WARP_ROWS = WIDTH * ROWS, STEP = LANES * LOADS };

/* A warp's rows. x and y point to the first pack that this lane reads in each vector. */
struct warp_rows {
    const pack *x, *y;
    size_t here; /* number of rows from the warp's first one on */
    unsigned packs, lane, group;
};

/*
 * Adds this lane's share of the packs [first, first + STEP) of its ROWS rows to the rows' partials. All
 * loads are in flight before the first is used.
 */
static __device__ __forceinline__ void rows_fold(const warp_rows &w, unsigned first, partial parts[ROWS])
{
    uint4 x[ROWS][LOADS], y[VECTORS == 2 ? ROWS : 1][VECTORS == 2 ? LOADS : 1];
    unsigned element_first = (first + w.lane) * PACK_ELEMENTS;
    /* This condition has no __builtin_expect(), because ptxas would place an unlikely branch first. */
    if (w.here < WARP_ROWS || w.packs - first < STEP) {
#pragma unroll 1
        for (unsigned j = 0; j < LOADS; j++) {
#pragma unroll
            for (unsigned k = 0; k < ROWS; k++) {
                if (k * WIDTH + w.group >= w.here || first + w.lane + j * LANES >= w.packs)
                    continue;
                size_t at = (size_t)k * WIDTH * w.packs + first + j * LANES;
                uint4 one = words_load(w.x + at), other = VECTORS == 2 ? words_load(w.y + at) : one;
                parts[k] = combine(parts[k], fold<1>(&one, &other, element_first + j * LANES * PACK_ELEMENTS, 0));
            }
        }
        return;
    }
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
#pragma unroll
        for (unsigned j = 0; j < LOADS; j++) {
            size_t at = (size_t)k * WIDTH * w.packs + first + j * LANES;
            x[k][j] = words_load(w.x + at);
            if (VECTORS == 2)
                y[VECTORS == 2 ? k : 0][VECTORS == 2 ? j : 0] = words_load(w.y + at);
        }
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++) {
        partial part = fold<LOADS>(x[k], y[VECTORS == 2 ? k : 0], element_first, LANES * PACK_ELEMENTS);
        parts[k] = first ? combine(parts[k], part) : part;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_lanes(const pack *input, result_t *output, const pack *second, size_t rows, unsigned packs)
{
    size_t first_row = ((size_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * WARP_ROWS;
    if (first_row >= rows) /* uniform across the warp */
        return;
    warp_rows w = {0, 0, rows - first_row, packs, threadIdx.x % LANES, threadIdx.x % 32 / LANES};
    size_t start = (first_row + w.group) * packs + w.lane;
    w.x = input + start;
    w.y = second + start;
    partial parts[ROWS];
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        parts[k] = nothing();
#pragma unroll 1
    for (unsigned first = 0; first < packs; first += STEP)
        rows_fold(w, first, parts);
    if (LANES == 32 && ROWS == 1)
        parts[0] = warp_total<1, 32>(parts);
    else
        lanes_join<ROWS, LANES>(parts);
    unsigned kept = lanes_first<ROWS, LANES>();
    if (ROWS < LANES && w.lane % (LANES / ROWS) != 0)
        return;
#pragma unroll
    for (unsigned k = 0; k < (ROWS > LANES ? ROWS / LANES : 1); k++)
        if ((kept + k) * WIDTH + w.group < w.here)
            output[first_row + (kept + k) * WIDTH + w.group] = finish(parts[k]);
}
