// kernel:     axis_thread
// idea:       one thread per result, over any axis and without communication; neighboring threads
//             read neighboring elements if the inner dimension is large
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
 * A thread splits its elements into runs, each with its own accumulator. In a single accumulator, the
 * variance of millions of elements would come out too small: each square would be less than half a unit in
 * the last place of the sum of squares, and more squares would be rounded down than up. The error was 0.4 %
 * at 3.6 million elements.
 */
enum { RUN = 1024 };

/* The kernel computes the length as n / results, so that it can be 0. */
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
