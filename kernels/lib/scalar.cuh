/*
 * Passes results to the block that finishes last, for any type, operation and input. No load is wider than
 * an element, so the input can begin and end anywhere and can be empty.
 *
 * A ticket and an accumulator per block are in zeroed memory, which is left zeroed so that the next launch
 * of any kernel can use it.
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
 * Combines the values of `count` blocks, each held by thread 0. The last block computes and stores the
 * result. Called by every thread of every block; `rank` is the block's number among them.
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
        last = atomicInc(ticket, count - 1) == count - 1; /* the last block wraps it to 0 */
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
