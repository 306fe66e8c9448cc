// kernel:    second_pass
// idea:      combines any kernel's partial results into one scalar, always in the same order
// source:    redsweep
// role:      harness
// result:    complete
// input:     untouched
// covers:    BLOCK * if(ACCUMULATOR = 24, 2, 64 / ACCUMULATOR)
// grid:      min(ceil_div(N, COVERS), SMS)
// workspace: 16 + GRID * ACCUMULATOR
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + ceil_div(GRID, BLOCK) + 23
// blocks:    1024
// types:     all
// ops:       all
// uniform:   no
#include "block.cuh"
#if PLAIN
#include "pack.cuh"
#endif

/*
 * A single block adds up a small number of partials without using the workspace. Larger numbers are spread
 * over several blocks, and the last block combines their results (as in ticket.cu). The ticket must be
 * zero before the first launch, and every launch sets it to zero again. Any grid of at least one block
 * works.
 */
extern "C" __global__ void __launch_bounds__(1024)
    second_pass(accumulator *input, result_t *output, index_t n, void *workspace)
{
    __shared__ bool last;
    unsigned *tickets = (unsigned *)workspace;
    accumulator *results = (accumulator *)((char *)workspace + 16);

#if __CUDA_ARCH__ >= 900
    /* Waits for the first kernel if this launch depends on it, and otherwise goes on at once. */
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
#if PLAIN
    index_t packs = n / PACK_WIDTH, rest = packs * PACK_WIDTH;
    accumulator sum = packs_combine<4>((const pack *)input, packs);
    if (blockIdx.x == 0 && threadIdx.x < n - rest)
        sum = combine(sum, input[rest + threadIdx.x]);
#else
    accumulator sum = identity();
    index_t stride = (index_t)gridDim.x * blockDim.x;
    for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += stride)
        sum = combine(sum, input[k]);
#endif
    sum = block_combine(sum);

    if (gridDim.x == 1) {
        if (threadIdx.x == 0)
            output[0] = finish(sum);
    } else {
        if (threadIdx.x == 0) {
            results[blockIdx.x] = sum;
            __threadfence();
            last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
            __threadfence();
        }
        __syncthreads();
        if (last) {
            sum = identity();
            for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
                sum = combine(sum, results[k]);
            sum = block_combine(sum);
            if (threadIdx.x == 0)
                output[0] = finish(sum);
        }
    }
}
