// kernel:   matrix_sum
// idea:     computes C = A + B with one thread per element; blocks of BLOCK_X by
//           BLOCK / BLOCK_X threads cover a matrix of n elements in rows of COLUMNS
// source:   Professional CUDA C Programming, ch. 3 (sumMatrixOnGPU2D)
// workload: matrix_sum
// role:     teaching
// covers:   BLOCK
// tunable:  BLOCK_X 16 32 64 128
// tunable:  COLUMNS 16384 1024
// default:  BLOCK_X 32
// grid:     ceil_div(min(N, COLUMNS), BLOCK_X) by
//           ceil_div(ceil_div(N, COLUMNS), BLOCK / BLOCK_X)
// threads:  BLOCK_X by BLOCK / BLOCK_X
// requires: BLOCK % BLOCK_X = 0
// blocks:   multiple of 32
// ops:      sum
// uniform:  yes
#include "common.cuh"

/* The last row may be shorter than the others, so any n works. In `input`, B follows A. */
extern "C" __global__ void matrix_sum(element *input, element *output, index_t n)
{
    index_t x = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    index_t y = (index_t)blockIdx.y * blockDim.y + threadIdx.y;
    index_t i = y * COLUMNS + x;

    if (x < COLUMNS && i < n)
        output[i] = combine(input[i], (input + n)[i]);
}
