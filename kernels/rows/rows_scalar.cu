// kernel:     rows_scalar
// idea:       rows of any length, including 0, that begin at any element: scalar loads, with a few
//             lanes per row, or several blocks that share a ticket per row
// source:     redsweep
// workload:   rows
// covers:     if(LANES = 0, min(ROW_LENGTH, BLOCK * 8), BLOCK / max(LANES, 1) * ROW_LENGTH)
// grid:       if(LANES = 0, N / ROW_LENGTH * min(ceil_div(ROW_LENGTH, BLOCK * 8),
//             ceil_div(SMS * 8, N / ROW_LENGTH)), ceil_div(N, COVERS))
// workspace:  if(LANES > 0 or GRID = N / ROW_LENGTH, 0,
//             GRID * ACCUMULATOR + N / ROW_LENGTH * 4)
// depth:      ceil_div(ROW_LENGTH, if(LANES > 0, LANES, BLOCK * GRID / (N / ROW_LENGTH)))
//             + ceil_div(GRID, N / ROW_LENGTH * BLOCK) + 26
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    LANES 0 32 8
// requires:   LANES = 0 or ROW_LENGTH <= 2 * LANES * LANES
// types:      all
// ops:        all
// parameters: input output n workspace size_t(N / ROW_LENGTH)
//             unsigned(if(LANES = 0, GRID / (N / ROW_LENGTH), 1)) second
// standalone: yes
// fallback:   yes
#include "scalar.cuh"

/*
 * Prediction: the kernel is far slower than rows_lanes and rows_poll, whose 16-byte loads require rows
 * that begin at multiples of 16 bytes. The library uses this kernel for rows that begin at other
 * addresses.
 *
 * The kernel computes the row length as n / rows, so that rows can be empty.
 */
extern "C" __global__ void rows_scalar(const element *input, result_t *output, index_t n,
                                    void *workspace, size_t rows, unsigned blocks,
                                    const element *second)
{
    const index_t row_length = (index_t)(n / rows);
#if LANES > 0
    size_t row = (size_t)blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
    accumulator sum = identity();
    if (row < rows)
        sum = strided_combine(input + row * row_length, second + row * row_length, row_length, threadIdx.x % LANES,
                              LANES);
#pragma unroll
    for (unsigned offset = LANES / 2; offset > 0; offset /= 2)
        sum = combine(sum, shuffle_xor(sum, offset));
    if (row < rows && threadIdx.x % LANES == 0)
        output[row] = finish(sum);
#else
    size_t row = blockIdx.x / blocks;
    unsigned rank = blockIdx.x - (unsigned)(row * blocks);
    accumulator *partials = (accumulator *)workspace + row * blocks;
    unsigned *tickets = (unsigned *)((accumulator *)workspace + (size_t)gridDim.x);
    accumulator sum = strided_combine(input + row * row_length, second + row * row_length, row_length,
                                      (index_t)rank * BLOCK + threadIdx.x, (index_t)blocks * BLOCK);
    sum = block_combine(sum);
    __syncthreads(); /* separates two uses of block_combine() */
    blocks_finish(sum, rank, blocks, tickets + row, partials, output + row);
#endif
}
