// kernel:   neighbored_less
// idea:     adds the same pairs as neighbored, but thread t handles index 2*stride*t, so whole
//           warps go idle
// source:   Professional CUDA C Programming, ch. 3 (reduceNeighboredLess)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void neighbored_less(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * tid;
        if (index + stride < here)
            data[index] = combine(data[index], data[index + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = data[0];
}
