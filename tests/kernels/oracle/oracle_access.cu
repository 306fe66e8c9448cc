// kernel:    oracle_access
// idea:      random access patterns of each width in each space, whose counts are known
// source:    tests/devices/sim/test_oracle.c
// workload:  alternate_threads
// covers:    BLOCK
// blocks:    32 128
// tunable:   KIND 0 1 2 3 4 5 6 7 8 9 10
// tunable:   BYTES 1 2 4 8 16
// requires:  KIND != 2 and KIND != 3 or BYTES = 4 or BYTES = 8
// requires:  KIND != 6 or BYTES = 4
// requires:  KIND != 7 or BYTES >= 4
// requires:  KIND != 8 or BYTES = 16
// workspace: 1024 * BYTES
// types:     int32
// ops:       sum
// constant:  BLOCK
#include "common.cuh"
#include "pattern.h"

#if BYTES == 1
typedef unsigned char unit;
#elif BYTES == 2
typedef unsigned short unit;
#elif BYTES == 4
typedef unsigned unit;
#elif BYTES == 8
typedef unsigned long long unit;
#else
typedef uint4 unit;
#endif

#if BYTES == 16
__device__ unsigned fold(unit x)
{
    return x.x | x.y | x.z | x.w;
}
#else
__device__ unsigned fold(unit x)
{
    return (unsigned)((unsigned long long)x >> 32) | (unsigned)x;
}
#endif

#define SHARED_LOAD (KIND == 4 || KIND == 9)
#define SHARED_STORE (KIND == 5 || KIND == 10)
#define COPYING (KIND == 7 || KIND == 8)

#if KIND == 8
#define COPY_FORM "cp.async.cg.shared.global [%0], [%1], %2, %3;"
#else
#define COPY_FORM "cp.async.ca.shared.global [%0], [%1], %2, %3;"
#endif
#define COPY(TO, FROM, GIVEN)                                                                      \
    asm volatile(COPY_FORM ::"r"(TO), "l"(FROM), "n"(BYTES), "r"(GIVEN) : "memory")

/* All memory holds zeros, and only zeros are stored. Loaded values are added to the output. */
extern "C" __global__ void oracle_access(element *input, element *output, index_t n, void *workspace)
{
    unit *memory = (unit *)workspace;
    unsigned t = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, sum = 0;
    unsigned zero = n >> 31; /* zero, but the compiler cannot know that */
#if BYTES == 16
    unit zeros = make_uint4(zero, zero, zero, zero);
#else
    unit zeros = zero;
#endif
#if SHARED_LOAD || SHARED_STORE
    __shared__ __align__(16) unit tile[PATTERN_SPAN];
#elif COPYING
    __shared__ __align__(16) unit tile[BLOCK];
    unsigned own = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
    tile[threadIdx.x] = zeros;
#endif
#if SHARED_LOAD
    for (unsigned k = threadIdx.x; k < PATTERN_SPAN * BYTES / 4; k += BLOCK)
        ((volatile unsigned *)tile)[k] = zero;
    __syncthreads();
#elif KIND == 6
    volatile unsigned stack[64];
#endif
#pragma unroll 1
    for (unsigned step = 0; step < PATTERN_STEPS; step++) {
        struct pattern p =
            pattern_make(n, t / 32, step, (KIND == 2 || KIND == 3) && n % 2, KIND == 4 || KIND == 5, BYTES);
        unsigned at = pattern_element(p, lane);
        bool here = p.lanes >> lane & 1;
        if (!here && (!COPYING || step % 2 == 0))
            continue;
#if KIND == 0
        sum |= fold(memory[at]);
#elif KIND == 1
        memory[at] = zeros;
#elif KIND == 2
        atomicMax(memory + at, zeros);
#elif KIND == 3
        sum |= fold(atomicMax(memory + at, zeros));
#elif SHARED_LOAD
        sum |= fold(tile[at]);
#elif SHARED_STORE
        tile[at] = zeros;
#elif COPYING /* in odd steps, the other lanes copy nothing and fill with zeros */
        COPY(own, memory + at, here ? BYTES : 0);
#else
        stack[at % 64] = zero;
        sum |= stack[(at + zero) % 64]; /* the same word, but the assembler cannot know that */
#endif
    }
#if SHARED_STORE
    __syncthreads();
    sum = n == 0 ? fold(tile[t % PATTERN_SPAN]) : 0; /* n is never 0, but otherwise the compiler removes the stores */
#endif
#if COPYING
    asm volatile("cp.async.wait_all;" ::: "memory");
    sum = *(volatile unsigned *)(tile + threadIdx.x); /* read by all threads, not just those below n */
#endif
    if (t < n)
        output[t] = (element)(t % 2 ? 200 : 100) + (element)sum;
}
