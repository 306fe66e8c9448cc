// kernel:    cooperative
// idea:      a cooperative launch keeps all blocks resident, so a grid barrier can separate the
//            block sums from the final sum
// source:    CUDA C++ Programming Guide, cooperative groups (grid synchronization)
// result:    complete
// input:     untouched
// covers:    BLOCK
// grid:      min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM)
// workspace: 16 + GRID * ACCUMULATOR
// depth:     ceil_div(N, GRID * BLOCK) + ceil_div(GRID, BLOCK) + 23
// blocks:    multiple of 32
// tunable:   BLOCKS_PER_SM 1 2 4 8 16
// default:   BLOCKS_PER_SM 4
// requires:  BLOCK * BLOCKS_PER_SM <= 1024
// launch:    cooperative
// types:     all
// ops:       all
// parameters: input output n workspace second
// uniform:   no
// counts:    vary
#include "block.cuh"

/*
 * Does what grid.sync() of cooperative_groups.h does: arrives, then waits for the other blocks. The
 * wait terminates because all blocks are resident. The harness sets `arrived` to 0 before each
 * launch, and blocks only count it up, so each launch can use just one barrier.
 */
static __device__ __forceinline__ void grid_barrier(unsigned *arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence(); /* This block's writes must be visible before its arrival. */
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < gridDim.x) {
#if __CUDA_ARCH__ >= 700
            __nanosleep(20);
#endif
        }
        __threadfence(); /* Read the arrivals before the other blocks' writes. */
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(1024)
    cooperative(element *input, result_t *output, index_t n, void *workspace, element *second)
{
    unsigned *arrived = (unsigned *)workspace;
    accumulator *partials = (accumulator *)((char *)workspace + 16);

    accumulator sum = identity();
    index_t step = (index_t)gridDim.x * blockDim.x;
#pragma unroll 4
    for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step)
        sum = accumulate_at(sum, input, second, k);

    sum = block_combine(sum);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;

    grid_barrier(arrived);

    if (blockIdx.x == 0) {
        sum = identity();
        for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
            sum = combine(sum, partials[k]);
        sum = block_combine(sum);
        if (threadIdx.x == 0)
            output[0] = finish(sum);
    }
}
