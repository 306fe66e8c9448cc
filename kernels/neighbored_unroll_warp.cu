// kernel:   neighbored_unroll_warp
// idea:     as neighbored_less until 32 threads remain active; that warp finishes without block
//           barriers, its lanes staying at their elements
// source:   Nvprof study on a Tesla K80 (its third neighbored kernel)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void neighbored_unroll_warp(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    unsigned stride = 1;
    for (; 64 * stride < blockDim.x; stride *= 2) { /* while more than 32 threads have work */
        unsigned index = 2 * stride * tid;
        if (index + stride < here)
            data[index] = combine(data[index], data[index + stride]);
        __syncthreads();
    }
    if (tid < 32) { /* one warp finishes, all its lanes at work: read, wait, write, wait */
        unsigned index = 2 * stride * tid;
        for (; stride < blockDim.x; stride *= 2) {
            element sum = IDENTITY;
            if (index + stride < here)
                sum = combine(data[index], data[index + stride]);
            __syncwarp();
            if (index + stride < here)
                data[index] = sum;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = data[0];
    }
}
