// kernel:   unroll
// idea:     a block halves its data, then launches a child of one block with half the threads on
//           what is left
// source:   Professional CUDA C Programming, ch. 3 (gpuRecursiveReduce)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

/*
 * The published kernel waits for its child. From sm_90 on, a kernel cannot wait for its child. This
 * kernel need not wait, because it reads nothing afterwards. The barrier before the launch makes
 * everything that the block wrote visible to the child.
 *
 * At most one launch per block is pending at any time. If the device's pool of pending launches is
 * full, a launch is dropped, and the sum would silently be wrong. The trap turns this into an
 * error. A larger cudaLimitDevRuntimePendingLaunchCount avoids the error.
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
