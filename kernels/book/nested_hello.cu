// kernel:   nested_hello
// idea:     each block launches a block with half as many threads, down to one thread; every thread
//           reports its grid's depth and its own number
// source:   Professional CUDA C Programming, ch. 3 (nestedHelloWorld)
// workload: hello_halving
// role:     teaching
// covers:   BLOCK
// blocks:   multiple of 32
// types:    int32 uint32 int64 float64
// ops:      sum
// requires: N <= 2^24
// link:     device runtime
// uniform:  no
#include "hello.cuh"

enum { NO_LIMIT = 64 };

static __device__ void greet(element *output, unsigned threads, unsigned depth);

/* Every launch after the first one runs this kernel. It has one block, whose threads all report. */
extern "C" __global__ void nested_hello_child(element *output, unsigned threads, unsigned depth)
{
    greet(output, threads, depth);
}

extern "C" __global__ void nested_hello(element *input, element *output, index_t n)
{
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    index_t reports = (index_t)blockIdx.x * halving_reports(blockDim.x, NO_LIMIT);

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
    if (threadIdx.x == 0 && threads > 1) {
        nested_hello_child<<<1, threads / 2, 0, cudaStreamFireAndForget>>>(
            output + threads, threads / 2, depth + 1);
        if (cudaGetLastError() != cudaSuccess)
            __trap();
    }
}
