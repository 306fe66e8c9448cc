/*
 * These functions combine the values of a warp's lanes in a fixed order, so float results do not vary.
 *
 * lanes_join() exchanges every word in five steps. At each step it calls combine(), and each of these calls
 * depends on the one before it. Operations that need fewer steps have words_total(), which reduces a partial
 * word by word over all lanes at once; their files say how. Both functions were measured on an H200
 * (results/reference/h200-rows/README.md). redux.sync needs sm_80 or newer.
 */
#ifndef REDSWEEP_KERNELS_WARP_CUH
#define REDSWEEP_KERNELS_WARP_CUH

#include "operation.cuh"

/*
 * Combines COUNT values of each lane, where COUNT is a power of two. Value k is combined over SHARERS
 * neighbouring lanes, where SHARERS is a power of two up to 32. Each step halves either the number of values
 * or the number of lanes that still share a value. So the function takes COUNT - 1 + log2(SHARERS / COUNT)
 * shuffles instead of COUNT * log2(SHARERS).
 *
 * parts[0 … max(COUNT / SHARERS, 1) - 1] return the values that begin with number lanes_first(). If COUNT <
 * SHARERS, SHARERS / COUNT neighbouring lanes return the same value.
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
 * Returns the total of COUNT values of each lane of a warp in all of the first WIDTH lanes, where WIDTH is a
 * power of two. The other lanes must hold values of no elements. The whole warp calls this function, which
 * overwrites `parts`.
 */
template <unsigned COUNT, unsigned WIDTH, class T>
static __device__ __forceinline__ T warp_total(T *parts)
{
#if WORDS_TOTAL
    return words_total<COUNT, WIDTH>(parts);
#else
#pragma unroll
    /* The loop combines the partials as a tree, always two partials of equally many elements. */
    for (unsigned step = 1; step < COUNT; step *= 2)
#pragma unroll
        for (unsigned k = 0; k + step < COUNT; k += 2 * step)
            parts[k] = combine(parts[k], parts[k + step]);
    lanes_join<1, WIDTH>(parts);
    return parts[0];
#endif
}

/* This says which lanes need a total, and how they get it. */
enum ways {
    ALL_LANES,  /* All lanes return the total. */
    FIRST_LANE, /* Lane 0 returns it; floats use shuffles. */
    BY_SHUFFLES /* Lane 0 returns it; all types use shuffles of whole values, which every GPU has. */
};

/* Returns the total of one value of each lane, in the lanes that WAY names. */
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
