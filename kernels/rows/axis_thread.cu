// kernel:     axis_thread
// idea:       one thread per result, any axis: no communication, and neighbouring threads read neighbouring
//             elements where inner is large
// source:     textbook
// workload:   axis
// covers:     BLOCK * ROW_LENGTH
// depth:      ROW_LENGTH
// blocks:     multiple of 32
// requires:   ROW_LENGTH < 2^32
// types:      all
// ops:        all
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH) size_t(INNER)
#include "operation.cuh"

extern "C" __global__ void axis_thread(const element *input, result_t *output, const element *second,
                                       size_t results, unsigned length, size_t inner)
{
    size_t result = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (result >= results)
        return;
    size_t at = result / inner * length * inner + result % inner;
    accumulator sum = identity();
    for (unsigned k = 0; k < length; k++, at += inner)
#if defined(OP_DOT)
        sum = accumulate(sum, input[at], second[at]);
#else
        sum = accumulate(sum, input[at], k);
#endif
    output[result] = finish(sum);
}
