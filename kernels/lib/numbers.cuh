/*
 * Represents exact sums in two forms. A record is an integer times a power of two, split into pieces that many
 * threads can add to. If the elements' exponents are too far apart for a record, the sum is a fixed-point number
 * whose digits cover all of the type's exponents. The functions below add and round both forms; exact.cuh makes
 * them from elements.
 */
#ifndef REDSWEEP_KERNELS_NUMBERS_CUH
#define REDSWEEP_KERNELS_NUMBERS_CUH

#include "operation.cuh"

/*
 * With half types, every second element x becomes the double x * 2^-SCALE. A thread adds its elements up in
 * PARTS integers, GAP bits apart, each of which has room for 2^ADDED elements. A unit is the exponent of the
 * lowest integer's lowest bit. All units are multiples of UNITS, so most warps use the same one. A warp starts
 * with FIRST_UNIT, which fits numbers around 1, and keeps it as long as the elements fit.
 */
#if defined(TYPE_FLOAT64)
enum { SIGNIFICAND = 53, EXPONENT_MOST = 1023, LOWEST = -1074, KEY_SHIFT = 20, SCALE = 0 };
enum { PARTS = 3, GAP = 43, ADDED = 9, FIRST_UNIT = -112 };
#elif defined(TYPE_FLOAT32)
enum { SIGNIFICAND = 24, EXPONENT_MOST = 127, LOWEST = -149, KEY_SHIFT = 23, SCALE = 0 };
enum { PARTS = 2, GAP = 44, ADDED = 8, FIRST_UNIT = -83 };
#elif defined(TYPE_BFLOAT16)
enum { SIGNIFICAND = 8, EXPONENT_MOST = 127, LOWEST = -133, KEY_SHIFT = 7, SCALE = 1023 - 127 };
enum { PARTS = 2, GAP = 42, ADDED = 10, FIRST_UNIT = -75 };
#else
enum { SIGNIFICAND = 11, EXPONENT_MOST = 15, LOWEST = -24, KEY_SHIFT = 10, SCALE = 1023 - 15 };
enum { PARTS = 1, GAP = 41, ADDED = 11, FIRST_UNIT = LOWEST };
#endif
enum {
    KEY_SPECIAL = (2 * EXPONENT_MOST + 1) << KEY_SHIFT,
    /*
     * A sum starts at 1.5 * 2^52 and must stay between 2^52 and 2^53, so it can change by at most 2^51. This
     * also limits the sum of the remainders that one part leaves to the next lower part.
     */
    SPAN = GAP * (PARTS - 1) + 51 - ADDED,
    UNITS = 4,
    NO_UNIT = 1 << 14,
    DIGIT_0 = -(-LOWEST + 31) / 32 * 32, /* the exponent of the lowest digit's lowest bit */
    /* room for 2^41 elements and a sign */
    DIGITS = (EXPONENT_MOST + 1 + 41 - DIGIT_0 + 31) / 32 + 2
};
static_assert(GAP + ADDED <= 52, "what a part leaves must fit the next one");

/*
 * Flags of what a warp or block has seen. HAS_OTHER stands for an element other than -0. HAS_DIGITS means that a
 * part of the sum is in digits rather than in the record.
 */
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

/* ---- Records --------------------------------------------------------------------------------- */

/* A record has two pieces per part, plus one for the bits above. */
enum { PIECES = 2 * PARTS + 1, PIECE = (GAP + 1) / 2, FAR = 8 };

static __device__ __forceinline__ constexpr int piece_bits(int i)
{
    return i % 2 ? GAP - PIECE : PIECE;
}

static __device__ __forceinline__ constexpr int piece_at(int i)
{
    return i / 2 * GAP + i % 2 * PIECE;
}

/*
 * A sum in pieces, lowest first. The highest piece is signed. The lowest bit of the lowest piece stands for
 * 2^unit; with NO_UNIT the sum is 0. Piece i has a place of piece_bits(i) bits. In a warp's record, a piece can
 * be five bits wider than its place, because it is a sum over the lanes. A record is *carried* if no piece is
 * wider than its place.
 */
struct __align__(PIECES % 4 == 3 ? 16 : 8) record {
    unsigned pieces[PIECES];
    short unit;
    unsigned short about;
};

static __device__ __forceinline__ record record_none()
{
    record r = {};
    r.unit = NO_UNIT;
    return r;
}

