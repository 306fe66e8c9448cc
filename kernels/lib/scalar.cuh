/*
 * Combines the accumulators of several blocks in the block that finishes last, for any type and operation.
 * No load is wider than an element, so the input can begin and end anywhere and can be empty.
 *
 * The memory for a ticket, and for an accumulator per block, must be zeroed. The last block zeroes it
 * again, so that the next launch of any kernel can use it.
 */
#ifndef REDSWEEP_KERNELS_SCALAR_CUH
#define REDSWEEP_KERNELS_SCALAR_CUH

#include "block.cuh"

/* Returns an accumulator whose bits are all zero. */
static __device__ __forceinline__ accumulator accumulator_zero()
{
    words_of<accumulator> zero;
#pragma unroll
    for (unsigned k = 0; k < sizeof(accumulator) / 4; k++)
        zero.words[k] = 0;
    return zero.value;
}

/*
 * Combines the values `sum` of `count` blocks; thread 0 of each block holds the block's value. The block
 * that finishes last computes the result and stores it in `output`. Every thread of these blocks must call
 * this function. `rank` is the number of its block, from 0 to `count` - 1.
 */
static __device__ __forceinline__ void blocks_finish(accumulator sum, unsigned rank, unsigned count,
                                                     unsigned *ticket, accumulator *partials,
                                                     result_t *output)
{
    __shared__ bool last;
    if (threadIdx.x == 0 && count == 1)
        *output = finish(sum);
    if (count == 1) /* uniform across the grid */
        return;
    if (threadIdx.x == 0) {
        partials[rank] = sum;
        __threadfence(); /* The partial must be visible before the ticket. */
        last = atomicInc(ticket, count - 1) == count - 1; /* the last block wraps the ticket to 0 */
        __threadfence(); /* The ticket is read before the other blocks' partials. */
    }
    __syncthreads();
    if (!last) /* uniform across the block */
        return;
    sum = identity();
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x) {
        sum = combine(sum, partials[k]);
        partials[k] = accumulator_zero();
    }
    sum = block_combine(sum);
    if (threadIdx.x == 0)
        *output = finish(sum);
}

#endif
