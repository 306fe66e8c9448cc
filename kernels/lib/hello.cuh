/*
 * The kernels nested_hello and its variants report the depth of a thread's grid and the thread's
 * number with these functions.
 */
#ifndef REDSWEEP_KERNELS_HELLO_CUH
#define REDSWEEP_KERNELS_HELLO_CUH

#include "common.cuh"

static __device__ __forceinline__ element report(unsigned depth, unsigned number)
{
    return (element)((depth << 24) + number);
}

/*
 * Returns the number of reports of a block of `threads` threads and its descendants, down to
 * `most_depth`.
 */
static __device__ __forceinline__ unsigned halving_reports(unsigned threads, unsigned most_depth)
{
    unsigned reports = 0;
    for (unsigned depth = 0; threads > 0 && depth <= most_depth; depth++, threads /= 2)
        reports += threads;
    return reports;
}

#endif
