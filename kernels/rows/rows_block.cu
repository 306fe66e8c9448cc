// kernel:     rows_block
// idea:       one block per row: its threads read neighboring elements and combine them in shared
//             memory
// source:     textbook
// workload:   rows
// covers:     ROW_LENGTH
// depth:      ceil_div(ROW_LENGTH, BLOCK) + 10
// blocks:     multiple of 32
// requires:   ROW_LENGTH < 2^32
// cost:       ceil_div(GRID, SMS)
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// invariant:  yes
// parameters: input output unsigned(ROW_LENGTH)
#include "block.cuh"

extern "C" __global__ void rows_block(const element *input, result_t *output, unsigned row_length)
{
    const element *mine = input + (size_t)blockIdx.x * row_length;
    accumulator sum = identity();
    for (unsigned k = threadIdx.x; k < row_length; k += blockDim.x)
        sum = accumulate(sum, mine[k], k);
    sum = block_combine(sum);
    if (threadIdx.x == 0)
        output[blockIdx.x] = finish(sum);
}
