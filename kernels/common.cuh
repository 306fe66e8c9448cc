/*
 * What every kernel needs: the element type, the operation, and an index that is wide enough.
 *
 * The harness compiles a kernel once per variant and says which with macros:
 *   TYPE_INT32, TYPE_UINT32, TYPE_INT64, TYPE_FLOAT32 or TYPE_FLOAT64   the element type
 *   OP_SUM, OP_MAX, OP_MIN or OP_PROD                                   the operation
 *   INDEX_BITS   32 while every element index fits 32 bits, 64 beyond
 *   UNROLL, BLOCK and the kernel's own tunables, as its facts say
 * A kernel's parameters are the first of (element *input, element *output, index_t n,
 * void *workspace).
 */
#ifndef REDSWEEP_KERNELS_COMMON_CUH
#define REDSWEEP_KERNELS_COMMON_CUH

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
#elif defined(TYPE_FLOAT32)
typedef float element;
#define ELEMENT_LEAST __int_as_float(0xff800000)
#define ELEMENT_GREATEST __int_as_float(0x7f800000)
#elif defined(TYPE_FLOAT64)
typedef double element;
#define ELEMENT_LEAST __longlong_as_double(0xfff0000000000000ll)
#define ELEMENT_GREATEST __longlong_as_double(0x7ff0000000000000ll)
#else
#error "define one of TYPE_INT32, TYPE_UINT32, TYPE_INT64, TYPE_FLOAT32, TYPE_FLOAT64"
#endif

#if INDEX_BITS == 64
typedef unsigned long long index_t;
#else
typedef unsigned index_t;
#endif

/* combine() is the operation; IDENTITY changes nothing when combined. Integers wrap. */
#if defined(OP_SUM)
#define IDENTITY ((element)0)
static __device__ __forceinline__ element combine(element a, element b)
{
    return a + b;
}
#elif defined(OP_MAX)
#define IDENTITY ((element)ELEMENT_LEAST)
static __device__ __forceinline__ element combine(element a, element b)
{
    return a > b ? a : b;
}
#elif defined(OP_MIN)
#define IDENTITY ((element)ELEMENT_GREATEST)
static __device__ __forceinline__ element combine(element a, element b)
{
    return a < b ? a : b;
}
#elif defined(OP_PROD)
#define IDENTITY ((element)1)
static __device__ __forceinline__ element combine(element a, element b)
{
    return a * b;
}
#else
#error "define one of OP_SUM, OP_MAX, OP_MIN, OP_PROD"
#endif

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
