// kernel:     rows_thread
// idea:       one thread per row: no communication, but neighbouring threads read a row apart
// source:     textbook
// workload:   rows
// covers:     BLOCK * ROW_LENGTH
// depth:      ROW_LENGTH
// blocks:     multiple of 32
// requires:   ROW_LENGTH < 2^32
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "common.cuh"

extern "C" __global__ void rows_thread(const element *input, element *output, size_t rows,
                                       unsigned row_length)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const element *mine = input + row * row_length;
    element sum = mine[0];
    for (unsigned k = 1; k < row_length; k++)
        sum = combine(sum, mine[k]);
    output[row] = sum;
}