static __device__ __forceinline__ void record_carry(record *r)
{
#pragma unroll
    for (int i = 0; i + 1 < PIECES; i++) {
        r->pieces[i + 1] += r->pieces[i] >> piece_bits(i);
        r->pieces[i] &= (1u << piece_bits(i)) - 1;
    }
}

/*
 * Passes the carry of each piece to the next piece, but no further. Pieces that had up to 32 bits then exceed
 * their places by at most one bit.
 */
static __device__ __forceinline__ void record_settle(record *r)
{
#pragma unroll
    for (int i = PIECES - 2; i >= 0; i--) {
        r->pieces[i + 1] += r->pieces[i] >> piece_bits(i);
        r->pieces[i] &= (1u << piece_bits(i)) - 1;
    }
}

/*
 * Returns whether a record can be added to records with `unit` without a shift: it has that unit or is 0, and
 * its highest piece is not too large.
 */
static __device__ __forceinline__ bool record_plain(const record &r, int unit)
{
    const unsigned most = 1u << 24;
    return (r.unit == unit || r.unit == NO_UNIT) && r.pieces[PIECES - 1] + most < 2 * most;
}

/*
 * Returns whether a record has room to be multiplied by 2^by and then added to another one. `by` is the
 * difference between the units of the two.
 */
static __device__ __forceinline__ bool record_moves(const record &r, int by)
{
    const int top = (int)r.pieces[PIECES - 1], most = by ? 1 << 20 : 1 << 30;
    return by <= FAR && top < most && top > -most;
}

/*
 * Adds the carried record `x` to `sum` and carries the result. If the units of the two are too far apart,
 * changes nothing and returns false.
 */
static __device__ __forceinline__ bool record_join(record *sum, const record &x)
{
    const int unit = sum->unit < x.unit ? sum->unit : x.unit;
    const int by = sum->unit == NO_UNIT ? 0 : sum->unit - unit, mine = x.unit == NO_UNIT ? 0 : x.unit - unit;
    if (!record_moves(*sum, by) || !record_moves(x, mine))
        return false;
#pragma unroll
    for (int i = 0; i < PIECES; i++)
        sum->pieces[i] = (sum->pieces[i] << by) + (x.pieces[i] << mine);
    sum->unit = (short)unit;
    record_carry(sum);
    return true;
}

/* ---- Integers of several words --------------------------------------------------------------- */

/* There is room for 2^41 elements, a shift by FAR bits and a sign. */
enum { VALUE_WORDS = (piece_at(PIECES - 1) + 41 + FAR + 1 + 31) / 32 };

/* A signed integer, lowest word first. */
struct wide {
    unsigned words[VALUE_WORDS];
};

/* Returns the integer that the pieces of a carried record form, with `top` as the highest piece. */
static __device__ __forceinline__ wide wide_of(const record &r, long long top)
{
    wide x;
#pragma unroll
    for (int w = 0; w < VALUE_WORDS; w++) {
        unsigned word = 0;
#pragma unroll
        for (int i = 0; i + 1 < PIECES; i++) {
            const int at = piece_at(i) - 32 * w;
            if (at >= 0 && at < 32)
                word |= r.pieces[i] << at;
            else if (at < 0 && at > -32)
                word |= r.pieces[i] >> -at;
        }
        const int at = piece_at(PIECES - 1) - 32 * w;
        if (at >= 0 && at < 32)
            word |= (unsigned)top << at;
        else if (at < 0)
            word |= (unsigned)(top >> (-at < 63 ? -at : 63));
        x.words[w] = word;
    }
    return x;
}

/* Computes |x|, and returns whether x is negative. */
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

/* Returns 2^exponent, which must be a normal number. */
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
 * Rounds (head * 2^32 + next) * 2^unit. `below` says whether nonzero bits follow. The upper word of
 * `head` must not be 0. A subnormal result has no bits to round, because all elements are multiples
 * of the smallest subnormal number.
 */
static __device__ __forceinline__ value_t round_once(digit head, unsigned next, bool below,
                                                     int unit)
{
    const int zeros = __clzll((long long)head);
    const digit both = (digit)next << zeros;
    head = head << zeros | both >> 32;
    /* the lowest bit stands for all bits below it, so that the conversion rounds to nearest */
    head |= below || (unsigned)both != 0;
#if defined(TYPE_FLOAT64)
    const double leading = __ull2double_rn(head);
#else
    const float leading = __ull2float_rn(head);
#endif
    const int exponent = unit + 32 - zeros;
    int part = exponent / 2;
    return leading * value_power(part) * value_power(exponent - part);
}

