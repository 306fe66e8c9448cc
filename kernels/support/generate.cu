// kernel:   generate
// idea:     writes the input of a point: element i is a function of (seed, i), see input.h
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

#if defined(TYPE_INT32)
#define VALUE input_int32
#elif defined(TYPE_UINT32)
#define VALUE input_uint32
#elif defined(TYPE_INT64)
#define VALUE input_int64
#elif defined(TYPE_UINT64)
#define VALUE input_uint64
#elif defined(TYPE_INT8)
#define VALUE input_int8
#elif defined(TYPE_UINT8)
#define VALUE input_uint8
#elif defined(TYPE_FLOAT16)
#define VALUE input_float16
#elif defined(TYPE_BFLOAT16)
#define VALUE input_bfloat16
#elif defined(TYPE_FLOAT32)
#define VALUE input_float32
#else
#define VALUE input_float64
#endif

#if defined(TYPE_FLOAT16)
#define KIND_VALUE input_kind_float16
#elif defined(TYPE_BFLOAT16)
#define KIND_VALUE input_kind_bfloat16
#elif defined(TYPE_FLOAT32)
#define KIND_VALUE input_kind_float32
#elif defined(TYPE_FLOAT64)
#define KIND_VALUE input_kind_float64
#endif

/*
 * Its parameters differ from those of other kernels: out has n elements, peak is input_peak(seed, n), kind one of
 * input_kinds.h, values those of INPUT_UNIFORM. Right for any grid and block.
 */
extern "C" __global__ void generate(element *out, index_t n, unsigned long long seed,
                                    unsigned long long peak, int kind, int values)
{
    index_t stride = (index_t)gridDim.x * blockDim.x;
#ifdef KIND_VALUE
    if (kind != INPUT_UNIFORM) {
        for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += stride)
            out[k] = element{KIND_VALUE(kind, seed, k, peak)};
        return;
    }
#endif
    for (index_t k = (index_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += stride)
        out[k] = element{VALUE(seed, k, values, peak)};
}
