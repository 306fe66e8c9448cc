/*
 * Defines what every kernel needs: the element type, the operation, and an index type that is wide
 * enough for all elements.
 *
 * The harness compiles a kernel once per variant and selects the variant with macros:
 *   TYPE_INT32, TYPE_FLOAT32, …   the element type
 *   OP_SUM, OP_MAX, …             the operation
 *   INDEX_BITS                    32 if every element index fits into 32 bits, and 64 otherwise
 *   UNROLL, BLOCK, tunables       the constants and tunables that the kernel's facts name
 * A kernel takes one or more of these parameters, beginning with the first: (element *input,
 * element *output, index_t n, void *workspace).
 *
 * This header is enough for sums, maxima, minima and products of types whose results have the same
 * type as the elements. operation.cuh supports all types and operations.
 */
#ifndef REDSWEEP_KERNELS_COMMON_CUH
#define REDSWEEP_KERNELS_COMMON_CUH

#include "types.cuh"

#if INDEX_BITS == 64
typedef unsigned long long index_t;
#else
typedef unsigned index_t;
#endif

/*
 * combine() is the operation, and IDENTITY is its neutral element. Integers wrap around. Max and
 * min propagate NaN.
 */
#if defined(OP_SUM) || defined(OP_SUMSQ) || defined(OP_NORM2) || defined(OP_DOT)
#define IDENTITY ((value_t)0)
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a + b;
}
#elif defined(OP_MAX)
#define IDENTITY ((value_t)ELEMENT_LEAST)
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a > b || a != a ? a : b;
}
#elif defined(OP_MIN)
#define IDENTITY ((value_t)ELEMENT_GREATEST)
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a < b || a != a ? a : b;
}
#elif defined(OP_PROD)
#define IDENTITY ((value_t)1)
static __device__ __forceinline__ value_t combine(value_t a, value_t b)
{
    return a * b;
}
#endif /* operation.cuh has the other operations */

/* Returns the largest power of two below x (x ≥ 2), the first stride of a tree over x elements. */
static __device__ __forceinline__ unsigned tree_start(unsigned x)
{
    return 1u << (31 - __clz((int)(x - 1)));
}

/*
 * Returns how many of the elements from number `first` on exist if there are n in all, but at most
 * `most`.
 */
static __device__ __forceinline__ unsigned elements_here(index_t n, index_t first, unsigned most)
{
    return n - first < most ? (unsigned)(n - first) : most;
}

#endif
