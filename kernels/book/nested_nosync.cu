// kernel:   nested_nosync
// idea:     nested without barriers, as published; what the child sees is undefined (racy, kept for
//           study)
// source:   Professional CUDA C Programming, ch. 3 (gpuRecursiveReduceNosync)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
// racy:     thread 0 launches the child without waiting for the other warps of its block, whose
//           sums the child reads
#include "common.cuh"

extern "C" __global__ void nested_nosync(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    unsigned half = tree_start(blockDim.x);
    element *data = input + first;

    if (tid < half && tid + half < here)
        data[tid] = combine(data[tid], data[tid + half]);

    if (tid == 0 && half > 1) {
        nested_nosync<<<1, half, 0, cudaStreamFireAndForget>>>(data, output + blockIdx.x,
                                                               here < half ? here : half);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    } else if (tid == 0) {
        output[blockIdx.x] = data[0];
    }
}
