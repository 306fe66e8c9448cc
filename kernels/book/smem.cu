// kernel:   smem
// idea:     each thread loads one element into a static shared array, which a fully unrolled tree
//           then reduces
// source:   Professional CUDA C Programming, ch. 5 (reduceSmem)
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void smem(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    if (blockDim.x > 512 && tid < 512 && tid + 512 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 512]);
    __syncthreads();
    if (blockDim.x > 256 && tid < 256 && tid + 256 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 256]);
    __syncthreads();
    if (blockDim.x > 128 && tid < 128 && tid + 128 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 128]);
    __syncthreads();
    if (blockDim.x > 64 && tid < 64 && tid + 64 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 64]);
    __syncthreads();
    if (tid < 32) { /* one warp finishes; its lanes synchronize after each read and each write */
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            element sum = IDENTITY;
            if (tid + stride < blockDim.x)
                sum = combine(tile[tid], tile[tid + stride]);
            __syncwarp();
            if (tid + stride < blockDim.x)
                tile[tid] = sum;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = tile[0];
    }
}
