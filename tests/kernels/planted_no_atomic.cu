// kernel:    planted_no_atomic
// idea:      each block adds its sum to the result without an atomic
// source:    redsweep's tests: wrong on purpose
// result:    complete
// input:     untouched
// covers:    BLOCK
// blocks:    multiple of 32
// uniform:   no
#include "common.cuh"

extern "C" __global__ void planted_no_atomic(element *input, element *output, index_t n)
{
    index_t first = (index_t)blockIdx.x * blockDim.x;
    if (threadIdx.x != 0)
        return;
    element sum = IDENTITY;
    for (index_t i = first; i < n && i < first + blockDim.x; i++)
        sum = combine(sum, input[i]);
    output[0] = blockIdx.x == 0 ? sum : combine(output[0], sum);
}
