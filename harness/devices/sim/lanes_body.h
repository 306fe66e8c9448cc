/*
 * The rows of lane_operations.h as functions over the 32 lanes of a warp.
 *
 * Included once by lanes_generic.c and once by lanes_avx2.c, each with its own compiler options
 * and name of the table (LANE_TABLE). Every loop has 32 rounds without dependences, so that
 * the compiler turns it into vector instructions. A full warp writes all lanes; otherwise the
 * result is blended with what was there. No expression may trap: all 32 lanes are computed,
 * whether they execute or not.
 */
#include <math.h>

#include "devices/sim/lanes.h"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;

/* The slot that a value of a type lives in. A narrow signed value fills its slot with its sign,
 * cut to 16 bits for 8- and 16-bit types when it is read again. */
typedef u32 slot_u8, slot_u16, slot_u32;
typedef s32 slot_s8, slot_s16, slot_s32;
typedef u64 slot_u64;
typedef s64 slot_s64;
typedef f32 slot_f32;
typedef f64 slot_f64;

/* Unsigned words of a slot's size, for blending and for masks. */
typedef u32 word_u8, word_s8, word_u16, word_s16, word_u32, word_s32, word_f32;
typedef u64 word_u64, word_s64, word_f64;

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some rows cannot be vectorised */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define SIGNED_DIVISION(S, LEAST)                                                                  \
    static inline S divide_##S(S a, S b)                                                           \
    {                                                                                              \
        return b == 0 ? (S)-1 : b == -1 ? (S)(0 - (u64)a) : (S)(a / b);                            \
    }                                                                                              \
    static inline S remainder_##S(S a, S b)                                                        \
    {                                                                                              \
        return b == 0 ? a : b == -1 ? (S)0 : (S)(a % b);                                           \
    }
SIGNED_DIVISION(s16, INT16_MIN)
SIGNED_DIVISION(s32, INT32_MIN)
SIGNED_DIVISION(s64, INT64_MIN)

static inline s64 clamp_s32(s64 x)
{
    return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x;
}

static inline u64 high_u64(u64 a, u64 b)
{
    return (u64)(((unsigned __int128)a * b) >> 64);
}

static inline u64 high_s64(u64 a, u64 b)
{
    return (u64)(((__int128)(s64)a * (s64)b) >> 64);
}

/* bfe: `length` bits of a from `position`; bits beyond the top are 0 or the sign. */
#define EXTRACT(T, S, WIDTH)                                                                       \
    static inline T extract_##T(T a, u32 position, u32 length)                                     \
    {                                                                                              \
        position &= 255;                                                                           \
        length &= 255;                                                                             \
        T shifted = position < WIDTH ? a >> position : 0;                                          \
        return length < WIDTH ? shifted & (((T)1 << length) - 1) : shifted;                        \
    }                                                                                              \
    static inline T extract_##S(T a, u32 position, u32 length)                                     \
    {                                                                                              \
        position &= 255;                                                                           \
        length &= 255;                                                                             \
        if (length == 0)                                                                           \
            return 0;                                                                              \
        u32 last = position + length - 1 < WIDTH - 1 ? position + length - 1 : WIDTH - 1;          \
        T sign = a >> last & 1 ? ~(T)0 : 0;                                                        \
        T bits = extract_##T(a, position, length);                                                 \
        u32 kept = position > last ? 0 : last - position + 1;                                      \
        return kept >= WIDTH ? bits : bits | sign << kept;                                         \
    }                                                                                              \
    static inline u32 highest_##T(T a)                                                             \
    {                                                                                              \
        return a ? 63 - (u32)__builtin_clzll(a) : 0xffffffffu;                                     \
    }                                                                                              \
    static inline T reverse_##T(T a)                                                               \
    {                                                                                              \
        T r = 0;                                                                                   \
        for (int bit = 0; bit < WIDTH; bit++)                                                      \
            r = r << 1 | (a >> bit & 1);                                                           \
        return r;                                                                                  \
    }
EXTRACT(u32, s32, 32)
EXTRACT(u64, s64, 64)

static inline u32 shift_to_highest(u32 highest, size_t width)
{
    return highest == 0xffffffffu ? highest : (u32)width - 1 - highest;
}

static inline u32 funnel_left(u32 low, u32 high, u32 shift)
{
    u64 both = (u64)high << 32 | low;
    return shift == 32 ? low : (u32)(both << shift >> 32);
}

static inline u32 funnel_right(u32 low, u32 high, u32 shift)
{
    u64 both = (u64)high << 32 | low;
    return (u32)(both >> shift);
}

