// kernel:   nested_hello_blocks
// idea:     one block launches a grid of two blocks, which launches a grid of four, and so on up to
//           n threads; the block size stays the same
// source:   Professional CUDA C Programming, ch. 3 (exercise 8)
// workload: hello_doubling
// role:     teaching
// covers:   N
// grid:     1
// blocks:   multiple of 32
// types:    int32 uint32 int64 float64
// ops:      sum
// requires: N <= 2^24
// link:     device runtime
// uniform:  no
#include "hello.cuh"

static __device__ void greet(element *output, index_t n, unsigned depth);

extern "C" __global__ void nested_hello_blocks_child(element *output, index_t n, unsigned depth)
{
    greet(output, n, depth);
}

extern "C" __global__ void nested_hello_blocks(element *input, element *output, index_t n)
{
    greet(output, n, 0);
}

/* The reports of each launch follow those of the previous one. All threads of a launch report. */
static __device__ void greet(element *output, index_t n, unsigned depth)
{
    unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned threads = gridDim.x * blockDim.x;

    if (number < n)
        output[number] = report(depth, number);
    if (number == 0 && threads < n) {
        nested_hello_blocks_child<<<2 * gridDim.x, blockDim.x, 0, cudaStreamFireAndForget>>>(
            output + threads, n, depth + 1);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    }
}
