/*
 * Implements lanes.h.
 */
#ifndef __clang__
#pragma GCC optimize("O3")
#endif
#define LANE_TABLE lanes_generic
#include "devices/sim/program/lanes_body.h"

const struct lane_operation *lanes_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return lanes_avx2;
#endif
    return lanes_generic;
}
