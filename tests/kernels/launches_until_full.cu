// kernel:   launches_until_full
// idea:     one thread leaves grids for the end until the pool of launches is full, and asks twice
// source:   redsweep's tests
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

extern "C" __global__ void launches_until_full_child(element *output)
{
    output[2] = output[2] + 1;
}

extern "C" __global__ void launches_until_full(element *input, element *output, index_t n)
{
    int launched = 0;
    if (threadIdx.x > 0)
        return;
    output[2] = 0;
    for (;;) {
        launches_until_full_child<<<1, 1, 0, cudaStreamTailLaunch>>>(output);
        if (cudaGetLastError() != cudaSuccess)
            break;
        launched++;
    }
    output[0] = (element)launched;
    output[1] = (element)cudaGetLastError();
}
