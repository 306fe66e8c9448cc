// kernel:   planted_fills_beyond
// idea:     the first block writes past the end of its workspace
// source:   redsweep's tests: wrong on purpose
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// workspace: 4 * GRID
// uniform:  yes
#include "planted_tree.cuh"

extern "C" __global__ void planted_fills_beyond(element *input, element *output, index_t n,
                                                void *workspace)
{
    element total = planted_tree(input, n);
    if (threadIdx.x == 0) {
        output[blockIdx.x] = total;
        ((unsigned *)workspace)[gridDim.x] = 1;
    }
}
