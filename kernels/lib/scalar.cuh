/*
 * Blocks hand their results to the last one to finish, for any type, operation and input: no
 * load is wider than an element, so the input may begin and end anywhere, and it may be empty.
 *
 * A ticket and an accumulator for each block lie in zeroed memory and are left zeroed, so that other
 * kernels can use the same memory in the next launch.
 */
#ifndef REDSWEEP_KERNELS_SCALAR_CUH
#define REDSWEEP_KERNELS_SCALAR_CUH

#include "block.cuh"

/* An accumulator of zero bits. */
static __device__ __forceinline__ accumulator accumulator_zero()
{
    words_of<accumulator> zero;
#pragma unroll
    for (unsigned k = 0; k < sizeof(accumulator) / 4; k++)
        zero.words[k] = 0;
    return zero.value;
}

/*
 * Combines the values of thread 0 of each of `count` blocks; the last block finishes and stores
 * the result. Every thread of every block calls it; `rank` is the block's number among them.
 */
static __device__ __forceinline__ void blocks_finish(accumulator sum, unsigned rank, unsigned count,
                                                     unsigned *ticket, accumulator *partials,
                                                     result_t *output)
{
    __shared__ bool last;
    if (threadIdx.x == 0 && count == 1)
        *output = finish(sum);
    if (count == 1) /* the same for the whole grid */
        return;
    if (threadIdx.x == 0) {
        partials[rank] = sum;
        __threadfence(); /* the partial before the ticket */
        last = atomicInc(ticket, count - 1) == count - 1; /* the last one resets it to 0 */
        __threadfence(); /* the ticket before the others' partials */
    }
    __syncthreads();
    if (!last) /* the same for the whole block */
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
