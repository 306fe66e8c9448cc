// kernel:     rows_limit
// idea:       reads the input once and writes one result per row: the speed limit of row-wise
//             kernels
// source:     redsweep
// workload:   rows_limit
// role:       limit of rows
// covers:     BLOCK * LOADS * 16 / SIZEOF
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    LOADS 4 8 12 16
// default:    LOADS 8
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// requires:   N * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// parameters: input output size_t(N * SIZEOF / 16) size_t(N / ROW_LENGTH)
#include "operation.cuh"

/*
 * Block b reads tile b of the input with all loads in flight and writes the b-th part of the
 * output, where each row's result is its row number. The loaded values are used only in a test that
 * keeps the compiler from removing the loads, as in sweep_read.
 */
enum { WORDS = sizeof(result_t) / 4 };

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_limit(const element *input, unsigned *output, size_t packs, size_t rows)
{
    const uint4 *data = (const uint4 *)input;
    size_t first = (size_t)blockIdx.x * (BLOCK * LOADS) + threadIdx.x;
    uint4 p[LOADS], seen = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        p[k] = first + k * BLOCK < packs ? data[first + k * BLOCK] : make_uint4(0, 0, 0, 0);
    size_t share = (rows + gridDim.x - 1) / gridDim.x, row = blockIdx.x * share;
    size_t end = row + share < rows ? row + share : rows;
    for (row += threadIdx.x; row < end; row += BLOCK)
#pragma unroll
        for (unsigned k = 0; k < WORDS; k++)
            output[row * WORDS + k] = (unsigned)row;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        seen.x ^= p[k].x;
        seen.y ^= p[k].y;
        seen.z ^= p[k].z;
        seen.w ^= p[k].w;
    }
    if (seen.x == 0x243f6a88 && seen.y == 0x85a308d3 && seen.z == 0x13198a2e &&
        seen.w == 0x03707344)
        output[0] = seen.x;
}
