// kernel:   complete_unroll_warps_sync
// idea:     like complete_unroll_warps, but the last six steps keep their block barriers instead of
//           being left to one warp
// source:   Professional CUDA C Programming, ch. 3, exercise 4
// result:   partial
// input:    in place
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   2 4 8 16
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void complete_unroll_warps_sync(element *input, element *output, index_t n)
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
    if (blockDim.x > 32 && tid < 32 && tid + 32 < left)
        data[tid] = combine(data[tid], data[tid + 32]);
    __syncthreads();
    if (blockDim.x > 16 && tid < 16 && tid + 16 < left)
        data[tid] = combine(data[tid], data[tid + 16]);
    __syncthreads();
    if (blockDim.x > 8 && tid < 8 && tid + 8 < left)
        data[tid] = combine(data[tid], data[tid + 8]);
    __syncthreads();
    if (blockDim.x > 4 && tid < 4 && tid + 4 < left)
        data[tid] = combine(data[tid], data[tid + 4]);
    __syncthreads();
    if (blockDim.x > 2 && tid < 2 && tid + 2 < left)
        data[tid] = combine(data[tid], data[tid + 2]);
    __syncthreads();
    if (blockDim.x > 1 && tid < 1 && tid + 1 < left)
        data[tid] = combine(data[tid], data[tid + 1]);
    __syncthreads();
    if (tid == 0)
        output[blockIdx.x] = data[0];
}
