// kernel:     rows_thread
// idea:       one thread per row: no communication, but neighboring threads read addresses a row
//             apart
// source:     textbook
// workload:   rows
// covers:     BLOCK * ROW_LENGTH
// depth:      ROW_LENGTH
// blocks:     multiple of 32
// requires:   ROW_LENGTH < 2^32
// where:      WORK ceil_div(GRID, SMS) * BLOCK / 32 * ROW_LENGTH
// cost:       ROW_LENGTH
// cost:       ceil_div(GRID * BLOCK, SMS * 2048) * ROW_LENGTH
// overlap:    WORK
// overlap:    if(ROW_LENGTH * SIZEOF % 32 = 0, WORK, 0)
// overlap:    WORK * min(32, ROW_LENGTH * SIZEOF / 4)
// overlap:    N / ROW_LENGTH * max(0, 32 - ROW_LENGTH * SIZEOF)
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// invariant:  yes
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "operation.cuh"

extern "C" __global__ void rows_thread(const element *input, result_t *output, size_t rows,
                                       unsigned row_length)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const element *mine = input + row * row_length;
    accumulator sum = lift(mine[0], 0);
    for (unsigned k = 1; k < row_length; k++)
        sum = accumulate(sum, mine[k], k);
    output[row] = finish(sum);
}
