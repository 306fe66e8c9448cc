/*
 * Reduces a thread's own share of the elements in a fixed order, so a float result depends only on n and
 * the launch configuration.
 */
#ifndef REDSWEEP_KERNELS_THREAD_CUH
#define REDSWEEP_KERNELS_THREAD_CUH

#include "operation.cuh"

/*
 * Combines this thread's FACTOR elements, blockDim.x apart, of the `here` elements in its block's part of the
 * input.
 */
template <unsigned FACTOR>
static __device__ __forceinline__ accumulator thread_combine(const part &data, unsigned here)
{
    unsigned tid = threadIdx.x;
    accumulator sum = identity();
    if (tid + (FACTOR - 1) * blockDim.x < here) {
        sum = lift_at(data, tid);
#pragma unroll
        for (unsigned k = 1; k < FACTOR; k++)
            sum = accumulate_at(sum, data, tid + k * blockDim.x);
    } else { /* the last block may have fewer elements */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = accumulate_at(sum, data, k);
    }
    return sum;
}

/*
 * Combines the elements first, first + step, … of the n elements at x (and y), with four loads in flight at a
 * time. n + 4 * step does not overflow, because index_t has 32 bits only for n up to 2^31.
 */
static __device__ __forceinline__ accumulator strided_combine(const element *x, const element *y,
                                                              index_t n, index_t first, index_t step)
{
    const part data = {x, y, 0};
    accumulator sum = identity();
    for (; first + 3 * step < n; first += 4 * step) {
        accumulator loaded[4];
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            loaded[k] = lift_at(data, first + k * step);
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            sum = combine(sum, loaded[k]);
    }
    for (; first < n; first += step)
        sum = accumulate_at(sum, data, first);
    return sum;
}

#if PLAIN
/* Combines a pack's elements as a tree: (0,1) (2,3), then the two results. */
static __device__ __forceinline__ element pack_combine(pack p)
{
    element sum = combine(p.e[0], p.e[1]);
    if (PACK_WIDTH == 4)
        sum = combine(sum, combine(p.e[PACK_WIDTH - 2], p.e[PACK_WIDTH - 1]));
    return sum;
}

/*
 * Combines this thread's share of `packs` packs in a grid-stride loop. Consecutive blocks take consecutive
 * tiles of blockDim.x * LOADS_AT_ONCE packs. A thread's packs are blockDim.x apart within a tile, and it
 * loads all of them before it uses the first.
 */
template <int LOADS_AT_ONCE>
static __device__ __forceinline__ element packs_combine(const pack *data, index_t packs)
{
    element sum = IDENTITY;
    index_t tile = (index_t)blockDim.x * LOADS_AT_ONCE;
    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
        const pack *mine = data + first + threadIdx.x;
        if (packs - first >= tile) {
            pack p[LOADS_AT_ONCE];
#pragma unroll
            for (int k = 0; k < LOADS_AT_ONCE; k++)
                p[k] = mine[k * blockDim.x];
#pragma unroll
            for (int k = 0; k < LOADS_AT_ONCE; k++)
                sum = combine(sum, pack_combine(p[k]));
        } else { /* the last tile may have fewer packs */
            for (index_t k = first + threadIdx.x; k < packs; k += blockDim.x)
                sum = combine(sum, pack_combine(data[k]));
        }
    }
    return sum;
}
#endif

#endif
