/*
 * The lane operations for x86-64 CPUs with AVX2, which have 32-byte vectors and shifts by a
 * different count in each lane: see lanes.h. FMA is deliberately left out: the compiler might then
 * contract a * b + c, which rounds once instead of twice.
 */
#if defined(__x86_64__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC optimize("O3")
#pragma GCC target("avx2")
#endif
#define LANE_TABLE lanes_avx2
#include "devices/sim/program/lanes_body.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int no_avx2_here; /* an empty file is not C */
#endif
