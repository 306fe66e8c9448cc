/*
 * Sums without any error: floats become integers, which can be added in any order.
 *
 * A tile is taken apart into windows. A window is WINDOW bits wide and ends at 2^k, the same k for
 * the whole block: adding the constant 1.5 * 2^(k + SIGNIFICAND - 1) rounds an element to a multiple
 * of 2^k, whose number is then in the low bits of the sum's representation. Such numbers are added
 * as integers. What the rounding left is again a float, exactly (ExtractScalar of Rump, Ogita and
 * Oishi, Accurate Floating-Point Summation, SIAM J. Sci. Comput. 31(1), 2008), for the next window.
 * The first window begins at the largest exponent of what a warp has read; there are FIRST_WINDOWS
 * always, whose sums stay in registers as long as the exponent hardly changes, and more where elements
 * still have a rest after them.
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
    WINDOW = 48,    /* 2^13 elements of a tile fit 63 bits */
    FIRST_WINDOWS = 2
};
#else
typedef int exact_int;
enum {
    SIGNIFICAND = 24,
    EXPONENT_MOST = 127,
    LOWEST = -149,
    WINDOW = 20, /* 2^10 elements of a warp fit 31 bits */
#if defined(TYPE_FLOAT32)
    FIRST_WINDOWS = 3
#else
    FIRST_WINDOWS = 2 /* elements of 8 or 11 bits */
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
 * left. |x| < 2^(k + WINDOW). The constant must be finite, so large elements are scaled inside the
 * multiplication, which is exact.
 */
template <int COUNT>
static __device__ __forceinline__ exact_int window_take(value_t (&x)[COUNT], int k)
{
    const int scaled = k > EXPONENT_MOST - SIGNIFICAND - 1 ? 8 : 0;
    const value_t scale = power_of_two(-scaled), back = -power_of_two(scaled);
    const value_t shifter = power_of_two(k - scaled + SIGNIFICAND - 1) * (value_t)1.5;
    exact_int sum = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        value_t shifted = multiply_add(x[i], scale, shifter);
        sum += bits_of(shifted) - bits_of(shifter);
        x[i] = multiply_add(shifted - shifter, back, x[i]);
    }
    return sum;
}

template <int COUNT>
static __device__ __forceinline__ bool any_left(const value_t (&x)[COUNT])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        any = any || x[i] != (value_t)0;
    return any;
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

/* A sum of `lanes` lanes, a power of two, in all of them. */
template <class INTEGER>
static __device__ __forceinline__ INTEGER warp_sum(INTEGER x, int lanes = 32)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        if (d < lanes)
            x += __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

#if __CUDA_ARCH__ >= 800
static __device__ __forceinline__ int warp_sum(int x)
{
    return __reduce_add_sync(0xffffffffu, x);
}
#endif

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

/*
 * Rounds the number in digits[DIGITS], which is overwritten, once. Only digits from `low` to `top` are
 * not zero. One thread's work.
 */
static __device__ __forceinline__ value_t number_round(long long *digits, int low, int top)
{
    top = top + 2 < DIGITS ? top + 2 : DIGITS - 1; /* a carry may reach so far, and a sign */
    long long carry = 0;
    for (int d = low; d <= top; d++) {
        long long t = digits[d] + carry;
        digits[d] = t & 0xffffffff;
        carry = t >> 32;
    }
    const bool minus = carry < 0;
    carry = 1;
    for (int d = low; minus && d <= top; d++) {
        long long t = (digits[d] ^ 0xffffffff) + carry;
        digits[d] = t & 0xffffffff;
        carry = t >> 32;
    }
    while (top > low && digits[top] == 0)
        top--;
    if (digits[top] == 0)
        return 0;
    /* The highest 64 bits from the leading one on, and whether anything is below them. */
    digit head = (digit)digits[top] << 32 | (digit)(top > 0 ? digits[top - 1] : 0);
    digit next = top > 1 ? (digit)digits[top - 2] : 0;
    const int zeros = __clzll((long long)head);
    bool below = (next << zeros & 0xffffffff) != 0;
    head = head << zeros | next << zeros >> 32;
    for (int d = low; d < top - 2; d++)
        below = below || digits[d] != 0;
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

/* The same by a warp, whose lanes hold digits lane, lane + 32 …; `room` is shared. In lane 0. */
enum { LANE_DIGITS = (DIGITS + 31) / 32 };
static __device__ __forceinline__ value_t warp_round(const digit (&mine)[LANE_DIGITS],
                                                     long long *room)
{
    int low = DIGITS, top = 0;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        const unsigned used = __ballot_sync(0xffffffffu, mine[i] != 0);
        if (used && low == DIGITS)
            low = 32 * i + __ffs((int)used) - 1;
        if (used)
            top = 32 * i + 31 - __clz((int)used);
        if (32 * i + threadIdx.x % 32 < DIGITS)
            room[32 * i + threadIdx.x % 32] = (long long)mine[i];
    }
    __syncwarp();
    return threadIdx.x % 32 == 0 && low < DIGITS ? number_round(room, low, top) : (value_t)0;
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
    exact_int windows[FIRST_WINDOWS];
    int k; /* of the first of them; NOTHING_YET */
    unsigned special; /* this thread's */
    bool other;       /* something is not -0; this thread's, or the warp's */
};

enum {
    NOTHING_YET = -(1 << 20),
    SLACK = 6, /* exponents that windows may begin above the largest element */
    MOST_GATHERED = SIGNIFICAND == 53 ? 256 : 1024 /* elements of a thread, lest sums overflow */
};

static __device__ __forceinline__ gathered gather_begin()
{
    gathered g;
#pragma unroll
    for (int i = 0; i < FIRST_WINDOWS; i++)
        g.windows[i] = 0;
    g.k = NOTHING_YET;
    g.special = 0;
    g.other = false;
    return g;
}

/* Adds a thread's sums of multiples of 2^k over the warp, to the warp's own digits. */
static __device__ __forceinline__ void digits_add(long long *digits, exact_int sum, int k)
{
    const placed p = place(warp_sum((long long)sum), k);
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
    for (int i = 0; i < FIRST_WINDOWS; i++) {
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
    for (int i = 0; i < FIRST_WINDOWS; i++)
        g->windows[i] += window_take(x, window_at(g->k - WINDOW * i));
    k = g->k - WINDOW * FIRST_WINDOWS;
#pragma unroll 1
    for (; __any_sync(0xffffffffu, any_left(x)); k -= WINDOW)
        digits_add(digits, window_take(x, window_at(k)), window_at(k));
}

#endif
