// kernel:   gmem
// idea:     sums one element per thread with a fully unrolled tree in global memory; one warp
//           handles the last 64 elements
// source:   Professional CUDA C Programming, ch. 5 (reduceGmem)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

/*
 * A full block of 1024 threads with 4-byte elements stores 145 sectors of 32 bytes. Steps 512, 256,
 * 128 and 64 of the tree write 64 + 32 + 16 + 8 = 120 sectors. In the last warp's six steps, all 32
 * lanes store, although only the lower lanes' values are used; this adds 6 * 4 = 24 sectors. The
 * partial result takes one more sector. 16384 blocks store 2375680 sectors, which is the number of
 * store transactions (gst_transactions) published for n = 2^24.
 */
extern "C" __global__ void gmem(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    if (blockDim.x > 512 && tid < 512 && tid + 512 < here)
        data[tid] = combine(data[tid], data[tid + 512]);
    __syncthreads();
    if (blockDim.x > 256 && tid < 256 && tid + 256 < here)
        data[tid] = combine(data[tid], data[tid + 256]);
    __syncthreads();
    if (blockDim.x > 128 && tid < 128 && tid + 128 < here)
        data[tid] = combine(data[tid], data[tid + 128]);
    __syncthreads();
    if (blockDim.x > 64 && tid < 64 && tid + 64 < here)
        data[tid] = combine(data[tid], data[tid + 64]);
    __syncthreads();
    if (tid < 32) { /* one warp finishes; its lanes synchronize after each read and each write */
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            element sum = IDENTITY;
            if (tid + stride < here)
                sum = combine(data[tid], data[tid + stride]);
            __syncwarp();
            if (tid + stride < here)
                data[tid] = sum;
            __syncwarp();
        }
        if (tid == 0)
            output[blockIdx.x] = data[0];
    }
}
