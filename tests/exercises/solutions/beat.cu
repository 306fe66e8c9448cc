// kernel:   beat
// idea:     exercise 3 solved: more elements per thread, and the tree in registers by shuffles
// source:   exercises/beat.cu
// result:   partial
// input:    untouched
// covers:   BLOCK * 16
// blocks:   multiple of 32
// uniform:  yes
#include "block.cuh"

extern "C" __global__ void beat(element *input, element *output, index_t n)
{
    index_t first = (index_t)blockIdx.x * blockDim.x * 16;
    element sum = thread_combine<16>(input + first, elements_here(n, first, blockDim.x * 16));

    sum = block_combine(sum);
    if (threadIdx.x == 0)
        output[blockIdx.x] = sum;
}
