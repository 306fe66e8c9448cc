/*
 * Exact numbers of a warp: long integers times a power of two, and, where exponents lie too far apart, digits of a
 * fixed-point number that covers all exponents of the type; how both are added and rounded. exact.cuh makes
 * them of elements.
 */
#ifndef REDSWEEP_KERNELS_NUMBERS_CUH
#define REDSWEEP_KERNELS_NUMBERS_CUH

#include "operation.cuh"

/*
 * SCALE: an element x is the double x * 2^-SCALE here, whose upper word is made of the bits of a half type by a
 * shift. VALUE_WORDS: of a `wide`, which has SPAN bits of an element, 41 of a count, a sign, and room for ALIGN_MOST.
 */
#if defined(TYPE_FLOAT64)
enum { SIGNIFICAND = 53, EXPONENT_MOST = 1023, LOWEST = -1074, KEY_SHIFT = 20, SCALE = 0 };
enum { PARTS = 3, VALUE_WORDS = 6, ALIGN_MOST = 8 };
#elif defined(TYPE_FLOAT32)
enum { SIGNIFICAND = 24, EXPONENT_MOST = 127, LOWEST = -149, KEY_SHIFT = 23, SCALE = 0 };
enum { PARTS = 2, VALUE_WORDS = 5, ALIGN_MOST = 16 };
#elif defined(TYPE_BFLOAT16)
enum { SIGNIFICAND = 8, EXPONENT_MOST = 127, LOWEST = -133, KEY_SHIFT = 7, SCALE = 1023 - 127 };
enum { PARTS = 2, VALUE_WORDS = 5, ALIGN_MOST = 16 };
#else
enum { SIGNIFICAND = 11, EXPONENT_MOST = 15, LOWEST = -24, KEY_SHIFT = 10, SCALE = 1023 - 15 };
enum { PARTS = 1, VALUE_WORDS = 3, ALIGN_MOST = 8 };
#endif
enum {
    KEY_SPECIAL = (2 * EXPONENT_MOST + 1) << KEY_SHIFT,
    GAP = 48, /* bits from one part to the next */
    /* 32 elements of 46 bits change a sum of 2^52 to 2^53 by half of it at most */
    SPAN = GAP * (PARTS - 1) + 46,
    UNITS = 8, /* units differ by multiples of it, so that most warps have the same */
    NO_UNIT = 1 << 14,
    MOST_TILES = 1024,                   /* that a part takes, lest it overflows */
    DIGIT_0 = -(-LOWEST + 31) / 32 * 32, /* exponent of the lowest digit's lowest bit */
    DIGITS = (EXPONENT_MOST + 1 + 41 - DIGIT_0 + 31) / 32 + 2 /* of 2^41 elements, and a sign */
};

/* What else a warp has seen, and whether its number is not all: there are digits, too. */
enum { HAS_NAN = 1, HAS_PLUS_INF = 2, HAS_MINUS_INF = 4, HAS_OTHER = 8, HAS_DIGITS = 16 };
enum { HAS_SPECIAL = HAS_NAN | HAS_PLUS_INF | HAS_MINUS_INF };

typedef unsigned long long digit;

/* ---- Reductions of a warp -------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned warp_or(unsigned x)
{
    return __reduce_or_sync(0xffffffffu, x);
}

static __device__ __forceinline__ unsigned warp_max(unsigned x)
{
    return __reduce_max_sync(0xffffffffu, x);
}

static __device__ __forceinline__ unsigned warp_min(unsigned x)
{
    return __reduce_min_sync(0xffffffffu, x);
}

/* ---- Integers of several words --------------------------------------------------------------- */

/* A signed integer, lowest word first. */
struct wide {
    unsigned words[VALUE_WORDS];
};

/* Pieces have 24 bits, so that a warp can add its in 32; the highest one has the sign. */
enum { PIECE = 24, WIDE_PIECES = (32 * VALUE_WORDS + PIECE - 1) / PIECE };

/* Sums of pieces, those but the highest without a sign, as one integer. */
template <int PIECES> static __device__ __forceinline__ wide wide_of(const unsigned (&sums)[PIECES])
{
    wide x;
    unsigned long long carry = 0;
    const unsigned sign = (unsigned)((int)sums[PIECES - 1] >> 31);
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++) {
        unsigned addends[2] = {0, 0}; /* neighbours overlap, every second piece does not */
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            const int at = PIECE * i - 32 * w;
            if (at >= 0 && at < 32)
                addends[i % 2] |= sums[i] << at;
            else if (at < 0 && at > -32)
                addends[i % 2] |=
                    i == PIECES - 1 ? (unsigned)((int)sums[i] >> -at) : sums[i] >> -at;
            else if (at <= -32 && i == PIECES - 1)
                addends[i % 2] |= sign;
        }
        carry += (unsigned long long)addends[0] + addends[1];
        x.words[w] = (unsigned)carry;
        carry >>= 32;
    }
    return x;
}

