/*
 * Implements random_program.h on the host: CUDA's functions and exchanges in plain C.
 */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HD static inline __attribute__((unused))
#define NOINLINE

HD u32 BITS_OF_F32(f32 x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD u64 BITS_OF_F64(f64 x)
{
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD f32 F32_OF_BITS(u32 bits)
{
    f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* If one argument is NaN, these functions return the other argument. -0 is less than +0. */
#define ORDER(T)                                                                                   \
    HD T min_float_##T(T a, T b)                                                                   \
    {                                                                                              \
        return a != a ? b : b != b ? a : a < b ? a : b < a ? b : signbit(a) ? a : b;               \
    }                                                                                              \
    HD T max_float_##T(T a, T b)                                                                   \
    {                                                                                              \
        return a != a ? b : b != b ? a : a > b ? a : b > a ? b : signbit(a) ? b : a;               \
    }
ORDER(f32)
ORDER(f64)
#define MIN_F32 min_float_f32
#define MAX_F32 max_float_f32
#define MIN_F64 min_float_f64
#define MAX_F64 max_float_f64

HD int __popc(u32 x)
{
    int n = 0;
    for (; x; x >>= 1)
        n += (int)(x & 1);
    return n;
}

HD int __popcll(u64 x)
{
    return __popc((u32)x) + __popc((u32)(x >> 32));
}

HD int __clzll(s64 x)
{
    int n = 0;
    while (n < 64 && !((u64)x >> (63 - n) & 1))
        n++;
    return n;
}

HD int __clz(s32 x)
{
    return __clzll((s64)(u32)x) - 32;
}

HD int __ffsll(s64 x)
{
    for (int k = 0; k < 64; k++)
        if ((u64)x >> k & 1)
            return k + 1;
    return 0;
}

HD int __ffs(s32 x)
{
    return __ffsll((s64)(u32)x);
}

HD u64 __brevll(u64 x)
{
    u64 r = 0;
    for (int k = 0; k < 64; k++)
        r |= (x >> k & 1) << (63 - k);
    return r;
}

HD u32 __brev(u32 x)
{
    return (u32)(__brevll(x) >> 32);
}

HD u32 __umulhi(u32 a, u32 b)
{
    return (u32)((u64)a * b >> 32);
}

HD s32 __mulhi(s32 a, s32 b)
{
    return (s32)((s64)a * b >> 32);
}

HD u64 __umul64hi(u64 a, u64 b)
{
    return (u64)((unsigned __int128)a * b >> 64);
}

HD s64 __mul64hi(s64 a, s64 b)
{
    return (s64)((__int128)a * b >> 64);
}

HD s32 __mul24(s32 a, s32 b)
{
    return (s32)(u32)((s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8));
}

HD u32 __umul24(u32 a, u32 b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

HD u32 __byte_perm(u32 a, u32 b, u32 pick)
{
    u8 byte[8];
    u32 r = 0;
    memcpy(byte, &a, 4);
    memcpy(byte + 4, &b, 4);
    for (int k = 0; k < 4; k++)
        r |= (u32)byte[pick >> 4 * k & 7] << 8 * k;
    return r;
}

HD u32 __funnelshift_l(u32 low, u32 high, u32 by)
{
    return (u32)(((u64)high << 32 | low) << (by & 31) >> 32);
}

HD u32 __funnelshift_r(u32 low, u32 high, u32 by)
{
    return (u32)(((u64)high << 32 | low) >> (by & 31));
}

HD u32 __funnelshift_lc(u32 low, u32 high, u32 by)
{
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}

HD u32 __funnelshift_rc(u32 low, u32 high, u32 by)
{
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}

HD u32 __usad(u32 a, u32 b, u32 c)
{
    return (a > b ? a - b : b - a) + c;
}

HD u32 __sad(s32 a, s32 b, u32 c)
{
    return (u32)(a > b ? (s64)a - b : (s64)b - a) + c;
}

HD s32 __hadd(s32 a, s32 b)
{
    return (s32)(((s64)a + b) >> 1);
}

HD u32 __urhadd(u32 a, u32 b)
{
    return (u32)(((u64)a + b + 1) >> 1);
}

HD s32 __dp4a(s32 a, s32 b, s32 c)
{
    u32 sum = (u32)c;
    for (int k = 0; k < 32; k += 8)
        sum += (u32)((s8)(a >> k) * (s8)(b >> k));
    return (s32)sum;
}

/* Defines the functions that round in direction MODE. CUDA's names for them end in HOW. */
#define ROUNDED(HOW, MODE)                                                                         \
    HD f32 __fadd_##HOW(f32 a, f32 b){ROUNDS(f32, MODE, x + y)} HD f32 __fmul_##HOW(f32 a, f32 b){ \
        ROUNDS(f32, MODE, x * y)} HD f32 __fdiv_##HOW(f32 a, f32 b){                               \
        ROUNDS(f32, MODE, x / y)} HD f32 __fsqrt_##HOW(f32 a)                                      \
    {                                                                                              \
        f32 b = 0;                                                                                 \
        ROUNDS(f32, MODE, sqrtf(x))                                                                \
    }                                                                                              \
    HD f32 __fmaf_##HOW(f32 a, f32 b, f32 c){ROUNDS(f32, MODE, fmaf(x, y, c))} HD f64              \
        __dadd_##HOW(f64 a, f64 b){ROUNDS(f64, MODE, x + y)} HD f64 __dmul_##HOW(f64 a, f64 b){    \
            ROUNDS(f64, MODE, x * y)} HD f64 __ddiv_##HOW(f64 a, f64 b){                           \
            ROUNDS(f64, MODE, x / y)} HD f64 __fma_##HOW(f64 a, f64 b, f64 c){                     \
            ROUNDS(f64, MODE, fma(x, y, c))} HD f32 __double2float_##HOW(f64 a){                   \
            ROUNDS_FROM(f32, f64, MODE)} HD f32 __int2float_##HOW(s32 a){                          \
            ROUNDS_FROM(f32, s32, MODE)} HD f32 __uint2float_##HOW(u32 a){                         \
            ROUNDS_FROM(f32, u32, MODE)} HD f32 __ll2float_##HOW(s64 a){                           \
            ROUNDS_FROM(f32, s64, MODE)} HD f64 __ll2double_##HOW(s64 a){                          \
            ROUNDS_FROM(f64, s64, MODE)} HD s32 __float2int_##HOW(f32 a){                          \
            TO_INTEGER(s32, a, MODE, -0x1p31, 0x1p31, 0)} HD u32 __float2uint_##HOW(f32 a){        \
            TO_INTEGER(u32, a, MODE, 0, 0x1p32, 0)} HD s64 __float2ll_##HOW(f32 a){                \
            TO_INTEGER(s64, a, MODE, -0x1p63, 0x1p63,                                              \
                       (s64)(1ull << 63))} HD u64 __float2ull_##HOW(f32 a){                        \
            TO_INTEGER(u64, a, MODE, 0, 0x1p64, 1ull << 63)} HD s32 __double2int_##HOW(f64 a){     \
            TO_INTEGER(s32, a, MODE, -0x1p31, 0x1p31,                                              \
                       (s32)(1u << 31))} HD u32 __double2uint_##HOW(f64 a){                        \
            TO_INTEGER(u32, a, MODE, 0, 0x1p32, 1u << 31)} HD s64 __double2ll_##HOW(f64 a)         \
    {                                                                                              \
        TO_INTEGER(s64, a, MODE, -0x1p63, 0x1p63, (s64)(1ull << 63))                               \
    }