/* Rounds x * 2^unit. */
static __device__ __forceinline__ value_t wide_round(wide x, int unit)
{
    const bool minus = wide_magnitude(&x);
    unsigned high = 0, middle = 0, low = 0;
    int top = -1;
    bool below = false, deeper = false;
#pragma unroll
    /* Find the three highest words, from the highest nonzero one down. */
    for (int w = 0; w < VALUE_WORDS; w++) {
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

/* ---- Digits ---------------------------------------------------------------------------------- */

/* A number in digits, spread over a warp: lane l has digits l, l + 32 … */
enum { LANE_DIGITS = (DIGITS + 31) / 32, LAST_DIGIT = DIGITS - 1 };
typedef long long lane_digits[LANE_DIGITS];

/* Adds a thread's carried record, whose highest piece is `top`, to `digits`. The highest digit is signed. */
static __device__ __noinline__ void record_to_digits(long long *digits, record r, long long top)
{
    if (r.unit == NO_UNIT)
        return;
    const wide x = wide_of(r, top);
    const unsigned position = (unsigned)(r.unit - DIGIT_0), shift = position % 32;
    unsigned below = 0;
    bool last = false;
#pragma unroll 1
    for (int w = 0; !last; w++) {
        unsigned word = (unsigned)((int)x.words[VALUE_WORDS - 1] >> 31);
#pragma unroll
        for (int i = 0; i < VALUE_WORDS; i++)
            word = i == w ? x.words[i] : word;
        const unsigned here = __funnelshift_l(below, word, shift), at = position / 32 + w;
        last = w == VALUE_WORDS || at == LAST_DIGIT;
        const long long part = last ? (long long)(int)here : (long long)here;
        if (part)
            atomicAdd((digit *)digits + at, (digit)part);
        below = word;
    }
}

/* Adds total * 2^k to the warp's own digits. All lanes have the same `total`. */
static __device__ __forceinline__ void digits_add(long long *digits, long long total, int k)
{
    const unsigned position = (unsigned)(k - DIGIT_0), shift = position % 32,
                   lane = threadIdx.x % 32;
    const digit low = (digit)total << shift;
    /* the bits above the lower two digits, with the sign */
    const long long high = shift ? total >> (64 - shift) : total >> 63;
    if (lane < 3)
        digits[position / 32 + lane] += lane == 0   ? (long long)(low & 0xffffffffu)
                                        : lane == 1 ? (long long)(low >> 32)
                                                    : high;
    __syncwarp();
}

/*
 * Propagates carries until each digit is an unsigned 32-bit number, except the last one, which has the number's
 * sign. All lanes of a warp call this function. It usually takes about three rounds; a carry that runs through
 * all digits takes one round per digit.
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

/* Returns digit d of a resolved number in all lanes, or 0 if d is negative. */
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

/* Returns the number of the highest nonzero digit, or -1 if all digits are 0. */
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

/* Returns whether any digit below digit `below` is nonzero. */
static __device__ __forceinline__ bool any_below(const lane_digits &mine, int below)
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        any = any || ((int)(threadIdx.x % 32) + 32 * i < below && (unsigned)mine[i] != 0);
    return __any_sync(0xffffffffu, any);
}

/* Rounds the number once and returns the result in all lanes of the warp. */
static __device__ __forceinline__ value_t digits_round(lane_digits &mine)
{
    digits_resolve(mine);
    const bool minus = is_negative(mine);
    if (minus) { /* uniform across the warp */
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

static __device__ __forceinline__ void record_to_digits(long long *digits, record r)
{
    record_carry(&r);
    record_to_digits(digits, r, (int)r.pieces[PIECES - 1]);
}

/* ---- Sums of records ------------------------------------------------------------------------- */

/* A warp's sum: a carried record, and its highest piece as a 64-bit integer. */
struct total {
    record sum;
    long long top;
};

/* Carries all pieces of a total. The highest piece, `top`, can have any number of bits. */
static __device__ __forceinline__ void total_carry(total *all)
{
    all->sum.pieces[PIECES - 1] = 0;
    record_carry(&all->sum);
    all->top += all->sum.pieces[PIECES - 1];
    all->sum.pieces[PIECES - 1] = (unsigned)all->top;
}

/*
 * Returns the carried sum of the lanes' records, whatever their units, in all lanes. A record whose unit is far
 * above the lowest unit is added to the digits instead. Pieces are added in halves of 16 bits, so that 32 bits
 * have room for a shift by FAR = 8 bits and the sum over 32 lanes.
 */
static __device__ __noinline__ total records_align(record mine, long long *digits)
{
    total all;
    unsigned carry = 0, about = mine.about;
    const int unit = __reduce_min_sync(0xffffffffu, mine.unit);
    const int by = mine.unit == NO_UNIT ? 0 : mine.unit - unit;
    const bool moves = record_moves(mine, by);
    if (__builtin_expect(!__all_sync(0xffffffffu, moves), 0)) {
        if (!moves)
            record_to_digits(digits, mine);
        __syncwarp();
        about |= HAS_DIGITS;
    }
#pragma unroll
    for (int i = 0; i + 1 < PIECES; i++) {
        const unsigned piece = moves ? mine.pieces[i] : 0;
        const unsigned low = carry + __reduce_add_sync(0xffffffffu, (piece & 0xffff) << by % 32);
        const unsigned high = (low >> 16) + __reduce_add_sync(0xffffffffu, piece >> 16 << by % 32);
        carry = high >> (piece_bits(i) - 16);
        all.sum.pieces[i] = __byte_perm(low, high, 0x5410) & ((1u << piece_bits(i)) - 1);
    }
    const unsigned piece = moves ? mine.pieces[PIECES - 1] : 0;
    const unsigned low = carry + __reduce_add_sync(0xffffffffu, (piece & 0xffff) << by % 32);
    const int high = __reduce_add_sync(0xffffffffu, ((int)piece >> 16) * (1 << by % 32));
    all.top = (long long)high * 65536 + low;
    all.sum.pieces[PIECES - 1] = (unsigned)all.top;
    all.sum.unit = (short)unit;
    all.sum.about = (unsigned short)warp_or(about);
    return all;
}

/*
 * Does the same as records_align(), but takes less time if all records have `unit` or are 0. `unit` must be the
 * same in all lanes. A piece has fewer than 27 bits in a warp's record and fewer than 24 in a settled one, so
 * the sum over the lanes fits 32 bits.
 */
static __device__ __forceinline__ total records_total(record mine, int unit, long long *digits)
{
    if (__builtin_expect(!__all_sync(0xffffffffu, record_plain(mine, unit)), 0))
        return records_align(mine, digits);
    total all;
#pragma unroll
    for (int i = 0; i < PIECES; i++)
        all.sum.pieces[i] = __reduce_add_sync(0xffffffffu, mine.pieces[i]);
    all.sum.unit = (short)unit;
    all.sum.about = (unsigned short)warp_or(mine.about);
    record_settle(&all.sum);
    all.top = (int)all.sum.pieces[PIECES - 1];
    return all;
}

/* Rounds a carried total. */
static __device__ __noinline__ value_t total_round_any(total all)
{
    return wide_round(wide_of(all.sum, all.top), all.sum.unit);
}

/*
 * Rounds a total, which need not be carried, usually in less time than total_round_any(). The three highest
 * pieces usually form a 64-bit integer with more bits than the result has. The pieces below can then only break
 * a tie, so they just set the integer's lowest bit.
 */
static __device__ __forceinline__ value_t total_round(total all)
{
    total_carry(&all);
#if SHORT_VALUES
    enum { FIRST = PIECES - 3, SHIFT = 62 - GAP };
    const digit middle = (digit)all.sum.pieces[FIRST + 1] << piece_bits(FIRST) | all.sum.pieces[FIRST];
    const long long high = (long long)((digit)all.top << GAP | middle);
    unsigned below = 0;
#pragma unroll
    for (int i = 0; i < FIRST; i++)
        below |= all.sum.pieces[i];
    const bool fits = (digit)all.top + (1ull << SHIFT) < 2ull << SHIFT;
    if (__builtin_expect(fits && (digit)high + (1 << 26) >= 2 << 26, 1)) {
        const int exponent = all.sum.unit + GAP * (PARTS - 1), part = exponent / 2;
        return __ll2float_rn(high | (below != 0)) * value_power(part) * value_power(exponent - part);
    }
#endif
    return total_round_any(all);
}

#endif
