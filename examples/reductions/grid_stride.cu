// kernel:     grid_stride
// idea:       a grid of the device's size strides over the input, and each block adds once
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// output:     zeroed
// covers:     BLOCK
// blocks:     multiple of 32
// grid:       min(ceil_div(N, COVERS), 2 * SMS)
// types:      int32 uint32 float32 float64
// ops:        sum
// varies:     yes
// depth:      ceil_div(N, GRID * BLOCK) + 5 + BLOCK / 32 + GRID
// uniform:    no
#include "common.cuh"

extern "C" __global__ void grid_stride(element *input, element *output, index_t n)
{
    __shared__ element sum;
    element x = 0;

    if (threadIdx.x == 0)
        sum = 0;
    for (index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (index_t)gridDim.x * blockDim.x)
        x += input[i];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffffu, x, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, x);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(output, sum);
}
