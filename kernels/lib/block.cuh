/*
 * Combines values across the threads of a block, or of a team of neighbouring threads. The order is fixed, so that
 * float results do not vary.
 */
#ifndef REDSWEEP_KERNELS_BLOCK_CUH
#define REDSWEEP_KERNELS_BLOCK_CUH

#include "thread.cuh"
#include "warp.cuh"

/*
 * Combines one value per warp, held by the warp's lane 0, and returns the total in the first warp. The block has WARPS
 * warps, or possibly fewer if FEWER is true. Every thread of the block must call this function. none() returns the
 * neutral value. `totals` is in shared memory, and `place` selects a row of it. Put a block barrier between two calls
 * with the same `place`.
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
 * Combines one partial per warp, held by the warp's lane 0, and returns the total in the first warp. Successive calls
 * need no barrier between them if they alternate between `place` 0 and 1.
 */
template <unsigned WARPS>
static __device__ __forceinline__ partial warps_join(partial part, unsigned place)
{
    __shared__ partial totals[2][WARPS];
    return warps_total<ALL_LANES>(part, nothing, totals, place);
}

/*
 * Combines one partial per thread over SHARERS neighbouring threads. SHARERS is a power of two up to 32 or the block
 * size. If SHARERS is at most 32, each of these threads returns the total; otherwise, the first warp does. Every
 * thread of the block must call this function. `place` works as in warps_join().
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
 * Combines one value per thread in a block of any size; thread 0 returns the total. Uses only shuffles, because not
 * every GPU has redux.sync. Put a block barrier between two calls.
 */
static __device__ __forceinline__ accumulator block_combine(accumulator value)
{
    __shared__ accumulator totals[1][32];
    value = lanes_total<32, BY_SHUFFLES>(value);
    return warps_total<BY_SHUFFLES, true>(value, identity, totals, 0);
}

#endif
