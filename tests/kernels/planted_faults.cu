// kernel:   planted_faults
// idea:     every thread writes to where no memory is
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void planted_faults(element *input, element *output, index_t n)
{
    element *nowhere = (element *)((unsigned long long)(1 + threadIdx.x) * 4096);

    *nowhere = input[0];
    output[blockIdx.x] = input[0];
}
