// kernel:     axis_thread
// idea:       one thread computes each result, for any axis, without communication;
//             neighboring threads read neighboring elements if inner is large
// source:     textbook
// workload:   axis
// covers:     BLOCK * ROW_LENGTH
// depth:      min(ROW_LENGTH, 1024) + ceil_div(ROW_LENGTH, 1024)
// blocks:     multiple of 32
// where:      WORK ceil_div(GRID, SMS) * BLOCK / 32 * ROW_LENGTH
// cost:       ROW_LENGTH
// cost:       ceil_div(GRID * BLOCK, SMS * 2048) * ROW_LENGTH
// overlap:    WORK
// overlap:    WORK * min(32, ceil_div(32, INNER) * ceil_div(INNER * SIZEOF, 32))
// types:      all
// ops:        all
// parameters: input output second n size_t(N / ROW_LENGTH) size_t(INNER)
// fallback:   yes
#include "operation.cuh"

/*
 * Each run of elements has a separate accumulator. In a single accumulator, the squares of a variance of a
 * million elements are each smaller than half a unit in the last place of their sum. More of them are rounded
 * down than up, so the variance comes out too small: by 0.4 % at 3.6 million elements.
 */
enum { RUN = 1024 };

/* The length is n / results, so that lengths of 0 are possible. */
extern "C" __global__ void axis_thread(const element *input, result_t *output, const element *second,
                                       index_t n, size_t results, size_t inner)
{
    size_t result = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (result >= results)
        return;
    const size_t length = n / results;
    size_t at = result / inner * length * inner + result % inner;
    accumulator sum = identity();
    for (size_t k = 0; k < length;) {
        const size_t end = length - k < RUN ? length : k + RUN;
        accumulator run = identity();
        for (; k < end; k++, at += inner)
#if defined(OP_DOT)
            run = accumulate(run, input[at], second[at]);
#else
            run = accumulate(run, input[at], (index_t)k);
#endif
        sum = combine(sum, run);
    }
    output[result] = finish(sum);
}
