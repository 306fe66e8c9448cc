/*
 * Compiles the lane operations for x86-64 CPUs with AVX2 (lanes.h), which has 32-byte vectors and
 * per-lane shift counts. The FMA instructions of the CPU are not enabled. With them, the compiler
 * might round a * b + c once instead of twice.
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
typedef int no_avx2_here; /* because C does not allow empty files */
#endif
