/*
 * Sums without any error: floats become integers, which can be added in any order.
 *
 * A tile is taken apart into windows. A window is WINDOW bits wide and ends at 2^k, the same k for
 * the whole warp: adding an element to the constant 1.5 * 2^(k + SIGNIFICAND - 1) rounds it to a multiple
 * of 2^k, and so does adding further ones to that sum, as long as it stays between two powers of two, which
 * a few elements of less than 2^(k + WINDOW) cannot leave. The number of these multiples is in the low bits of
 * the sum's representation. What the rounding left of an element is again a float, exactly, for the next
 * window (Rump, Ogita and Oishi, Accurate Floating-Point Summation, SIAM J. Sci. Comput. 31(1), 2008; with a
 * running sum: Ahrens, Demmel and Nguyen, Algorithms for Efficient Reproducible Floating Point Summation, ACM
 * Trans. Math. Softw. 46(3), 2020). So a window takes three operations per element.
 *
 * The first window begins at the largest exponent of what a warp has read. ALWAYS windows are taken from every tile;
 * more follow where elements still have a rest. The sums of the first MOST_WINDOWS stay in registers as long as
 * the exponent hardly changes.
 *
 * A window's total goes to a fixed-point number that covers all exponents of the type: DIGITS digits
 * of 32 bits, each in 64 bits, so that 2^31 numbers can be added before a carry. At the end carries
 * are resolved once, and the number is rounded once, to nearest, ties to even.
 *
 * A NaN, or infinities of both signs, make the sum NaN, infinities of one sign that infinity. A sum
 * that is exactly 0 is +0, unless all elements are -0.
 */
#ifndef REDSWEEP_KERNELS_EXACT_CUH
#define REDSWEEP_KERNELS_EXACT_CUH

#include "operation.cuh"
#include "pack.cuh"

#if defined(TYPE_FLOAT64)
typedef long long exact_int;
enum {
    SIGNIFICAND = 53,
    EXPONENT_MOST = 1023,
    LOWEST = -1074, /* of any bit of an element */
    WINDOW = 48,    /* 8 elements change a sum of 2^52 to 2^53 by less than a quarter of it */
    ALWAYS = 2,
    MOST_WINDOWS = 3
};
#else
typedef int exact_int;
enum {
    SIGNIFICAND = 24,
    EXPONENT_MOST = 127,
    LOWEST = -149,
    WINDOW = 18, /* the same of 8 elements, or 16 */
#if defined(TYPE_FLOAT32)
    ALWAYS = 2,
    MOST_WINDOWS = 5
#else
    ALWAYS = 1, /* elements of 8 or 11 bits */
    MOST_WINDOWS = 4
#endif
};
#endif

enum {
    DIGIT_0 = -(-LOWEST + 31) / 32 * 32, /* exponent of the lowest digit's lowest bit */
    DIGITS = (EXPONENT_MOST + 1 + 41 - DIGIT_0 + 31) / 32 + 2 /* of 2^41 elements, and a sign */
};

/* Bits of `special`. */
enum { HAS_NAN = 1, HAS_PLUS_INF = 2, HAS_MINUS_INF = 4 };

typedef unsigned long long digit;

/* ---- Windows --------------------------------------------------------------------------------- */

#if defined(TYPE_FLOAT64)
static __device__ __forceinline__ exact_int bits_of(double x)
{
    return __double_as_longlong(x);
}
/* 2^exponent, of a normal number */
static __device__ __forceinline__ double power_of_two(int exponent)
{
    return __longlong_as_double((long long)(exponent + 1023) << 52);
}
static __device__ __forceinline__ double multiply_add(double x, double y, double z)
{
    return __fma_rn(x, y, z);
}
/* Orders magnitudes by their exponents; 0 for zeros alone. */
static __device__ __forceinline__ unsigned magnitude_key(double x)
{
    unsigned high = (unsigned)__double2hiint(x) & 0x7fffffffu;
    return high > 0 ? high : __double2loint(x) != 0;
}
enum { KEY_SHIFT = 20, KEY_SPECIAL = 0x7ff00000 };
static const exact_int SIGN_BIT = (exact_int)1 << 63;
#else
static __device__ __forceinline__ exact_int bits_of(float x)
{
    return __float_as_int(x);
}
static __device__ __forceinline__ float power_of_two(int exponent)
{
    return __int_as_float((exponent + 127) << 23);
}
static __device__ __forceinline__ float multiply_add(float x, float y, float z)
{
    return __fmaf_rn(x, y, z);
}
static __device__ __forceinline__ unsigned magnitude_key(float x)
{
    return (unsigned)__float_as_int(x) & 0x7fffffffu;
}
enum { KEY_SHIFT = 23, KEY_SPECIAL = 0x7f800000 };
static const exact_int SIGN_BIT = (exact_int)(1u << 31);
#endif

