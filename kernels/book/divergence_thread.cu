// kernel:   divergence_thread
// idea:     even and odd threads take different branches, so every warp executes both
// source:   Professional CUDA C Programming, ch. 3 (mathKernel1)
// workload: alternate_threads
// role:     teaching
// covers:   BLOCK
// blocks:   multiple of 32
// ops:      sum
// uniform:  yes
#include "common.cuh"

/*
 * `output` is volatile to keep the compiler from merging the two stores into a select, which would
 * remove the branch.
 */
extern "C" __global__ void divergence_thread(element *input, volatile element *output, index_t n)
{
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    if (i % 2 == 0)
        for (int k = 0; k < 10000; k++)
            output[i] = (element)100;
    else
        for (int k = 0; k < 10000; k++)
            output[i] = (element)200;
}
