// kernel:   planted_called_racy
// idea:     each thread keeps its own element: there is no race, but its facts say that there is
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
// racy:     its author thought so
#include "common.cuh"

extern "C" __global__ void planted_called_racy(element *input, element *output, index_t n)
{
    __shared__ element tile[1024];
    unsigned tid = threadIdx.x;
    index_t i = (index_t)blockIdx.x * blockDim.x + tid;
    tile[tid] = i < n ? input[i] : IDENTITY;
    if (tid == 0)
        output[blockIdx.x] = tile[0];
}