#define ROUNDS(T, MODE, EXPRESSION)                                                                \
    volatile T x = a, y = b, r;                                                                    \
    fesetround(MODE);                                                                              \
    r = EXPRESSION;                                                                                \
    fesetround(FE_TONEAREST);                                                                      \
    (void)y;                                                                                       \
    return r;
#define ROUNDS_FROM(T, FROM, MODE)                                                                 \
    volatile FROM x = a;                                                                           \
    volatile T r;                                                                                  \
    fesetround(MODE);                                                                              \
    r = (T)x;                                                                                      \
    fesetround(FE_TONEAREST);                                                                      \
    return r;
/*
 * Rounds to an integer type in direction MODE. NaN becomes 0 if both types have at most 32 bits,
 * and otherwise a value with only the highest bit set.
 */
#define TO_INTEGER(T, A, MODE, LEAST, BEYOND, OF_NAN)                                              \
    f64 x = (MODE) == FE_TOWARDZERO ? trunc(A)                                                     \
            : (MODE) == FE_UPWARD   ? ceil(A)                                                      \
            : (MODE) == FE_DOWNWARD ? floor(A)                                                     \
                                    : rint(A);                                                     \
    T most = (T)((LEAST) < 0 ? ~0ull >> (65 - 8 * sizeof(T)) : ~0ull >> (64 - 8 * sizeof(T)));     \
    return x != x ? OF_NAN : x >= (BEYOND) ? most : x < (LEAST) ? (T)(LEAST) : (T)x;
