// kernel:     planted_wide
// idea:       no barrier before parts of more than one word are read
// source:     redsweep's tests: wrong on purpose
// result:     partial
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// types:      all
// ops:        all
// parameters: input output n second
// uniform:    yes
#include "operation.cuh"

extern "C" __global__ void planted_wide(element *input, accumulator *output, index_t n,
                                        element *second)
{
    __shared__ accumulator parts[1024];
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x, here = elements_here(n, first, blockDim.x);
    parts[tid] = identity();
    __syncthreads();
    if (tid < here)
        parts[tid] = lift_at(part_from(input, second, first), tid);
    if (sizeof(accumulator) <= 8)
        __syncthreads();
    if (tid > 0)
        return;
    accumulator total = parts[0];
    for (unsigned k = 1; k < here; k++)
        total = combine(total, parts[k]);
    output[blockIdx.x] = total;
}
