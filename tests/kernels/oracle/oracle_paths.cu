// kernel:    oracle_paths
// idea:      lanes that part and come together again, each way with a store of its own
// source:    tests/devices/sim/test_oracle.c
// workload:  alternate_threads
// covers:    BLOCK
// blocks:    32 128
// tunable:   SHAPE 0 1 2 3 4 5 6 7
// workspace: 16 * (N + BLOCK)
// types:     int32
// ops:       sum
// constant:  BLOCK
#include "common.cuh"
#include "pattern.h"

/* A thread's k-th store. Each k has its own row, in which a warp's stores fill a line. */
#define STORE(k) memory[(k)*all + t] = x

extern "C" __global__ void oracle_paths(element *input, element *output, index_t n, void *workspace)
{
    volatile unsigned *memory = (volatile unsigned *)workspace;
    unsigned t = blockIdx.x * BLOCK + threadIdx.x, all = gridDim.x * BLOCK, x = pattern_bits(n, t);
#if SHAPE == 0
    if ((x & 1) && (x & 2))
        STORE(0);
    else
        STORE(1);
#elif SHAPE == 1
    if ((x & 1) || (x & 2))
        STORE(0);
    else
        STORE(1);
#elif SHAPE == 2
    if (x & 1)
        goto first;
    STORE(1);
    if (x & 2)
        goto first;
    STORE(2);
    goto done;
first:
    STORE(0);
done:
#elif SHAPE == 3
    switch (x % 4) {
    case 0:
        STORE(0);
    case 1:
        STORE(1);
    case 2:
        STORE(2);
    default:
        STORE(3);
    }
#elif SHAPE == 4
    if ((x & 1) && (x & 2) && (x & 4)) {
        STORE(0);
    } else {
        STORE(1);
        if (x & 8)
            STORE(2);
    }
#elif SHAPE == 5
#pragma unroll 1
    for (unsigned k = 0; k < (x & 7); k++) {
        if (x >> k & 8)
            continue;
        STORE(0);
        if ((x >> k & 64) && k > 2)
            break;
        STORE(1);
    }
#elif SHAPE == 6
#pragma unroll 1
    for (unsigned j = 0; j < (x & 3); j++)
#pragma unroll 1
        for (unsigned k = 0; k < (x >> (2 + j) & 3); k++)
            STORE(0);
#else
    unsigned k = 0;
#pragma unroll 1
    do {
        if (x >> k & 1)
            STORE(0);
        else
            STORE(1);
        STORE(2);
    } while (++k < 6 && (x >> k & 4));
#endif
    if (t < n)
        output[t] = (element)(t % 2 ? 200 : 100);
}
