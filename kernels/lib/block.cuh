/*
 * What the one-launch and grid-stride kernels share, so that each file is left with its own idea:
 * a thread's own share of the elements, and a block's values combined by warp shuffles.
 *
 * Both fix the order of the operations, so a float result depends on n and the launch shape only.
 */
#ifndef REDSWEEP_KERNELS_BLOCK_CUH
#define REDSWEEP_KERNELS_BLOCK_CUH

#include "operation.cuh"

/* A thread's FACTOR elements, one block apart, of the `here` elements of a block's part. */
template <unsigned FACTOR>
static __device__ __forceinline__ accumulator thread_combine(const part &data, unsigned here)
{
    unsigned tid = threadIdx.x;
    accumulator sum = identity();
    if (tid + (FACTOR - 1) * blockDim.x < here) {
        sum = lift_at(data, tid);
#pragma unroll
        for (unsigned k = 1; k < FACTOR; k++)
            sum = accumulate_at(sum, data, tid + k * blockDim.x);
    } else { /* the last block: only some of its elements exist */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = accumulate_at(sum, data, k);
    }
    return sum;
}

/*
 * The combination of one value from every thread of the block: thread 0's return value, the other
 * threads' is undefined. Every thread must call it; a block barrier must separate two calls.
 */
static __device__ __forceinline__ accumulator block_combine(accumulator value)
{
    __shared__ accumulator warps[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
        value = combine(value, shuffle_down(value, offset));
    if (lane == 0)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? warps[lane] : identity();
#pragma unroll
        for (unsigned offset = 16; offset > 0; offset /= 2)
            value = combine(value, shuffle_down(value, offset));
    }
    return value;
}

#endif
