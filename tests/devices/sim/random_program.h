/*
 * Building blocks for the programs in test_random_programs.c. NVRTC compiles this header into the
 * kernel that the simulator runs, and the host compiler into the code that computes the expected
 * result.
 *
 * A program is a sequence of steps over 128 threads, each with its own `struct state`. A step is
 * either a per-thread function (EACH) or an exchange between threads. On the device, all threads
 * execute the step. On the host, a loop executes it for each thread. Where C leaves a result
 * undefined (signed overflow, shifts by the width, conversions out of range, division by zero),
 * programs use the functions below. Programs also use these functions for __mul24 products that do
 * not fit in 32 bits, because NVRTC 13.0 assumes that x * x is not negative.
 */
#ifndef REDSWEEP_TESTS_DEVICES_SIM_RANDOM_PROGRAM_H
#define REDSWEEP_TESTS_DEVICES_SIM_RANDOM_PROGRAM_H

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;

enum { THREADS = 128, INPUTS = 4096 };

struct state {
    u64 U[4];
    s64 I[4];
    f64 d[3];
    u32 u[6];
    s32 i[4];
    f32 f[4];
    u16 h[2];
    s8 b[4];
};

#ifdef __CUDACC__
#define HD static __device__
#define NOINLINE __noinline__
#define BITS_OF_F32(x) __float_as_uint(x)
#define BITS_OF_F64(x) __double_as_longlong(x)
#define F32_OF_BITS(x) __uint_as_float(x)
#define MIN_F32 fminf
#define MAX_F32 fmaxf
#define MIN_F64 fmin
#define MAX_F64 fmax
#else
#include "random_program_host.h"
#endif

/* Defines signed arithmetic that wraps around on overflow. */
#define INTEGER_FUNCTIONS(S, U, BITS)                                                              \
    HD S add_##S(S a, S b)                                                                         \
    {                                                                                              \
        return (S)((U)a + (U)b);                                                                   \
    }                                                                                              \
    HD S sub_##S(S a, S b)                                                                         \
    {                                                                                              \
        return (S)((U)a - (U)b);                                                                   \
    }                                                                                              \
    HD S mul_##S(S a, S b)                                                                         \
    {                                                                                              \
        return (S)((U)a * (U)b);                                                                   \
    }                                                                                              \
    HD S shl_##S(S a, u32 b)                                                                       \
    {                                                                                              \
        return (S)((U)a << (b & (BITS - 1)));                                                      \
    }                                                                                              \
    HD S shr_##S(S a, u32 b)                                                                       \
    {                                                                                              \
        return a >> (b & (BITS - 1));                                                              \
    }                                                                                              \
    HD S rotate_##S(S a, u32 b)                                                                    \
    {                                                                                              \
        b &= BITS - 1;                                                                             \
        return b ? (S)((U)a << b | (U)a >> (BITS - b)) : a;                                        \
    }                                                                                              \
    HD S field_##S(S a, u32 b)                                                                     \
    {                                                                                              \
        return (S)((U)a << (b & (BITS - 1))) >> (b >> 8 & (BITS - 1));                             \
    }                                                                                              \
    HD S min_##S(S a, S b)                                                                         \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    HD S max_##S(S a, S b)                                                                         \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
INTEGER_FUNCTIONS(u32, u32, 32)
INTEGER_FUNCTIONS(s32, u32, 32)
INTEGER_FUNCTIONS(u64, u64, 64)
INTEGER_FUNCTIONS(s64, u64, 64)

#define UNSIGNED_DIVISION(U)                                                                       \
    HD U div_##U(U a, U b)                                                                         \
    {                                                                                              \
        return b ? a / b : 7;                                                                      \
    }                                                                                              \
    HD U rem_##U(U a, U b)                                                                         \
    {                                                                                              \
        return b ? a % b : a;                                                                      \
    }
