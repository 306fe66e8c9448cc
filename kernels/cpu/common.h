/*
 * Defines what every CPU function needs: the element type, the operation, and the index type.
 *
 * The Makefile compiles each *.c of this folder once for every type and operation, selected by the
 * macros TYPE_… and OP_… as in kernels/lib/common.cuh. It also renames the function: cpu_loop
 * becomes cpu_loop_INT32_SUM. Signed integers are added and multiplied as unsigned ones, so they
 * wrap around.
 */
#ifndef REDSWEEP_KERNELS_CPU_COMMON_H
#define REDSWEEP_KERNELS_CPU_COMMON_H

#include <stdint.h>

#if defined(TYPE_INT32)
typedef int32_t element;
typedef uint32_t wrapping;
#elif defined(TYPE_UINT32)
typedef uint32_t element;
typedef uint32_t wrapping;
#elif defined(TYPE_INT64)
typedef int64_t element;
typedef uint64_t wrapping;
#elif defined(TYPE_UINT64)
typedef uint64_t element;
typedef uint64_t wrapping;
#elif defined(TYPE_FLOAT32)
typedef float element;
typedef float wrapping;
#elif defined(TYPE_FLOAT64)
typedef double element;
typedef double wrapping;
#else
#error "define one of TYPE_INT32, TYPE_UINT32, TYPE_INT64, TYPE_UINT64, TYPE_FLOAT32, TYPE_FLOAT64"
#endif

typedef uint64_t index_t;

/* Max and min propagate NaN. */
#if defined(TYPE_FLOAT32) || defined(TYPE_FLOAT64)
#define IS_NAN(x) ((x) != (x))
#else
#define IS_NAN(x) 0
#endif

static inline element combine(element a, element b)
{
#if defined(OP_SUM)
    return (element)((wrapping)a + (wrapping)b);
#elif defined(OP_MAX)
    return a > b || IS_NAN(a) ? a : b;
#elif defined(OP_MIN)
    return a < b || IS_NAN(a) ? a : b;
#elif defined(OP_PROD)
    return (element)((wrapping)a * (wrapping)b);
#else
#error "define one of OP_SUM, OP_MAX, OP_MIN, OP_PROD"
#endif
}

#endif
