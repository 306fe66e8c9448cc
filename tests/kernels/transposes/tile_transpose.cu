// kernel:   tile_transpose
// idea:     each block transposes tiles of 32 x 32 elements in place, through shared memory: no reduction
// source:   common practice
// result:   partial
// input:    in place
// covers:   1024
// blocks:   multiple of 32
// uniform:  yes
// tunable:  PAD 0 1
#include "common.cuh"

extern "C" __global__ void tile_transpose(element *input, element *output, index_t n)
{
    __shared__ element tile[32][32 + PAD];
    unsigned lane = threadIdx.x % 32, row = threadIdx.x / 32, rows = blockDim.x / 32;
    element *data = input + (index_t)blockIdx.x * 1024;

    if ((index_t)(blockIdx.x + 1) * 1024 > n)
        return;
    for (unsigned i = row; i < 32; i += rows)
        tile[i][lane] = data[32 * i + lane];
    __syncthreads();
    for (unsigned i = row; i < 32; i += rows)
        data[32 * i + lane] = tile[lane][i];
    if (threadIdx.x == 0)
        output[blockIdx.x] = 0;
}
