// kernel:   empty
// idea:     does nothing: shows what a launch costs
// source:   redsweep
// workload: launch
// role:     limit of reduce
// covers:   BLOCK
// blocks:   multiple of 32
#include "common.cuh"

extern "C" __global__ void empty(element *input, element *output, index_t n)
{
}
