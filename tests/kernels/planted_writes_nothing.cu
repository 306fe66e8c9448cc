// kernel:   planted_writes_nothing
// idea:     the last block leaves no result
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "planted_tree.cuh"

extern "C" __global__ void planted_writes_nothing(element *input, element *output, index_t n)
{
    element total = planted_tree(input, n);
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
        output[blockIdx.x] = total;
}
