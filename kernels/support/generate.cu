// kernel:   generate
// idea:     writes the input of a point: element i is a function of (seed, i), see input.h
// source:   redsweep
// result:   partial
// input:    in place
// covers:   BLOCK * 16
// grid:     min(ceil_div(N, COVERS), SMS * 32)
// blocks:   multiple of 32
// uniform:  no
#include "common.cuh"
#include "support/input.h"

#if defined(OP_SUM)
#define OPERATION INPUT_SUM
#elif defined(OP_MAX)
#define OPERATION INPUT_MAX
#elif defined(OP_MIN)
#define OPERATION INPUT_MIN
#else
#define OPERATION INPUT_PROD
#endif

#if defined(TYPE_INT32)
#define VALUE(index) input_int32(seed, index, OPERATION, peak)
#elif defined(TYPE_UINT32)
#define VALUE(index) input_uint32(seed, index, OPERATION, peak)
#elif defined(TYPE_INT64)
#define VALUE(index) input_int64(seed, index, OPERATION, peak)
#elif defined(TYPE_FLOAT32)
#define VALUE(index) input_float32(seed, index, OPERATION, peak)
#else
#define VALUE(index) input_float64(seed, index, OPERATION, peak)
#endif

/*
 * Its parameters differ from those of other kernels: out has n elements, peak is input_peak(seed, n). Right for any grid
 * and block.
 */
extern "C" __global__ void generate(element *out, index_t n, unsigned long long seed,
                                    unsigned long long peak)
{
    index_t stride = (index_t)gridDim.x * blockDim.x;
    for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += stride)
        out[k] = VALUE(k);
}
