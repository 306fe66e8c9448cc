// kernel:   complete_unroll_warps
// idea:     like unroll_warps, but with a fully unrolled tree that tests the block size at run time
// source:   Professional CUDA C Programming, ch. 3 (reduceCompleteUnrollWarps8)
// result:   partial
// input:    in place
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   2 4 8 16
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void complete_unroll_warps(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    element *data = input + first;

    if (tid + (UNROLL - 1) * blockDim.x < here) {
        element sum = data[tid];
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = combine(sum, data[tid + k * blockDim.x]);
        data[tid] = sum;
    } else if (tid < here) { /* the last block may have fewer than UNROLL elements per thread */
        element sum = data[tid];
        for (unsigned k = tid + blockDim.x; k < here; k += blockDim.x)
            sum = combine(sum, data[k]);
        data[tid] = sum;
    }
    __syncthreads();

    unsigned left = here < blockDim.x ? here : blockDim.x;
    if (blockDim.x > 512 && tid < 512 && tid + 512 < left)
        data[tid] = combine(data[tid], data[tid + 512]);
    __syncthreads();
    if (blockDim.x > 256 && tid < 256 && tid + 256 < left)
        data[tid] = combine(data[tid], data[tid + 256]);
    __syncthreads();
    if (blockDim.x > 128 && tid < 128 && tid + 128 < left)
        data[tid] = combine(data[tid], data[tid + 128]);
    __syncthreads();
    if (blockDim.x > 64 && tid < 64 && tid + 64 < left)
        data[tid] = combine(data[tid], data[tid + 64]);
    __syncthreads();
    if (tid < 32) { /* one warp finishes; its lanes synchronize after each read and each write */
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            element sum = IDENTITY;
            if (tid + stride < left)
                sum = combine(data[tid], data[tid + stride]);
            __syncwarp();
            if (tid + stride < left)
                data[tid] = sum;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = data[0];
    }
}
