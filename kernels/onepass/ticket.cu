// kernel:    ticket
// idea:      a single launch: each block stores its sum and takes a ticket; the block with the last
//            ticket adds the stored sums in a fixed order, so float results do not vary from launch
//            to launch
// source:    CUDA C++ Programming Guide, memory fence functions (threadFenceReduction)
// result:    complete
// input:     untouched
// covers:    BLOCK * UNROLL
// workspace: 16 + GRID * ACCUMULATOR
// depth:     COVERS / BLOCK + ceil_div(GRID, BLOCK) + 22
// blocks:    multiple of 32
// unroll:    1 2 4 8 16
// types:     all
// ops:       all
// parameters: input output n workspace second
// uniform:   no
#include "block.cuh"

extern "C" __global__ void ticket(element *input, result_t *output, index_t n, void *workspace, element *second)
{
    __shared__ bool last;
    /* number of tickets drawn so far; zeroed by the harness */
    unsigned *tickets = (unsigned *)workspace;
    accumulator *partials = (accumulator *)((char *)workspace + 16);
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);

    accumulator sum = block_combine(thread_combine<UNROLL>(part_from(input, second, first), here));
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence(); /* The partial must be visible before the ticket. */
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1; /* the last block sets it to 0 */
        __threadfence(); /* The ticket is read before the other blocks' partials. */
    }
    __syncthreads();

    if (last) { /* uniform across the block */
        sum = identity();
        for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
            sum = combine(sum, partials[k]);
        sum = block_combine(sum);
        if (threadIdx.x == 0)
            output[0] = finish(sum);
    }
}
