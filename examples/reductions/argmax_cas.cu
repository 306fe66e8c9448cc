// kernel:     argmax_cas
// idea:       the greatest value and its index in 64 bits, kept by compare-and-swap
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// types:      int32
// ops:        max
// workspace:  16
// uniform:    no
#include "common.cuh"

typedef unsigned long long packed;

__device__ packed pack(int value, unsigned index) /* among equal values, the first packs to the greatest number */
{
    return (packed)((unsigned)value ^ 0x80000000u) << 32 | ~index;
}

extern "C" __global__ void argmax_cas(element *input, element *output, index_t n, void *workspace)
{
    packed *best = (packed *)workspace;
    unsigned *ticket = (unsigned *)workspace + 2;
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
    packed mine = i < n ? pack(input[i], (unsigned)i) : 0;

    for (int d = 16; d > 0; d /= 2) {
        packed other = __shfl_xor_sync(0xffffffffu, mine, d);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0) {
        packed seen = atomicCAS(best, 0ull, 0ull);
        while (seen < mine) {
            packed before = atomicCAS(best, seen, mine);
            if (before == seen)
                break;
            seen = before;
        }
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(ticket, 1) == gridDim.x - 1) {
        __threadfence();
        unsigned at = ~(unsigned)atomicCAS(best, 0ull, 0ull);
        *output = input[at]; /* the element at that index */
    }
}
