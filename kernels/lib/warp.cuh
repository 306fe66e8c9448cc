/*
 * Combines the values of a warp's lanes. Float results do not vary: the order is fixed.
 *
 * lanes_join() combines two values at each of its steps: it exchanges every word five times and calls
 * combine() five times, whose instructions depend on each other. Operations that need fewer steps have
 * words_total(), which reduces a partial word by word over all lanes at once; their files say how. Measured
 * beside lanes_join(), on an H200: results/reference/h200-rows/README.md. redux.sync: sm_80 and newer.
 */
#ifndef REDSWEEP_KERNELS_WARP_CUH
#define REDSWEEP_KERNELS_WARP_CUH

#include "operation.cuh"

/*
 * Combines COUNT values of each lane (a power of two): value k is combined over SHARERS neighbouring
 * lanes (a power of two, up to 32). Each step halves either the values or the lanes that still share
 * one, so it takes COUNT - 1 + log2(SHARERS / COUNT) shuffles instead of COUNT * log2(SHARERS).
 *
 * parts[0 … max(COUNT / SHARERS, 1) - 1] return the values that begin with number
 * lanes_first(); if COUNT < SHARERS, SHARERS / COUNT neighbouring lanes return the same value.
 */
template <unsigned COUNT, unsigned SHARERS, class T>
static __device__ __forceinline__ void lanes_join(T *parts)
{
    unsigned lane = threadIdx.x % SHARERS, left = COUNT;
#pragma unroll
    for (unsigned offset = SHARERS / 2; offset > 0; offset /= 2) {
        bool upper = lane & offset;
        if (left > 1) {
            left /= 2;
#pragma unroll
            for (unsigned k = 0; k < (COUNT + 1) / 2; k++)
                if (k < left) {
                    T keep = upper ? parts[k + left] : parts[k];
                    T pass = upper ? parts[k] : parts[k + left];
                    parts[k] = combine(keep, shuffle_xor(pass, offset));
                }
        } else {
            parts[0] = combine(parts[0], shuffle_xor(parts[0], offset));
        }
    }
}

template <unsigned COUNT, unsigned SHARERS> static __device__ __forceinline__ unsigned lanes_first()
{
    unsigned lane = threadIdx.x % SHARERS;
    return COUNT >= SHARERS ? lane * (COUNT / SHARERS) : lane / (SHARERS / COUNT);
}

/*
 * Returns the total of COUNT values of each lane of a warp, in all of the first WIDTH lanes (a power of two); the
 * values of the other lanes must be of no elements. The whole warp calls it, which overwrites `parts`.
 */
template <unsigned COUNT, unsigned WIDTH, class T>
static __device__ __forceinline__ T warp_total(T *parts)
{
#if WORDS_TOTAL
    return words_total<COUNT, WIDTH>(parts);
#else
#pragma unroll
    for (unsigned step = 1; step < COUNT; step *= 2) /* a tree, in which parts of equally many elements meet */
#pragma unroll
        for (unsigned k = 0; k + step < COUNT; k += 2 * step)
            parts[k] = combine(parts[k], parts[k + step]);
    lanes_join<1, WIDTH>(parts);
    return parts[0];
#endif
}

/* Which lanes need a total, and how they get it. */
enum ways {
    ALL_LANES,  /* in all lanes */
    FIRST_LANE, /* in lane 0; floats use shuffles */
    BY_SHUFFLES /* in lane 0; all types use shuffles of whole values, which every GPU has */
};

/* Does the same for one value of each lane. */
template <unsigned WIDTH, ways WAY, class T> static __device__ __forceinline__ T lanes_total(T value)
{
    if constexpr (WAY == ALL_LANES || (WORDS_TOTAL && WAY == FIRST_LANE && VALUE_FORMAT < FORMAT_FLOAT32))
        return warp_total<1, WIDTH>(&value);
#pragma unroll
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
        value = combine(value, shuffle_down(value, offset));
    return value;
}

#endif
