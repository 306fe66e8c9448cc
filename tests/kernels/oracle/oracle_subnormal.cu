// kernel:    oracle_subnormal
// idea:      an atomicAdd of floats flushes subnormal numbers in global memory, not in shared memory
// source:    tests/devices/sim/test_oracle.c
// workload:  alternate_threads
// covers:    BLOCK
// blocks:    32 128
// tunable:   SPACE 0 1 2 3 4
// workspace: 4 * (N + BLOCK)
// types:     int32
// ops:       sum
// constant:  BLOCK
#include "common.cuh"

/* Bits of float32 values: the value before an addition, the addend, and the sum with and without
 * flushing subnormals to zero. */
__constant__ unsigned cases[4][4] = {
    {0x00000001, 0x00000001, 0x00000000, 0x00000002},
    {0x80000001, 0x80000002, 0x80000000, 0x80000003},
    {0x00800000, 0x80600000, 0x00800000, 0x00200000}, /* the addend is subnormal */
    {0x00c00000, 0x80800000, 0x00000000, 0x00400000}, /* the sum is subnormal */
};

extern "C" __global__ void oracle_subnormal(element *input, element *output, index_t n, void *workspace)
{
    __shared__ float tile[BLOCK];
    unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    const unsigned *c = cases[t % 4];
    float add = __uint_as_float(c[1]);
    unsigned old = c[0];
#if SPACE == 0 || SPACE == 1 || SPACE == 4
    float *word = (float *)workspace + t;
    bool flushes = true;
#else
    float *word = tile + threadIdx.x;
    bool flushes = false;
#endif
#if SPACE >= 3 /* a generic address: the compiler cannot know that n is small */
    if (n >> 31)
        word = SPACE == 3 ? (float *)input : tile + threadIdx.x;
#endif
    *(volatile float *)word = __uint_as_float(c[0]);
#if SPACE == 0
    atomicAdd(word, add); /* red */
#else
    old = __float_as_uint(atomicAdd(word, add));
#endif
    unsigned found = __float_as_uint(*(volatile float *)word);
    bool right = found == (flushes ? c[2] : c[3]) && old == c[0];
    if (t < n)
        output[t] = (element)(t % 2 ? 200 : 100) + (element)!right;
}
