// kernel:   nested_hello_depth
// idea:     like nested_hello, but with at most DEPTH generations after the first
// source:   Professional CUDA C Programming, ch. 3 (exercise 9)
// workload: hello_halving
// role:     teaching
// covers:   BLOCK
// tunable:  DEPTH 1 2 3
// blocks:   multiple of 32
// types:    int32 uint32 int64 float64
// ops:      sum
// requires: N <= 2^24
// link:     device runtime
// uniform:  no
#include "hello.cuh"

static __device__ void greet(element *output, unsigned threads, unsigned depth);

/* Every launch after the first one runs this kernel. It has one block, whose threads all report. */
extern "C" __global__ void nested_hello_depth_child(element *output, unsigned threads, unsigned depth)
{
    greet(output, threads, depth);
}

extern "C" __global__ void nested_hello_depth(element *input, element *output, index_t n)
{
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    index_t reports = (index_t)blockIdx.x * halving_reports(blockDim.x, DEPTH);

    if (threadIdx.x < here)
        greet(output + reports, here, 0);
}

/*
 * The published kernel prints its reports. This one writes them to memory so that they can be checked,
 * and traps if a launch is dropped.
 */
static __device__ void greet(element *output, unsigned threads, unsigned depth)
{
    output[threadIdx.x] = report(depth, threadIdx.x);
    if (threadIdx.x == 0 && threads > 1 && depth < DEPTH) {
        nested_hello_depth_child<<<1, threads / 2, 0, cudaStreamFireAndForget>>>(
            output + threads, threads / 2, depth + 1);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    }
}