static __device__ __forceinline__ unsigned wide_piece(const wide &x, int i)
{
    const int at = PIECE * i, w = at / 32, shift = at % 32;
    if (i == WIDE_PIECES - 1)
        return (unsigned)((int)x.words[VALUE_WORDS - 1] >> shift);
    const unsigned above = w + 1 < VALUE_WORDS ? x.words[w + 1] : 0;
    return __funnelshift_r(x.words[w], above, shift) & ((1u << PIECE) - 1);
}

/* The sum over a warp, in all lanes. */
static __device__ __forceinline__ wide warp_sum(const wide &x)
{
    unsigned sums[WIDE_PIECES];
#pragma unroll
    for (int i = 0; i < WIDE_PIECES; i++)
        sums[i] = __reduce_add_sync(0xffffffffu, wide_piece(x, i));
    return wide_of(sums);
}

static __device__ __forceinline__ wide wide_zero()
{
    wide x;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++)
        x.words[w] = 0;
    return x;
}

static __device__ __forceinline__ wide wide_add(const wide &a, const wide &b)
{
    wide sum;
    unsigned long long carry = 0;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++) {
        carry += (unsigned long long)a.words[w] + b.words[w];
        sum.words[w] = (unsigned)carry;
        carry >>= 32;
    }
    return sum;
}

/* x * 2^shift, shift < 32 */
static __device__ __forceinline__ wide wide_shift(wide x, unsigned shift)
{
#pragma unroll
    for (int w = VALUE_WORDS - 1; w > 0; w--)
        x.words[w] = __funnelshift_l(x.words[w - 1], x.words[w], shift);
    x.words[0] <<= shift;
    return x;
}

/* |x|, and whether x is negative. */
static __device__ __forceinline__ bool wide_magnitude(wide *x)
{
    const bool minus = (int)x->words[VALUE_WORDS - 1] < 0;
    const unsigned flip = minus ? ~0u : 0;
    unsigned long long carry = minus;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++) {
        carry += x->words[w] ^ flip;
        x->words[w] = (unsigned)carry;
        carry >>= 32;
    }
    return minus;
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* 2^exponent, of a normal number */
static __device__ __forceinline__ double power_of_two(int exponent)
{
    return __hiloint2double((exponent + 1023) << 20, 0);
}

static __device__ __forceinline__ value_t value_power(int exponent)
{
#if defined(TYPE_FLOAT64)
    return power_of_two(exponent);
#else
    return __int_as_float((exponent + 127) << 23);
#endif
}

/*
 * (head * 2^32 + next) * 2^unit, rounded, where `below` says that there is more below, and head's upper word
 * is not 0. A subnormal result has no bits to round: all elements are multiples of the lowest one.
 */
static __device__ __forceinline__ value_t round_once(digit head, unsigned next, bool below,
                                                     int unit)
{
    const int zeros = __clzll((long long)head);
    const digit both = (digit)next << zeros;
    head = head << zeros | both >> 32;
    head |= below || (unsigned)both != 0; /* as a sticky bit: the conversion rounds to nearest */
#if defined(TYPE_FLOAT64)
    const double leading = __ull2double_rn(head);
#else
    const float leading = __ull2float_rn(head);
#endif
    const int exponent = unit + 32 - zeros;
    int part = exponent / 2;
    return leading * value_power(part) * value_power(exponent - part);
}

/* x * 2^unit, rounded. */
static __device__ __forceinline__ value_t wide_round(wide x, int unit)
{
    const bool minus = wide_magnitude(&x);
    unsigned high = 0, middle = 0, low = 0;
    int top = -1;
    bool below = false, deeper = false;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++) { /* the highest three from the leading one on */
        const bool leads = x.words[w] != 0;
        deeper = deeper || (w > 2 && x.words[w > 2 ? w - 3 : 0] != 0);
        high = leads ? x.words[w] : high;
        middle = leads ? (w > 0 ? x.words[w > 0 ? w - 1 : 0] : 0) : middle;
        low = leads ? (w > 1 ? x.words[w > 1 ? w - 2 : 0] : 0) : low;
        below = leads ? deeper : below;
        top = leads ? w : top;
    }
    if (top < 0)
        return 0;
    const value_t value = round_once((digit)high << 32 | middle, low, below, unit + 32 * top - 64);
    return minus ? -value : value;
}