ROUNDED(rn, FE_TONEAREST)
ROUNDED(rz, FE_TOWARDZERO)
ROUNDED(ru, FE_UPWARD)
ROUNDED(rd, FE_DOWNWARD)

/* Each step is a loop over the threads. */
#define ME S[t]
#define PROGRAM(NAME)                                                                              \
    void NAME(struct state *S, const u32 *in);                                                     \
    void NAME(struct state *S, const u32 *in)                                                      \
    {                                                                                              \
        EVERY start(&S[t], in, t);
#define END }
#define EVERY for (u32 t = 0; t < THREADS; t++)
#define OTHERS for (u32 o = t & ~31u; o < (t & ~31u) + 32; o++)
#define EACH(F) EVERY F(&S[t], in, t);
/*
 * Computes a new value of TO for every thread, and then assigns all of them, so that every
 * computation uses the old states.
 */
#define TOGETHER(T, TO, ...)                                                                       \
    {                                                                                              \
        T value_[THREADS];                                                                         \
        EVERY                                                                                      \
        {                                                                                          \
            T r = 0;                                                                               \
            __VA_ARGS__                                                                            \
            value_[t] = r;                                                                         \
        }                                                                                          \
        EVERY TO = value_[t];                                                                      \
    }
/* Stores every thread's value of FROM in the array NAME. */
#define VALUES(T, NAME, FROM)                                                                      \
    T NAME[THREADS];                                                                               \
    EVERY NAME[t] = FROM;

HD u32 source_xor(u32 t, u32 by, u32 width)
{
    u32 lane = t & 31, to = lane ^ (by & 31), last = (lane & ~(width - 1)) | (width - 1);
    return to <= last ? (t & ~31u) + to : t;
}

HD u32 source_up(u32 t, u32 by, u32 width)
{
    u32 lane = t & 31, first = lane & ~(width - 1);
    by &= 31;
    return lane >= first + by ? t - by : t;
}

HD u32 source_down(u32 t, u32 by, u32 width)
{
    u32 lane = t & 31, last = lane | (width - 1);
    by &= 31;
    return lane + by <= last ? t + by : t;
}

HD u32 source(u32 t, u32 by, u32 width)
{
    return (t & ~(width - 1)) + (by & (width - 1));
}

#define SHUFFLE(HOW, T, TO, FROM, BY, WIDTH)                                                       \
    {                                                                                              \
        VALUES(T, v, FROM) TOGETHER(T, TO, r = v[source##HOW(t, (u32)(BY), WIDTH)];)               \
    }
#define SHUFFLE_PART(T, CONDITION, TO, FROM, BY)                                                   \
    {                                                                                              \
        VALUES(u32, c, (CONDITION) != 0)                                                           \
        VALUES(T, v, FROM)                                                                         \
        TOGETHER(T, TO, u32 m = 0; OTHERS m |= (u32)(c[o] == c[t]) << (o & 31);                    \
                 r = v[(t & ~31u) + nth_lane(m, (BY) + (c[t] ? 0 : 3))];)                          \
    }
#define BALLOT(TO, CONDITION)                                                                      \
    {                                                                                              \
        VALUES(u32, c, (CONDITION) != 0)                                                           \
        TOGETHER(u32, TO, OTHERS r |= c[o] << (o & 31);)                                           \
    }
#define ANY_ALL(TO, CONDITION)                                                                     \
    {                                                                                              \
        VALUES(u32, c, (CONDITION) != 0)                                                           \
        TOGETHER(u32, TO, u32 n = 0; OTHERS n += c[o]; r = (n > 0) + 2 * (n == 32);)               \
    }
#define MATCH_ANY(TO, FROM)                                                                        \
    {                                                                                              \
        VALUES(u64, v, (u64)(FROM))                                                                \
        TOGETHER(u32, TO, OTHERS r |= (u32)(v[o] == v[t]) << (o & 31);)                            \
    }
#define MATCH_ALL(TO, FROM)                                                                        \
    {                                                                                              \
        VALUES(u64, v, (u64)(FROM))                                                                \
        TOGETHER(u32, TO, u32 n = 0; OTHERS n += v[o] == v[t]; r = n == 32 ? ~0u + 8 : 0;)         \
    }
#define HOW_add(a, b) ((a) + (b))
#define HOW_min(a, b) ((a) < (b) ? (a) : (b))
#define HOW_max(a, b) ((a) > (b) ? (a) : (b))
#define HOW_and(a, b) ((a) & (b))
#define HOW_or(a, b) ((a) | (b))
#define HOW_xor(a, b) ((a) ^ (b))
/* In every lane, reduces FROM over the lanes of the warp that have the same KEY as this lane. */
#define REDUCE_KEYS(HOW, T, KEY, TO, FROM, RESULT)                                                 \
    {                                                                                              \
        VALUES(u32, k, KEY)                                                                        \
        VALUES(T, v, FROM)                                                                         \
        TOGETHER(                                                                                  \
            T, TO, bool any = false; OTHERS if (k[o] == k[t]) {                                    \
                r = any ? (T)HOW_##HOW(r, v[o]) : v[o];                                            \
                any = true;                                                                        \
            } RESULT;)                                                                             \
    }
#define REDUCE(HOW, T, TO, FROM) REDUCE_KEYS(HOW, T, 0, TO, FROM, )
#define REDUCE_PART(HOW, T, CONDITION, TO, FROM)                                                   \
    REDUCE_KEYS(HOW, T, (CONDITION) != 0, TO, FROM, r = k[t] ? r : ~r)
#define REDUCE_BY_KEY(HOW, T, KEY, TO, FROM) REDUCE_KEYS(HOW, T, KEY, TO, FROM, )
#define COUNT_BLOCK(TO, CONDITION)                                                                 \
    {                                                                                              \
        VALUES(u32, c, (CONDITION) != 0)                                                           \
        u32 n = 0;                                                                                 \
        EVERY n += c[t];                                                                           \
        EVERY TO = n * 4 + (n == THREADS) * 2 + (n > 0);                                           \
    }
#define EXCHANGE(T, TO, FROM, INDEX)                                                               \
    {                                                                                              \
        VALUES(T, v, FROM) TOGETHER(T, TO, r = v[(INDEX) % THREADS];)                              \
    }
#define HOW_Add HOW_add
#define HOW_Min HOW_min
#define HOW_Max HOW_max
#define HOW_And HOW_and
#define HOW_Or HOW_or
#define HOW_Xor HOW_xor
#define GATHER(HOW, T, TO, FROM, INDEX)                                                            \
    {                                                                                              \
        VALUES(T, v, (T)(t * 3))                                                                   \
        EVERY                                                                                      \
        {                                                                                          \
            T *at = &v[(INDEX) % THREADS];                                                         \
            *at = (T)HOW_##HOW(*at, FROM);                                                         \
        }                                                                                          \
        EVERY TO = v[t];                                                                           \
    }