#define SIGNED_DIVISION(S)                                                                         \
    HD S div_##S(S a, S b)                                                                         \
    {                                                                                              \
        return b == 0 || b == -1 ? 5 : a / b;                                                      \
    }                                                                                              \
    HD S rem_##S(S a, S b)                                                                         \
    {                                                                                              \
        return b == 0 || b == -1 ? a : a % b;                                                      \
    }
UNSIGNED_DIVISION(u32)
UNSIGNED_DIVISION(u64)
SIGNED_DIVISION(s32)
SIGNED_DIVISION(s64)

/* These functions return the bits of x. For every NaN, they return the same bits. */
HD u32 bits_f32(f32 x)
{
    return x != x ? 0x7fc00000u : BITS_OF_F32(x);
}

HD u64 bits_f64(f64 x)
{
    return x != x ? 0x7ff8000000000000ull : (u64)BITS_OF_F64(x);
}

HD f32 sign_f32(f32 x, f32 y)
{
    return y != y ? x : copysignf(x, y);
}

HD f64 sign_f64(f64 x, f64 y)
{
    return y != y ? x : copysign(x, y);
}

/*
 * These functions return a value that is not negative and less than `most`, so that casting it to
 * an integer is defined.
 */
HD f32 small_f32(f32 x, f32 most)
{
    return x >= 0 && x < most ? x : x < 0 && x > -most ? -x : 3;
}

HD f64 small_f64(f64 x, f64 most)
{
    return x >= 0 && x < most ? x : x < 0 && x > -most ? -x : 3;
}

/* Returns the number of the k-th set bit of a mask that is not 0. */
HD u32 nth_lane(u32 mask, u32 k)
{
    for (k %= (u32)__popc(mask); k; k--)
        mask &= mask - 1;
    return (u32)__ffs((int)mask) - 1;
}

/*
 * Returns the bits of a random integer, which may be small, negative, a power of two, or
 * arbitrary.
 */
HD u32 some_bits(const u32 *in, u32 at)
{
    u32 x = in[at % INPUTS], how = in[(at + 1) % INPUTS] & 15;
    return how < 4    ? x & 15
           : how < 6  ? 0u - (x & 15)
           : how < 8  ? x >> 16
           : how == 8 ? 1u << (x & 31)
                      : x;
}

HD f32 some_float(const u32 *in, u32 at)
{
    u32 x = in[at % INPUTS], how = in[(at + 1) % INPUTS] & 31;
    return how < 20    ? (f32)(s32)x * 0x1p-24f
           : how < 24  ? (f32)(s32)(x & 31) - 16
           : how == 24 ? F32_OF_BITS(x & 0x807fffffu)
           : how == 25 ? F32_OF_BITS(0x7f800000u | (x & 0x80000000u))
           : how == 26 ? F32_OF_BITS(0x7fc00000u)
                       : F32_OF_BITS((x & 0x7f800000u) == 0x7f800000u ? 0 : x);
}

HD void start(struct state *p, const u32 *in, u32 t)
{
    u32 at = t * 61;
    for (int k = 0; k < 4; k++, at += 11) {
        p->U[k] = (u64)some_bits(in, at) << 32 | some_bits(in, at + 1);
        p->I[k] = (s64)((u64)(s64)(s32)some_bits(in, at + 2) * (k & 1 ? 1 : some_bits(in, at + 3)));
        p->i[k] = (s32)some_bits(in, at + 4);
        p->f[k] = some_float(in, at + 5);
        p->b[k] = (s8)some_bits(in, at + 6);
    }
    for (int k = 0; k < 6; k++)
        p->u[k] = some_bits(in, at + (u32)k);
    for (int k = 0; k < 3; k++)
        p->d[k] = (f64)some_float(in, at + 7 + (u32)k) * (1 + 0x1p-40 * (s32)some_bits(in, at + 9));
    p->h[0] = (u16)some_bits(in, at + 13);
    p->h[1] = (u16)some_bits(in, at + 14);
}

