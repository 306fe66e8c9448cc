// kernel:     rows_warp
// idea:       one warp per row: its lanes read neighboring elements and combine them with shuffles
// source:     textbook
// workload:   rows
// covers:     BLOCK / 32 * ROW_LENGTH
// depth:      ceil_div(ROW_LENGTH, 32) + 5
// blocks:     multiple of 32
// requires:   ROW_LENGTH < 2^32
// cost:       ceil_div(GRID, SMS)
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// invariant:  yes
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "operation.cuh"

extern "C" __global__ void rows_warp(const element *input, result_t *output, size_t rows,
                                     unsigned row_length)
{
    size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned lane = threadIdx.x % 32;
    if (row >= rows) /* uniform across the warp */
        return;
    const element *mine = input + row * row_length;
    accumulator sum = identity();
    for (unsigned k = lane; k < row_length; k += 32)
        sum = accumulate(sum, mine[k], k);
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum = combine(sum, shuffle_down(sum, offset));
    if (lane == 0)
        output[row] = finish(sum);
}