/* prmt: each result byte is one of the 8 bytes of b:a, or its sign spread over the byte. */
static inline u32 permute(u32 a, u32 b, u32 selector)
{
    u64 both = (u64)b << 32 | a;
    u32 result = 0;
    for (int i = 0; i < 4; i++) {
        u32 pick = selector >> 4 * i & 15;
        u32 byte = (u32)(both >> 8 * (pick & 7)) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* lop3: bit 4a+2b+c of the table is the result for the bits a, b, c. */
static inline u32 logic3(u32 a, u32 b, u32 c, u32 table)
{
    u32 result = 0;
    for (u32 row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

/* min and max: a NaN loses against a number, -0 counts as less than +0. */
#define FLOAT_ORDER(T)                                                                             \
    static inline T least_##T(T a, T b)                                                            \
    {                                                                                              \
        return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;                  \
    }                                                                                              \
    static inline T greatest_##T(T a, T b)                                                         \
    {                                                                                              \
        return a != a ? b : b != b ? a : a > b || (a == b && signbit(b)) ? a : b;                  \
    }
FLOAT_ORDER(f32)
FLOAT_ORDER(f64)

/* Floats to integers: out of range gives the nearest integer of the type, NaN gives 0. */
static inline u64 to_unsigned(f64 x, u64 most)
{
    if (!(x > 0))
        return 0;
    return x >= 18446744073709551616.0 || (u64)x > most ? most : (u64)x;
}

static inline s64 to_signed(f64 x, s64 least, s64 most)
{
    if (x != x)
        return 0;
    if (x < -9223372036854775808.0)
        return least;
    if (x >= 9223372036854775808.0)
        return most;
    s64 i = (s64)x;
    return i < least ? least : i > most ? most : i;
}

#define FOR_LANES                                                                                  \
    INDEPENDENT                                                                                    \
    for (int lane = 0; lane < LANES; lane++)

/* Both forms of the loop: all lanes, and blended with what was there. */
#define WRITE_LANES(D, LOAD, EXPRESSION)                                                           \
    slot_##D *d = slot_at(base, o->d);                                                             \
    if (exec == 0xffffffffu) {                                                                     \
        FOR_LANES                                                                                  \
        {                                                                                          \
            LOAD;                                                                                  \
            d[lane] = (slot_##D)(D)(EXPRESSION);                                                   \
        }                                                                                          \
    } else {                                                                                       \
        FOR_LANES                                                                                  \
        {                                                                                          \
            LOAD;                                                                                  \
            slot_##D result = (slot_##D)(D)(EXPRESSION);                                           \
            d[lane] = exec >> lane & 1 ? result : d[lane];                                         \
        }                                                                                          \
    }

#define UNARY(NAME, D, A, EXPRESSION)                                                              \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        WRITE_LANES(D, A a = (A)as[lane], EXPRESSION)                                              \
    }

#define BINARY(NAME, D, A, B, EXPRESSION)                                                          \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##B *bs = slot_at(base, o->b);                                                  \
        WRITE_LANES(D, A a = (A)as[lane]; B b = (B)bs[lane], EXPRESSION)                           \
    }

#define TERNARY(NAME, D, A, B, C, EXPRESSION)                                                      \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##B *bs = slot_at(base, o->b);                                                  \
        const slot_##C *cs = slot_at(base, o->c);                                                  \
        WRITE_LANES(D, A a = (A)as[lane]; B b = (B)bs[lane]; C c = (C)cs[lane], EXPRESSION)        \
    }

#define SELECT(NAME, D)                                                                            \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        const slot_##D *as = slot_at(base, o->a);                                                  \
        const slot_##D *bs = slot_at(base, o->b);                                                  \
        uint32_t chosen = *(const uint32_t *)slot_at(base, o->c);                                  \
        if (o->negate_c)                                                                           \
            chosen = ~chosen;                                                                      \
        WRITE_LANES(D, slot_##D a = as[lane]; slot_##D b = bs[lane], chosen >> lane & 1 ? a : b)   \
    }

/* Stores a comparison's results: d = f combined with c, d2 = not f combined with c. */
static inline void set_predicates(uint8_t *const base[2], const struct lane_operands *o,
                                  uint32_t exec, uint32_t result)
{
    uint32_t inverse = ~result;
    if (o->combine != COMBINE_NONE) {
        uint32_t c = *(const uint32_t *)slot_at(base, o->c) ^ (o->negate_c ? 0xffffffffu : 0);
        result = o->combine == COMBINE_AND  ? result & c
                 : o->combine == COMBINE_OR ? result | c
                                            : result ^ c;
        inverse = o->combine == COMBINE_AND  ? inverse & c
                  : o->combine == COMBINE_OR ? inverse | c
                                             : inverse ^ c;
    }
    uint32_t *d = slot_at(base, o->d);
    *d = (*d & ~exec) | (result & exec);
    if (o->has_d2) {
        d = slot_at(base, o->d2);
        *d = (*d & ~exec) | (inverse & exec);
    }
}

#define COMPARE(NAME, A, EXPRESSION)                                                               \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##A *bs = slot_at(base, o->b);                                                  \
        word_##A result = 0;                                                                       \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            A a = (A)as[lane], b = (A)bs[lane];                                                    \
            (void)b; /* testp has no second operand */                                             \
            result |= (EXPRESSION) ? (word_##A)1 << lane : 0;                                      \
        }                                                                                          \
        set_predicates(base, o, exec, (uint32_t)result);                                           \
    }

#include "devices/sim/lane_operations.h"

LANE_OPERATIONS

/* bfi has four operands: a into b at position c, its length in d2. */
#define INSERT(T, WIDTH)                                                                           \
    static void bfi_##T(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)      \
    {                                                                                              \
        const T *as = slot_at(base, o->a);                                                         \
        const T *bs = slot_at(base, o->b);                                                         \
        const u32 *cs = slot_at(base, o->c);                                                       \
        const u32 *lengths = slot_at(base, o->d2);                                                 \
        WRITE_LANES(T, T a = as[lane]; T b = bs[lane]; u32 at = cs[lane] & 255;                    \
                    u32 length = lengths[lane] & 255;                                              \
                    T ones = length >= WIDTH ? ~(T)0 : ((T)1 << length) - 1;                       \
                    T mask = at >= WIDTH ? 0 : ones << at,                                         \
                    (b & ~mask) | (mask & (a << (at & (WIDTH - 1)))))                              \
    }
INSERT(u32, 32)
INSERT(u64, 64)

/* mov {d, d2}, a: the halves of a. The source is read whole before anything is written. */
#define UNPACK(A, HALF, BITS)                                                                      \
    static void unpack_##A(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)   \
    {                                                                                              \
        A whole[LANES];                                                                            \
        memcpy(whole, slot_at(base, o->a), sizeof whole);                                          \
        slot_##HALF *low = slot_at(base, o->d), *high = slot_at(base, o->d2);                      \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            if (exec >> lane & 1) {                                                                \
                low[lane] = (HALF)whole[lane];                                                     \
                high[lane] = (HALF)(whole[lane] >> BITS);                                          \
            }                                                                                      \
        }                                                                                          \
    }
