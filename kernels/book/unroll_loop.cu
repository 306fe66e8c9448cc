// kernel:   unroll_loop
// idea:     like unroll, but adds in a loop over a pointer that steps from block to block; the
//           compiler knows UNROLL and unrolls the loop
// source:   Professional CUDA C Programming, ch. 3, exercise 3
// result:   partial
// input:    in place
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   2 4 8 16
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void unroll_loop(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    element *data = input + first;

    if (tid + (UNROLL - 1) * blockDim.x < here) {
        const element *walk = data + tid;
        element sum = IDENTITY;
        for (int k = 0; k < UNROLL; k++) {
            sum = combine(sum, *walk);
            walk += blockDim.x;
        }
        data[tid] = sum;
    } else if (tid < here) { /* the last block may have fewer than UNROLL elements per thread */
        element sum = IDENTITY;
        for (const element *walk = data + tid; walk < data + here; walk += blockDim.x)
            sum = combine(sum, *walk);
        data[tid] = sum;
    }
    __syncthreads();

    unsigned left = here < blockDim.x ? here : blockDim.x;
    for (unsigned stride = tree_start(blockDim.x); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < left)
            data[tid] = combine(data[tid], data[tid + stride]);
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = data[0];
}