static __device__ __forceinline__ bool sign_of(value_t x)
{
    return bits_of(x) < 0;
}

/* The exponent of the largest element, by the largest key of a tile, at least that of subnormals. */
static __device__ __forceinline__ int exponent_of(unsigned key)
{
    int field = (int)(key >> KEY_SHIFT);
    return (field > 0 ? field : 1) - EXPONENT_MOST;
}

/*
 * One window of a thread's elements: their multiples of 2^k, added up; the elements become what is
 * left. |x| < 2^(k + WINDOW), at most 32 elements, in sums that do not wait for each other. The constant must be
 * finite, so large elements are scaled inside the multiplication, which is exact.
 */
template <int COUNT>
static __device__ __forceinline__ exact_int window_take(value_t (&x)[COUNT], int k)
{
    enum { CHAINS = COUNT < 4 ? COUNT : 4 };
    const int scaled = k > EXPONENT_MOST - SIGNIFICAND - 1 ? 8 : 0;
    const value_t scale = power_of_two(-scaled), back = -power_of_two(scaled);
    const value_t shifter = power_of_two(k - scaled + SIGNIFICAND - 1) * (value_t)1.5;
    value_t sums[CHAINS];
    exact_int total = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sums[i] = shifter;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const value_t before = sums[i % CHAINS];
        sums[i % CHAINS] = multiply_add(x[i], scale, before);
        x[i] = multiply_add(sums[i % CHAINS] - before, back, x[i]);
    }
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        total += bits_of(sums[i]) - bits_of(shifter);
    return total;
}

template <int COUNT>
static __device__ __forceinline__ bool any_left(const value_t (&x)[COUNT])
{
    exact_int any = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        any |= bits_of(x[i]);
    return (any & ~SIGN_BIT) != 0;
}

template <int COUNT>
static __device__ __forceinline__ unsigned largest_key(const value_t (&x)[COUNT])
{
    unsigned key = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        unsigned mine = magnitude_key(x[i]);
        key = mine > key ? mine : key;
    }
    return key;
}

template <int COUNT>
static __device__ __forceinline__ unsigned special_of(const value_t (&x)[COUNT])
{
    unsigned special = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (magnitude_key(x[i]) >= KEY_SPECIAL)
            special |= x[i] != x[i] ? HAS_NAN : x[i] > 0 ? HAS_PLUS_INF : HAS_MINUS_INF;
    return special;
}

/* ---- Reductions of a warp -------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned warp_or(unsigned x)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        x |= __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

static __device__ __forceinline__ unsigned warp_max(unsigned x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffu, x);
#else
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        unsigned other = __shfl_xor_sync(0xffffffffu, x, d);
        x = other > x ? other : x;
    }
    return x;
#endif
}

/* The sum of a warp's numbers, in all lanes. */
static __device__ __forceinline__ long long warp_sum(long long x)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

/* The same of numbers of 32 bits, whose halves add up without an overflow. */
static __device__ __forceinline__ long long warp_sum(int x)
{
#if __CUDA_ARCH__ >= 800
    const int high = __reduce_add_sync(0xffffffffu, x >> 16);
    return (long long)high * 65536 + __reduce_add_sync(0xffffffffu, (unsigned)x & 0xffff);
#else
    return warp_sum((long long)x);
#endif
}

