// kernel:   generate
// idea:     generates a point's input: element i is a function of (seed, i), see input.h
// source:   redsweep
// role:     harness
// result:   partial
// input:    in place
// covers:   BLOCK * 16
// grid:     min(ceil_div(N, COVERS), SMS * 32)
// blocks:   multiple of 32
// types:    all
// ops:      sum
// uniform:  no
#include "common.cuh"
#include "support/input.h"

#if ELEMENT_BYTES == 1
typedef unsigned char element_bits;
#elif ELEMENT_BYTES == 2
typedef unsigned short element_bits;
#elif ELEMENT_BYTES == 4
typedef unsigned element_bits;
#else
typedef unsigned long long element_bits;
#endif

/*
 * Unlike other kernels, this one takes `out` with n elements and the parameters of input_element(). Any
 * grid and block size works.
 */
extern "C" __global__ void generate(element_bits *out, index_t n, unsigned long long seed,
                                    unsigned long long peak, int kind, int values, int is_signed,
                                    int significand)
{
    index_t stride = (index_t)gridDim.x * blockDim.x;
    for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += stride)
        out[k] = (element_bits)input_element(ELEMENT_BYTES, is_signed, significand, kind, values, seed, k, peak);
}
