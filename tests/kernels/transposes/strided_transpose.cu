// kernel:   strided_transpose
// idea:     each block transposes tiles of 32 x 32 elements in place, without shared memory: no reduction
// source:   common practice
// result:   partial
// input:    in place
// covers:   1024
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void strided_transpose(element *input, element *output, index_t n)
{
    unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32, rows = blockDim.x / 32;
    element *data = input + (index_t)blockIdx.x * 1024;

    if ((index_t)(blockIdx.x + 1) * 1024 > n)
        return;
    element mine[32];
    for (unsigned i = row, k = 0; i < 32; i += rows, k++)
        mine[k] = data[32 * lane + i];
    __syncthreads();
    for (unsigned i = row; i < 32; i += rows)
        data[32 * i + lane] = mine[(i - row) / rows];
    if (threadIdx.x == 0)
        output[blockIdx.x] = 0;
}
