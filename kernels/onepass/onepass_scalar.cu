// kernel:     onepass_scalar
// idea:       one launch for any type, operation, offset and n, including 0: uses scalar loads and
//             tickets, and leaves its workspace zeroed
// source:     redsweep
// result:     complete
// input:      untouched
// covers:     BLOCK * 8
// grid:       min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM)
// workspace:  if(GRID = 1, 0, 16 + GRID * ACCUMULATOR)
// depth:      ceil_div(N, GRID * BLOCK) + ceil_div(GRID, BLOCK) + 26
// blocks:     multiple of 32
// tunable:    BLOCKS_PER_SM 4 1 2 8 16
// types:      all
// ops:        all
// parameters: input output n workspace second
// uniform:    no
// standalone: yes
// fallback:   yes
#include "scalar.cuh"

/*
 * Prediction: on inputs that kernels with wide loads accept, this kernel is 10 to 20 % slower than those
 * kernels for 4-byte elements, and even more for smaller elements. The library uses this kernel for the
 * inputs that those kernels do not accept.
 */
extern "C" __global__ void onepass_scalar(const element *input, result_t *output, index_t n,
                                       void *workspace, const element *second)
{
    index_t first = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    accumulator sum = strided_combine(input, second, n, first, (index_t)gridDim.x * blockDim.x);
    sum = block_combine(sum);
    __syncthreads(); /* separates two uses of block_combine() */
    blocks_finish(sum, blockIdx.x, gridDim.x, (unsigned *)workspace,
                  (accumulator *)((char *)workspace + 16), output);
}