static __device__ __forceinline__ value_t special_value(unsigned about)
{
    if (about & HAS_NAN || (about & HAS_PLUS_INF && about & HAS_MINUS_INF))
        return (value_t)__int_as_float(0x7fffffff);
    return (value_t)(about & HAS_PLUS_INF ? __int_as_float(0x7f800000)
                                          : __int_as_float(0xff800000));
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* value * 2^unit. high: the highest unit that an addend had; NO_UNIT: there is none, and value is 0. */
struct number {
    wide value;
    int unit, high;
};

static __device__ __forceinline__ number number_none()
{
    number x;
    x.value = wide_zero();
    x.unit = NO_UNIT;
    x.high = -NO_UNIT;
    return x;
}

/* ---- Digits ---------------------------------------------------------------------------------- */

/* A number: lane l has digits l, l + 32 … */
enum { LANE_DIGITS = (DIGITS + 31) / 32, LAST_DIGIT = DIGITS - 1 };
typedef long long lane_digits[LANE_DIGITS];

/* Adds one thread's number. The highest digit has the sign. */
static __device__ __noinline__ void number_to_digits(long long *digits, number x)
{
    if (x.unit == NO_UNIT)
        return;
    const unsigned position = (unsigned)(x.unit - DIGIT_0), shift = position % 32;
    unsigned below = 0;
    bool last = false;
#pragma unroll 1
    for (int w = 0; !last; w++) {
        unsigned word = (unsigned)((int)x.value.words[VALUE_WORDS - 1] >> 31);
#pragma unroll
        for (int i = 0; i < VALUE_WORDS; i++)
            word = i == w ? x.value.words[i] : word;
        const unsigned here = __funnelshift_l(below, word, shift), at = position / 32 + w;
        last = w == VALUE_WORDS || at == LAST_DIGIT;
        const long long part = last ? (long long)(int)here : (long long)here;
        if (part)
            atomicAdd((digit *)digits + at, (digit)part);
        below = word;
    }
}

/* Adds a total of multiples of 2^k, the same in all lanes, to the warp's own digits. */
static __device__ __forceinline__ void digits_add(long long *digits, long long total, int k)
{
    const unsigned position = (unsigned)(k - DIGIT_0), shift = position % 32,
                   lane = threadIdx.x % 32;
    const digit low = (digit)total << shift;
    const long long high = shift ? total >> (64 - shift) : total >> 63; /* it has the sign */
    if (lane < 3)
        digits[position / 32 + lane] += lane == 0   ? (long long)(low & 0xffffffffu)
                                        : lane == 1 ? (long long)(low >> 32)
                                                    : high;
    __syncwarp();
}

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

/* The highest digit that is not 0, or -1; whether any digit below `below` is not 0. */
static __device__ __forceinline__ int highest_digit(const lane_digits &mine)
{
    int highest = -1;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        const bool is = threadIdx.x % 32 + 32 * i < DIGITS && (unsigned)mine[i] != 0;
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
    const int top = highest_digit(mine);
    if (top < 0)
        return 0;
    const digit head = (digit)digit_at(mine, top) << 32 | digit_at(mine, top - 1);
    const value_t value = round_once(head, digit_at(mine, top - 2), any_below(mine, top - 2),
                                     DIGIT_0 + 32 * top - 64);
    return minus ? -value : value;
}

/* ---- Sums of numbers ------------------------------------------------------------------------- */

/* Units that are too far apart for a `wide`: their numbers go to digits. */
static __device__ __forceinline__ bool far_apart(int unit, int high)
{
    return high - unit > ALIGN_MOST;
}

/* The sum of the lanes' numbers, in all lanes. */
static __device__ __forceinline__ void lanes_total(number *mine, long long *digits, unsigned *about)
{
    const int unit = __reduce_min_sync(0xffffffffu, mine->unit);
    const int high = __reduce_max_sync(0xffffffffu, mine->high);
    if (far_apart(unit, high)) { /* the same for the warp */
        number_to_digits(digits, *mine);
        __syncwarp();
        *about |= HAS_DIGITS;
        *mine = number_none();
        return;
    }
    const unsigned shift = mine->unit == NO_UNIT ? 0 : (unsigned)(mine->unit - unit);
    mine->value = warp_sum(wide_shift(mine->value, shift));
    mine->unit = unit;
    mine->high = high;
}

/* Adds a number to another one; false, and nothing is changed, where they lie too far apart. */
static __device__ __forceinline__ bool number_join(number *sum, const number &x)
{
    const int unit = sum->unit < x.unit ? sum->unit : x.unit;
    const int high = sum->high > x.high ? sum->high : x.high;
    if (x.unit == NO_UNIT)
        return true;
    if (sum->unit == NO_UNIT) {
        *sum = x;
        return true;
    }
    if (far_apart(unit, high))
        return false;
    sum->value = wide_add(wide_shift(sum->value, (unsigned)(sum->unit - unit)),
                          wide_shift(x.value, (unsigned)(x.unit - unit)));
    sum->unit = unit;
    sum->high = high;
    return true;
}

#endif
