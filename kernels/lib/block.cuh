/*
 * These functions combine values of the threads of a block or of a team. They do so in a fixed
 * order, so float results do not vary.
 */
#ifndef REDSWEEP_KERNELS_BLOCK_CUH
#define REDSWEEP_KERNELS_BLOCK_CUH

#include "thread.cuh"
#include "warp.cuh"

/*
 * Combines one value per warp of a block of WARPS warps, or, with FEWER, of at most WARPS warps.
 * Lane 0 of each warp holds its value. The first warp returns the total. Every thread of the block
 * must call this function; none() is the value of no elements. `totals` is in shared memory. A
 * block barrier must separate two calls that use the same `place` in `totals`.
 */
template <ways WAY, bool FEWER = false, unsigned PLACES, unsigned WARPS, class T, class NONE>
static __device__ __forceinline__ T warps_total(T value, NONE none, T (&totals)[PLACES][WARPS], unsigned place)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        totals[place][warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < (FEWER ? blockDim.x / 32 : WARPS) ? totals[place][lane] : none();
        value = lanes_total<WARPS, WAY>(value);
    }
    return value;
}

/*
 * Combines partials in the same way. If successive calls use `place` 0 and 1 alternately, one barrier per call
 * is enough.
 */
template <unsigned WARPS>
static __device__ __forceinline__ partial warps_join(partial part, unsigned place)
{
    __shared__ partial totals[2][WARPS];
    return warps_total<ALL_LANES>(part, nothing, totals, place);
}

/*
 * Combines one value of each of SHARERS neighbouring threads, where SHARERS is a power of two up to 32 or the
 * size of the block. All of these threads return the total, or, if SHARERS is the size of the block, its first
 * warp does. Every thread of the block must call this function. The rule for `place` is the same as in the
 * function above.
 */
template <unsigned SHARERS>
static __device__ __forceinline__ partial team_total(partial part, unsigned place)
{
    if (SHARERS < 32)
        lanes_join<1, (SHARERS < 32 ? SHARERS : 32)>(&part);
    else
        part = warp_total<1, 32>(&part);
    if (SHARERS > 32)
        part = warps_join<(SHARERS > 32 ? SHARERS / 32 : 1)>(part, place);
    return part;
}

/*
 * Combines the values of a block of any size; thread 0 returns the total. The function uses only shuffles, which every
 * GPU has. A block barrier must separate two calls.
 */
static __device__ __forceinline__ accumulator block_combine(accumulator value)
{
    __shared__ accumulator totals[1][32];
    value = lanes_total<32, BY_SHUFFLES>(value);
    return warps_total<BY_SHUFFLES, true>(value, identity, totals, 0);
}

#endif
