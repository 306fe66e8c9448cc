// kernel:   nested_wide
// idea:     like nested, but a single thread of the grid launches one child grid, with the same
//           number of blocks and half as many threads per block
// source:   Professional CUDA C Programming, ch. 3 (gpuRecursiveReduce2)
// result:   partial
// input:    in place
// covers:   BLOCK * 2
// depth:    log2(BLOCK) + 2
// blocks:   multiple of 32
// link:     device runtime
// uniform:  no
#include "common.cuh"

static __device__ void halve(element *input, element *output, index_t n, unsigned slice,
                             unsigned left);

/*
 * Every launch after the first one runs this kernel. Each block has a slice of `slice` elements,
 * the first `left` of which are still to be added.
 */
extern "C" __global__ void nested_wide_child(element *input, element *output, index_t n,
                                             unsigned slice, unsigned left)
{
    halve(input, output, n, slice, left);
}

extern "C" __global__ void nested_wide(element *input, element *output, index_t n)
{
    halve(input, output, n, 2 * blockDim.x, 2 * blockDim.x);
}

/*
 * The published kernel launches the child while other blocks are still working on data that the
 * child will read. This kernel uses a tail launch, which starts only once the whole grid has
 * finished.
 */
static __device__ void halve(element *input, element *output, index_t n, unsigned slice,
                             unsigned left)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * slice;
    unsigned here = elements_here(n, first, left);
    element *data = input + first;

    if (tid + blockDim.x < here)
        data[tid] = combine(data[tid], data[tid + blockDim.x]);

    if (blockDim.x == 1) {
        output[blockIdx.x] = data[0];
    } else if (tid == 0 && blockIdx.x == 0) {
        nested_wide_child<<<gridDim.x, (blockDim.x + 1) / 2, 0, cudaStreamTailLaunch>>>(
            input, output, n, slice, blockDim.x);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    }
}
