// kernel:   smem_unroll
// idea:     each thread adds UNROLL elements in a register before the shared-memory tree of smem
// source:   Professional CUDA C Programming, ch. 5 (reduceSmemUnroll)
// result:   partial
// input:    untouched
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// constant: BLOCK
// unroll:   2 4 8 16
// types:    all
// ops:      all
// parameters: input output n second
// uniform:  yes
#include "operation.cuh"

extern "C" __global__ void smem_unroll(element *input, accumulator *output, index_t n,
                                       element *second)
{
    __shared__ accumulator tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    const part data = part_from(input, second, first);

    accumulator sum = identity();
    if (tid + (UNROLL - 1) * blockDim.x < here) {
        sum = lift_at(data, tid);
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = accumulate_at(sum, data, tid + k * blockDim.x);
    } else { /* the last block may have fewer than UNROLL elements per thread */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = accumulate_at(sum, data, k);
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
            accumulator pair = identity();
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
