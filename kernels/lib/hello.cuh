/* Reports a grid's depth and a thread's number, for nested_hello and its variants. */
#ifndef REDSWEEP_KERNELS_HELLO_CUH
#define REDSWEEP_KERNELS_HELLO_CUH

#include "common.cuh"

static __device__ __forceinline__ element report(unsigned depth, unsigned number)
{
    return (element)((depth << 24) + number);
}

/*
 * Returns how many reports are written by a block of `threads` threads and the blocks that it
 * launches, directly or indirectly, down to depth `most_depth`. Each of them has half as many
 * threads as the block that launches it.
 */
static __device__ __forceinline__ unsigned halving_reports(unsigned threads, unsigned most_depth)
{
    unsigned reports = 0;
    for (unsigned depth = 0; threads > 0 && depth <= most_depth; depth++, threads /= 2)
        reports += threads;
    return reports;
}

#endif