UNPACK(u64, u32, 32)
UNPACK(u32, u16, 16)

/* Predicates as values: and.pred, mov.pred … work on the masks. */
#define PREDICATE(NAME, EXPRESSION)                                                                \
    static void NAME(uint8_t *const base[2], const struct lane_operands *o, uint32_t exec)         \
    {                                                                                              \
        uint32_t a = *(const uint32_t *)slot_at(base, o->a);                                       \
        uint32_t b = *(const uint32_t *)slot_at(base, o->b);                                       \
        uint32_t *d = slot_at(base, o->d);                                                         \
        *d = (*d & ~exec) | ((EXPRESSION)&exec);                                                   \
    }
PREDICATE(and_pred, (a & b))
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)
PREDICATE(not_pred, ((void)b, ~a))
PREDICATE(mov_pred, ((void)b, a))

#undef UNARY
#undef BINARY
#undef TERNARY
#undef SELECT
#undef COMPARE
#define UNARY(NAME, D, A, EXPRESSION) {#NAME, NAME},
#define BINARY(NAME, D, A, B, EXPRESSION) {#NAME, NAME},
#define TERNARY(NAME, D, A, B, C, EXPRESSION) {#NAME, NAME},
#define SELECT(NAME, D) {#NAME, NAME},
#define COMPARE(NAME, A, EXPRESSION) {#NAME, NAME},

const struct lane_operation LANE_TABLE[] = {
    LANE_OPERATIONS{"bfi_u32", bfi_u32},
    {"bfi_u64", bfi_u64},
    {"unpack_u64", unpack_u64},
    {"unpack_u32", unpack_u32},
    {"and_pred", and_pred},
    {"or_pred", or_pred},
    {"xor_pred", xor_pred},
    {"not_pred", not_pred},
    {"mov_pred", mov_pred},
    {0},
};
