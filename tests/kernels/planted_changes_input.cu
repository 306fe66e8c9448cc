// kernel:   planted_changes_input
// idea:     the facts say that the input is left alone, and it is not
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "planted_tree.cuh"

extern "C" __global__ void planted_changes_input(element *input, element *output, index_t n)
{
    element total = planted_tree(input, n);
    if (threadIdx.x == 0)
        output[blockIdx.x] = input[(index_t)blockIdx.x * blockDim.x] = total;
}
