// kernel:   zero
// idea:     zeroes a buffer with an ordinary launch
// source:   redsweep
// workload: write
// role:     harness
// covers:   BLOCK
// blocks:   multiple of 32
#include "common.cuh"

/* Zeroes n elements. Any grid works. */
extern "C" __global__ void zero(element *input, element *output, index_t n)
{
    index_t stride = (index_t)gridDim.x * blockDim.x;
    for (index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        output[i] = 0;
}
