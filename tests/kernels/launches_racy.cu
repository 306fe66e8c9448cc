// kernel:   launches_racy
// idea:     two launched grids, one at once and one for the end, whose blocks write the same word
// source:   redsweep's tests
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
// racy:     the blocks of the launched grids write the same word
#include "common.cuh"

extern "C" __global__ void launches_racy_now(element *output)
{
    output[0] = (element)blockIdx.x;
}

extern "C" __global__ void launches_racy_later(element *output)
{
    output[1] = (element)blockIdx.x;
}

extern "C" __global__ void launches_racy(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0) {
        launches_racy_now<<<2, 1, 0, cudaStreamFireAndForget>>>(output);
        launches_racy_later<<<2, 1, 0, cudaStreamTailLaunch>>>(output);
    }
}