/* The following macros define a program and its steps. ME is the state of thread t. */
#ifdef __CUDACC__
#define ME state
#define PROGRAM(NAME)                                                                              \
    extern "C" __global__ void NAME(struct state *out, const u32 *in)                              \
    {                                                                                              \
        u32 t = threadIdx.x;                                                                       \
        __shared__ union {                                                                         \
            u32 v_u32[THREADS];                                                                    \
            s32 v_s32[THREADS];                                                                    \
            u64 v_u64[THREADS];                                                                    \
            s64 v_s64[THREADS];                                                                    \
            f32 v_f32[THREADS];                                                                    \
            f64 v_f64[THREADS];                                                                    \
        } shared;                                                                                  \
        (void)shared;                                                                              \
        struct state state;                                                                        \
        start(&state, in, t);
#define END                                                                                        \
    out[t] = state;                                                                                \
    }
#define EACH(F) F(&state, in, t);
#define SHUFFLE(HOW, T, TO, FROM, BY, WIDTH) TO = __shfl##HOW##_sync(~0u, FROM, BY, WIDTH);
#define SHUFFLE_PART(T, CONDITION, TO, FROM, BY)                                                   \
    {                                                                                              \
        bool c = CONDITION;                                                                        \
        u32 m = __ballot_sync(~0u, c);                                                             \
        if (c)                                                                                     \
            TO = __shfl_sync(m, FROM, (int)nth_lane(m, BY));                                       \
        else                                                                                       \
            TO = __shfl_sync(~m, FROM, (int)nth_lane(~m, (BY) + 3));                               \
    }
#define BALLOT(TO, CONDITION) TO = __ballot_sync(~0u, CONDITION);
#define ANY_ALL(TO, CONDITION)                                                                     \
    TO = (u32)__any_sync(~0u, CONDITION) + 2 * (u32)__all_sync(~0u, CONDITION);
#define MATCH_ANY(TO, FROM) TO = __match_any_sync(~0u, FROM);
#define MATCH_ALL(TO, FROM)                                                                        \
    {                                                                                              \
        int same;                                                                                  \
        TO = __match_all_sync(~0u, FROM, &same);                                                   \
        TO += (u32)same << 3;                                                                      \
    }
#define REDUCE(HOW, T, TO, FROM) TO = __reduce_##HOW##_sync(~0u, FROM);
#define REDUCE_PART(HOW, T, CONDITION, TO, FROM)                                                   \
    {                                                                                              \
        bool c = CONDITION;                                                                        \
        u32 m = __ballot_sync(~0u, c);                                                             \
        if (c)                                                                                     \
            TO = __reduce_##HOW##_sync(m, FROM);                                                   \
        else                                                                                       \
            TO = ~__reduce_##HOW##_sync(~m, FROM);                                                 \
    }
#define REDUCE_BY_KEY(HOW, T, KEY, TO, FROM)                                                       \
    {                                                                                              \
        u32 m = __match_any_sync(~0u, KEY);                                                        \
        TO = __reduce_##HOW##_sync(m, FROM);                                                       \
    }
#define COUNT_BLOCK(TO, CONDITION)                                                                 \
    TO = (u32)__syncthreads_count(CONDITION) * 4 + (u32)(__syncthreads_and(CONDITION) != 0) * 2 +  \
         (u32)(__syncthreads_or(CONDITION) != 0);
#define EXCHANGE(T, TO, FROM, INDEX)                                                               \
    shared.v_##T[t] = FROM;                                                                        \
    __syncthreads();                                                                               \
    TO = shared.v_##T[(INDEX) % THREADS];                                                          \
    __syncthreads();
#define GATHER(HOW, T, TO, FROM, INDEX)                                                            \
    shared.v_##T[t] = (T)(t * 3);                                                                  \
    __syncthreads();                                                                               \
    atomic##HOW(&shared.v_##T[(INDEX) % THREADS], FROM);                                           \
    __syncthreads();                                                                               \
    TO = shared.v_##T[t];                                                                          \
    __syncthreads();
#endif

#endif
