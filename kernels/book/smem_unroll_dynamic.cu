// kernel:   smem_unroll_dynamic
// idea:     like smem_unroll, but with the shared array sized at launch
// source:   Professional CUDA C Programming, ch. 5 (reduceSmemUnrollDyn)
// result:   partial
// input:    untouched
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// shared:   BLOCK * SIZEOF
// unroll:   2 4 8 16
// uniform:  yes
#include "common.cuh"

extern "C" __global__ void smem_unroll_dynamic(element *input, element *output, index_t n)
{
    extern __shared__ element tile[];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    const element *data = input + first;

    element sum = IDENTITY;
    if (tid + (UNROLL - 1) * blockDim.x < here) {
        sum = data[tid];
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = combine(sum, data[tid + k * blockDim.x]);
    } else { /* the last block may have fewer than UNROLL elements per thread */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = combine(sum, data[k]);
    }
    tile[tid] = sum;
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
            element pair = IDENTITY;
            if (tid + stride < blockDim.x)
                pair = combine(tile[tid], tile[tid + stride]);
            __syncwarp();
            if (tid + stride < blockDim.x)
                tile[tid] = pair;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = tile[0];
    }
}
