/*
 * What every kernel needs: the element type, the operation, and an index that is wide enough.
 *
 * The harness compiles a kernel once per variant and says which with macros:
 *   TYPE_INT32, TYPE_FLOAT32, …   the element type
 *   OP_SUM, OP_MAX, …             the operation
 *   INDEX_BITS   32 while every element index fits 32 bits, 64 beyond
 *   UNROLL, BLOCK and the kernel's own tunables, as its facts say
 * A kernel's parameters are the first of (element *input, element *output, index_t n,
 * void *workspace).
 *
 * This is all for sums, maxima, minima and products of the types in which the result is also an
 * element. operation.cuh has the other types and operations.
 */
#ifndef REDSWEEP_KERNELS_COMMON_CUH
#define REDSWEEP_KERNELS_COMMON_CUH

/* What memory holds, and the range of its values. */
#if defined(TYPE_INT32)
typedef int element;
#define ELEMENT_LEAST (-2147483647 - 1)
#define ELEMENT_GREATEST 2147483647
#elif defined(TYPE_UINT32)
typedef unsigned element;
#define ELEMENT_LEAST 0u
#define ELEMENT_GREATEST 4294967295u
#elif defined(TYPE_INT64)
typedef long long element;
#define ELEMENT_LEAST (-9223372036854775807ll - 1)
#define ELEMENT_GREATEST 9223372036854775807ll
#elif defined(TYPE_UINT64)
typedef unsigned long long element;
#define ELEMENT_LEAST 0ull
#define ELEMENT_GREATEST 18446744073709551615ull
#elif defined(TYPE_FLOAT32)
typedef float element;
#elif defined(TYPE_FLOAT64)
typedef double element;
#define ELEMENT_LEAST __longlong_as_double(0xfff0000000000000ll)
#define ELEMENT_GREATEST __longlong_as_double(0x7ff0000000000000ll)
#elif defined(TYPE_INT8)
typedef signed char element;
#define ELEMENT_LEAST (-128)
#define ELEMENT_GREATEST 127
#elif defined(TYPE_UINT8)
typedef unsigned char element;
#define ELEMENT_LEAST 0u
#define ELEMENT_GREATEST 255u
#elif defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
struct element { /* convert() in operation.cuh makes it a float */
    unsigned short bits;
};
#else
#error "define the element type: TYPE_INT32 or another of those in docs/kernels.md"
#endif

/* What is calculated with, which is also the type of results. */
#if defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
typedef float value_t;
#elif defined(TYPE_INT8)
typedef int value_t;
#elif defined(TYPE_UINT8)
typedef unsigned value_t;
#else
typedef element value_t;
#endif
#if defined(TYPE_FLOAT32) || defined(TYPE_FLOAT16) || defined(TYPE_BFLOAT16)
#define ELEMENT_LEAST __int_as_float(0xff800000)
#define ELEMENT_GREATEST __int_as_float(0x7f800000)
#endif

#if INDEX_BITS == 64
typedef unsigned long long index_t;
#else
typedef unsigned index_t;
#endif

/*
 * combine() is the operation; IDENTITY changes nothing when combined. Integers wrap; a maximum or
 * minimum with a NaN is NaN.
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
#endif /* the others are in operation.cuh */

/* The largest power of two below x (x ≥ 2): where a tree over x elements begins. */
static __device__ __forceinline__ unsigned tree_start(unsigned x)
{
    return 1u << (31 - __clz((int)(x - 1)));
}

/* How many of `most` elements that begin at `first` exist. */
static __device__ __forceinline__ unsigned elements_here(index_t n, index_t first, unsigned most)
{
    return n - first < most ? (unsigned)(n - first) : most;
}

#endif
