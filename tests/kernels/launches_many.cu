// kernel:   launches_many
// idea:     every thread leaves a grid for the end, until the pool of launches is full
// source:   redsweep's tests
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

extern "C" __global__ void launches_many_child(element *output)
{
    output[0] = 1;
}

extern "C" __global__ void launches_many(element *input, element *output, index_t n)
{
    launches_many_child<<<1, 1, 0, cudaStreamTailLaunch>>>(output);
    if (cudaGetLastError() != cudaSuccess)
        __trap();
}
