// kernel:   gmem
// idea:     adds one element per thread in a fully unrolled tree in
//           global memory; one warp finishes the last 64 elements
// source:   Professional CUDA C Programming, ch. 5 (reduceGmem)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
#include "common.cuh"

/*
 * These are the 32-byte sectors that the stores of a full block of 1024 threads touch, with 4-byte
 * elements. The tree's steps 512, 256, 128 and 64 write 64 + 32 + 16 + 8 = 120 sectors. In each of
 * the six steps in the last warp, all 32 lanes store, although only the lower lanes matter. This
 * adds 6 * 4 = 24 sectors. The store of the partial result touches 1 sector. The total is 145
 * sectors per block. 16384 blocks give the 2375680 gst_transactions that were published for n =
 * 2^24.
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
    if (tid < 32) { /* one warp finishes, all its lanes at work: read, wait, write, wait */
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
