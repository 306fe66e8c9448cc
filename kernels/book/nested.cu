// kernel:   nested
// idea:     each block halves its data, then launches a child grid of one block with half as many
//           threads to do the rest
// source:   Professional CUDA C Programming, ch. 3 (gpuRecursiveReduce)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

/*
 * The published kernel waits for its child, which is no longer possible on sm_90 and later. This
 * kernel need not wait, because it reads nothing after the launch. The barrier before the launch
 * makes the block's writes visible to the child.
 *
 * Each block has at most one pending launch. When the device's pool of pending launches is full,
 * launches are dropped and the sum would be silently wrong; the trap turns this into an error.
 * Raising cudaLimitDevRuntimePendingLaunchCount avoids the error.
 */
extern "C" __global__ void nested(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    unsigned half = tree_start(blockDim.x);
    element *data = input + first;

    if (tid < half && tid + half < here)
        data[tid] = combine(data[tid], data[tid + half]);
    __syncthreads();

    if (tid == 0 && half > 1) {
        nested<<<1, half, 0, cudaStreamFireAndForget>>>(data, output + blockIdx.x,
                                                        here < half ? here : half);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    } else if (tid == 0) {
        output[blockIdx.x] = data[0];
    }
}
