// kernel:   launches_deep
// idea:     a grid of one thread launches another one, n generations deep
// source:   redsweep's tests
// result:   partial
// input:    untouched
// covers:   N
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

extern "C" __global__ void launches_deep(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0 && n > 1)
        launches_deep<<<1, 1, 0, cudaStreamFireAndForget>>>(input, output, n - 1);
    else if (threadIdx.x == 0)
        output[0] = 1; /* runs before the next statement of any ancestor */
    if (threadIdx.x == 0)
        output[n] = output[n - 1];
}