/* ---- The number ------------------------------------------------------------------------------ */

/* Three digits of value * 2^k, and where the lowest one is. */
struct placed {
    int at;
    digit d[3];
};

static __device__ __forceinline__ placed place(long long value, int k)
{
    unsigned position = (unsigned)(k - DIGIT_0), shift = position % 32;
    digit low = (digit)value << shift;
    long long high = shift ? value >> (64 - shift) : value >> 63;
    placed p;
    p.at = (int)(position / 32);
    p.d[0] = low & 0xffffffffu;
    p.d[1] = low >> 32;
    p.d[2] = (digit)high; /* it has the sign */
    return p;
}

/* A number: lane l has digits l, l + 32 … */
enum { LANE_DIGITS = (DIGITS + 31) / 32, LAST_DIGIT = DIGITS - 1 };
typedef long long lane_digits[LANE_DIGITS];

/*
 * Carries: afterwards each digit has 32 bits and no sign, except the last, which has the number's. For a warp.
 * Three rounds or so; a carry through all digits takes as many.
 */
static __device__ __forceinline__ void digits_resolve(lane_digits &mine)
{
    const unsigned lane = threadIdx.x % 32;
    bool any;
#pragma unroll 1
    do {
        long long from_below = 0;
        any = false;
#pragma unroll
        for (int i = 0; i < LANE_DIGITS; i++) {
            const long long carry = lane + 32 * i == LAST_DIGIT ? 0 : mine[i] >> 32;
            const long long neighbour = __shfl_up_sync(0xffffffffu, carry, 1);
            mine[i] -= carry << 32;
            mine[i] += lane ? neighbour : from_below;
            from_below = __shfl_sync(0xffffffffu, carry, 31);
            any = any || carry != 0;
        }
    } while (__any_sync(0xffffffffu, any));
}

/* Digit d of a resolved number, in all lanes; 0 below the first. */
static __device__ __forceinline__ unsigned digit_at(const lane_digits &mine, int d)
{
    unsigned found = 0;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        const unsigned here = __shfl_sync(0xffffffffu, (unsigned)mine[i], d & 31);
        found = d >= 0 && d / 32 == i ? here : found;
    }
    return found;
}

static __device__ __forceinline__ bool is_negative(const lane_digits &mine)
{
    return __shfl_sync(0xffffffffu, mine[LAST_DIGIT / 32], LAST_DIGIT % 32) < 0;
}

/* The highest digit that is not `unlike`, or -1; whether any digit below `below` is not 0. */
static __device__ __forceinline__ int highest_unlike(const lane_digits &mine, unsigned unlike)
{
    int highest = -1;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        const bool is = threadIdx.x % 32 + 32 * i < DIGITS && (unsigned)mine[i] != unlike;
        const unsigned lanes = __ballot_sync(0xffffffffu, is);
        highest = lanes ? 32 * i + 31 - __clz((int)lanes) : highest;
    }
    return highest;
}

static __device__ __forceinline__ bool any_below(const lane_digits &mine, int below)
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        any = any || ((int)(threadIdx.x % 32) + 32 * i < below && (unsigned)mine[i] != 0);
    return __any_sync(0xffffffffu, any);
}

/* The number rounded, once, in all lanes of a warp. */
static __device__ __forceinline__ value_t digits_round(lane_digits &mine)
{
    digits_resolve(mine);
    const bool minus = is_negative(mine);
    if (minus) { /* the same for the warp */
#pragma unroll
        for (int i = 0; i < LANE_DIGITS; i++)
            mine[i] = -mine[i];
        digits_resolve(mine);
    }
    const int top = highest_unlike(mine, 0);
    if (top < 0)
        return 0;
    /* The highest 64 bits from the leading one on, and whether anything is below them. */
    digit head = (digit)digit_at(mine, top) << 32 | digit_at(mine, top - 1);
    const digit next = digit_at(mine, top - 2);
    const int zeros = __clzll((long long)head);
    const bool below = any_below(mine, top - 2) || (next << zeros & 0xffffffff) != 0;
    head = head << zeros | next << zeros >> 32;
    head |= below; /* as a sticky bit: the conversion rounds to nearest */
#if defined(TYPE_FLOAT64)
    const double leading = __ull2double_rn(head);
#else
    const float leading = __ull2float_rn(head);
#endif
    /* A subnormal result has no bits to round: all elements are multiples of the lowest one. */
    const int unit = DIGIT_0 + 32 * top - 32 - zeros, part = unit / 2;
    const value_t value = leading * power_of_two(part) * power_of_two(unit - part);
    return minus ? -value : value;
}

