// kernel:   planted_writes_beyond
// idea:     the last block writes past the end of the output
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "planted_tree.cuh"

extern "C" __global__ void planted_writes_beyond(element *input, element *output, index_t n)
{
    element total = planted_tree(input, n);
    if (threadIdx.x == 0) {
        output[blockIdx.x] = total;
        output[gridDim.x] = total;
    }
}
