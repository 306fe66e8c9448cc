/*
 * Combines the values of a warp's lanes in a fixed order, so float results do not vary.
 *
 * lanes_join() exchanges every word of a value in five steps, each of which has a combine() that depends on
 * the previous step. Operations that need fewer steps have a function words_total() in their op_*.cuh file.
 * It reduces a partial word by word across all lanes at once, with the instruction redux.sync, which needs
 * sm_80 or newer. Both functions were measured on an H200 (results/reference/h200-rows/README.md).
 */
#ifndef REDSWEEP_KERNELS_WARP_CUH
#define REDSWEEP_KERNELS_WARP_CUH

#include "operation.cuh"

/*
 * Combines COUNT values per lane, each over SHARERS neighbouring lanes. COUNT and SHARERS are powers of two,
 * and SHARERS is at most 32. Each step halves either the number of values or the number of lanes that share
 * one, which takes COUNT - 1 + log2(SHARERS / COUNT) shuffles instead of COUNT * log2(SHARERS).
 *
 * parts[0 … max(COUNT / SHARERS, 1) - 1] return the combined values, from number lanes_first() on. If COUNT
 * < SHARERS, SHARERS / COUNT neighbouring lanes return the same value.
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
 * Returns the total of all lanes' COUNT values in each of the first WIDTH lanes. WIDTH is a power of two.
 * The other lanes must hold neutral values. Called by the whole warp; overwrites `parts`.
 */
template <unsigned COUNT, unsigned WIDTH, class T>
static __device__ __forceinline__ T warp_total(T *parts)
{
#if WORDS_TOTAL
    return words_total<COUNT, WIDTH>(parts);
#else
#pragma unroll
    /* Combine the lane's own partials as a tree, in which both operands have equally many elements. */
    for (unsigned step = 1; step < COUNT; step *= 2)
#pragma unroll
        for (unsigned k = 0; k + step < COUNT; k += 2 * step)
            parts[k] = combine(parts[k], parts[k + step]);
    lanes_join<1, WIDTH>(parts);
    return parts[0];
#endif
}

/* Which lanes get the total, and how. */
enum ways {
    ALL_LANES,  /* all lanes return the total */
    FIRST_LANE, /* lane 0 returns it; floats use shuffles */
    BY_SHUFFLES /* lane 0 returns it; all types use shuffles of whole values, which every GPU has */
};

/* Returns the total of one value per lane, in the lanes that WAY names. */
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