static __device__ __forceinline__ value_t special_value(unsigned special)
{
    if (special & HAS_NAN || (special & HAS_PLUS_INF && special & HAS_MINUS_INF))
        return (value_t)__int_as_float(0x7fffffff);
    return (value_t)(special & HAS_PLUS_INF ? __int_as_float(0x7f800000)
                                            : __int_as_float(0xff800000));
}

/* ---- What a warp has read -------------------------------------------------------------------- */

/* Sums of the first windows, per thread, and what else matters of the elements so far. */
struct gathered {
    exact_int windows[MOST_WINDOWS];
    int k; /* of the first of them; NOTHING_YET */
    unsigned special; /* this thread's */
    bool other;       /* something is not -0; this thread's, or the warp's */
};

enum {
    NOTHING_YET = -(1 << 20),
    SLACK = 6, /* exponents that windows may begin above the largest element */
    MOST_GATHERED = SIGNIFICAND == 53 ? 512 : 4096 /* elements of a thread, lest sums overflow */
};

static __device__ __forceinline__ gathered gather_begin()
{
    gathered g;
#pragma unroll
    for (int i = 0; i < MOST_WINDOWS; i++)
        g.windows[i] = 0;
    g.k = NOTHING_YET;
    g.special = 0;
    g.other = false;
    return g;
}

/* Adds a thread's sums of multiples of 2^k over the warp, to the warp's own digits. */
static __device__ __forceinline__ void digits_add(long long *digits, exact_int sum, int k)
{
    const long long total = warp_sum(sum);
    if (total == 0) /* the same for the warp */
        return;
    const placed p = place(total, k);
    const unsigned lane = threadIdx.x % 32;
    if (lane < 3)
        digits[p.at + lane] += (long long)(lane == 0 ? p.d[0] : lane == 1 ? p.d[1] : p.d[2]);
    __syncwarp();
}

static __device__ __forceinline__ int window_at(int k)
{
    return k > LOWEST ? k : LOWEST;
}

/* All that is still in registers to the digits. */
static __device__ __forceinline__ void gather_flush(gathered *g, long long *digits)
{
    if (g->k == NOTHING_YET)
        return;
#pragma unroll
    for (int i = 0; i < MOST_WINDOWS; i++) {
        digits_add(digits, g->windows[i], window_at(g->k - WINDOW * i));
        g->windows[i] = 0;
    }
}

/* Takes a warp's elements; `digits` are the warp's own, in shared memory. */
template <int COUNT>
static __device__ __forceinline__ void gather(gathered *g, long long *digits, value_t (&x)[COUNT])
{
    const unsigned key = warp_max(largest_key(x));
    if (__builtin_expect(key >= KEY_SPECIAL || key == 0, 0)) {
        g->special |= key ? special_of(x) : 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            g->other = g->other || !sign_of(x[i]) || key;
        return;
    }
    g->other = true;
    int k = exponent_of(key) + 1 - WINDOW;
    if (k > g->k || k < g->k - SLACK) {
        gather_flush(g, digits);
        g->k = k;
    }
#pragma unroll
    for (int i = 0; i < MOST_WINDOWS; i++) {
        if (i >= ALWAYS && !__any_sync(0xffffffffu, any_left(x)))
            return;
        g->windows[i] += window_take(x, window_at(g->k - WINDOW * i));
    }
    k = g->k - WINDOW * MOST_WINDOWS;
#pragma unroll 1
    for (; __any_sync(0xffffffffu, any_left(x)); k -= WINDOW)
        digits_add(digits, window_take(x, window_at(k)), window_at(k));
}

#endif
