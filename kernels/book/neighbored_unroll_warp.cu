// kernel:   neighbored_unroll_warp
// idea:     like neighbored_less until 64 partial results remain; one warp then adds the upper half
//           to the lower half without block barriers
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
    for (; 64 * stride < blockDim.x; stride *= 2) { /* until 64 or fewer results remain */
        unsigned index = 2 * stride * tid;
        if (index + stride < here)
            data[index] = combine(data[index], data[index + stride]);
        __syncthreads();
    }
    if (tid < 32) { /* one warp finishes; its lanes synchronize after each read and each write */
        unsigned index = stride * tid;
        for (unsigned apart = tree_start(blockDim.x); apart >= stride; apart /= 2) {
            element sum = IDENTITY;
            if (index + apart < here)
                sum = combine(data[index], data[index + apart]);
            __syncwarp();
            if (index + apart < here)
                data[index] = sum;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = data[0];
    }
}
