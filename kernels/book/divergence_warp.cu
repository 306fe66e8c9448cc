// kernel:   divergence_warp
// idea:     even and odd warps take different branches, so no warp diverges
// source:   Professional CUDA C Programming, ch. 3 (mathKernel2)
// workload: alternate_warps
// role:     teaching
// covers:   BLOCK
// blocks:   multiple of 32
// ops:      sum
// uniform:  no
#include "common.cuh"

extern "C" __global__ void divergence_warp(element *input, volatile element *output, index_t n)
{
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    if (i / 32 % 2 == 0)
        for (int k = 0; k < 10000; k++)
            output[i] = (element)100;
    else
        for (int k = 0; k < 10000; k++)
            output[i] = (element)200;
}
