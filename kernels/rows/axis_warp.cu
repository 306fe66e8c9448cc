// kernel:     axis_warp
// idea:       reduces an array (outer, length, inner) over its middle dimension: a warp reads 32
//             neighboring elements of a row per load, with LOADS rows in flight, and a lane keeps
//             COLUMNS partials. Rows may begin at any element; threads do not communicate
// source:     redsweep
// workload:   axis
// covers:     BLOCK * min(COLUMNS, ceil_div(INNER, 32)) * ROW_LENGTH
// grid:       ceil_div(N / (ROW_LENGTH * INNER) * ceil_div(INNER, 32 * COLUMNS), BLOCK / 32)
// depth:      ROW_LENGTH
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    COLUMNS 2 1 4 8
// tunable:    LOADS 8 2 4 6 12 16
// tunable:    MIN_BLOCKS 1 2 3 4 6 8 16
// requires:   ROW_LENGTH < 2^32 and COLUMNS * LOADS <= 64
// requires:   BLOCK * MIN_BLOCKS * (LOADS * COLUMNS * max(1, SIZEOF / 4) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      WAVES ceil_div(GRID, SMS * MIN_BLOCKS)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       WAVES
// cost:       WAVES * ceil_div(ROW_LENGTH, LOADS)
// overlap:    WARPS
// overlap:    WARPS * ROW_LENGTH * COLUMNS
// overlap:    WARPS * ROW_LENGTH * min(COLUMNS, ceil_div(INNER, 32)) * SIZEOF
// types:      all
// ops:        all
// parameters: input output second unsigned(ROW_LENGTH) size_t(INNER) unsigned(ceil_div(INNER, 32 * COLUMNS))
//             unsigned(N / (ROW_LENGTH * INNER) * ceil_div(INNER, 32 * COLUMNS))
#include "block.cuh"

/*
 * axis_tiles reads 16-byte vectors. If rows are not whole vectors, it assigns each thread rows that begin at the
 * same byte of a vector. For short lengths, each thread then gets a single row, and most of the time passes before
 * a block's first load and after its last. Here, each load reads a single element. With half types, that is 64
 * bytes per warp. A multiprocessor can start one such load per clock, but on an H200 it receives only 21 bytes per
 * clock.
 */

/*
 * The elements of a warp's strip from its first column on. Column c of a lane is at x + places[c], and the next
 * row is `inner` elements further on.
 */
struct strip {
    const element *x, *y;
    size_t inner;
    unsigned places[COLUMNS];
};

/* Folds up to LOADS rows, of which `real` exist; with WHOLE, all of them do. */
template <bool WHOLE>
static __device__ __forceinline__ void rows_fold(partial sums[COLUMNS], const strip &s, unsigned row, unsigned real)
{
    element x[LOADS][COLUMNS], y[VECTORS == 2 ? LOADS : 1][COLUMNS];
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (WHOLE || k < real)
#pragma unroll
            for (unsigned c = 0; c < COLUMNS; c++) {
                x[k][c] = s.x[(row + k) * s.inner + s.places[c]];
                if (VECTORS == 2)
                    y[VECTORS == 2 ? k : 0][c] = s.y[(row + k) * s.inner + s.places[c]];
            }
    const value_t share = append_share(sums[0], real);
#pragma unroll
    for (unsigned c = 0; c < COLUMNS; c++) {
        value_t values[LOADS], others[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            const bool exists = WHOLE || k < real;
            values[k] = exists ? convert(x[k][c]) : fill_value();
            others[k] = VECTORS == 1 ? values[k] : exists ? convert(y[VECTORS == 2 ? k : 0][c]) : 0;
        }
        append(&sums[c], fold_values<LOADS>(values, others, row, 1, real), share);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    axis_warp(const element *input, result_t *output, const element *second, unsigned length, size_t inner,
              unsigned strips, unsigned warps)
{
    const unsigned warp = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= warps)
        return;
    const size_t outer = warp / strips, column = (size_t)(warp % strips) * (32 * COLUMNS);
    const size_t first = outer * length * inner + column;
    const unsigned used = inner - column < 32 * COLUMNS ? (unsigned)(inner - column) : 32 * COLUMNS;
    strip s = {input + first, second + first, inner};
    partial sums[COLUMNS];
#pragma unroll
    for (unsigned c = 0; c < COLUMNS; c++) {
        s.places[c] = min(32 * c + lane, used - 1); /* lanes past the end repeat the last column */
        sums[c] = nothing();
    }
    unsigned row = 0;
#pragma unroll 1
    for (; length - row >= LOADS; row += LOADS)
        rows_fold<true>(sums, s, row, LOADS);
    if (row < length)
        rows_fold<false>(sums, s, row, length - row);
#pragma unroll
    for (unsigned c = 0; c < COLUMNS; c++)
        if (32 * c + lane < used)
            output[outer * inner + column + 32 * c + lane] = finish(sums[c]);
}
