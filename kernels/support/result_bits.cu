// kernel:   result_bits
// idea:     computes a 64-bit hash of what a launch left in memory, for the column `bits`
// source:   redsweep
// result:   complete
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  no
#include "support/input.h"

/*
 * Adds up a hash of each 32-bit word and its place, like harness/base/bits.c. The last word is padded with
 * zeros. state[0] is the sum so far, and state[1] the number of warps that have added to it. Both are zero
 * before and after each launch. `bits` may be in host memory. Any grid and block size works.
 */
extern "C" __global__ void result_bits(const unsigned *words, unsigned long long *bits,
                                       unsigned long long bytes, unsigned long long *state)
{
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x, sum = 0;
    unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned long long i = first; i < bytes / 4; i += stride)
        sum += input_bits(words[i], i);
    if (first == 0 && bytes % 4) {
        unsigned word = 0;
        for (unsigned k = 0; k < bytes % 4; k++)
            word |= (unsigned)((const unsigned char *)words)[bytes - bytes % 4 + k] << 8 * k;
        sum += input_bits(word, bytes / 4);
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32)
        return;
    atomicAdd(&state[0], sum);
    __threadfence();
    if (atomicAdd(&state[1], 1ull) + 1 < gridDim.x * (unsigned long long)(blockDim.x / 32))
        return;
    __threadfence();
    sum = atomicExch(&state[0], 0ull);
    state[1] = 0;
    *bits = sum ? sum : 1;
}
