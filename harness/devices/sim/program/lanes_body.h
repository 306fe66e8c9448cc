/*
 * Makes a function from each row of lane_operations.h, which computes the operation for the 32
 * lanes of a warp.
 *
 * Included by lanes_generic.c and lanes_avx2.c, each with its own compiler options and table name
 * (LANE_TABLE). Every loop has 32 independent iterations, so the compiler can vectorize it. The
 * operation is computed for all 32 lanes even if only some of them execute it, so no expression may
 * trap. The results of the other lanes are not stored.
 */
#include "devices/sim/program/lane_functions.h"
#include "devices/sim/program/lanes.h"

/* slot_T is the type with which a slot stores values of type T. Signed values of 8 and 16 bits are
 * sign-extended to 32 bits, and truncated again when they are read. */
typedef u32 slot_u8, slot_u16, slot_u32;
typedef s32 slot_s8, slot_s16, slot_s32;
typedef u64 slot_u64;
typedef s64 slot_s64;
typedef f32 slot_f32;
typedef f64 slot_f64;

/* word_T is an unsigned type of the same size as slot_T. */
typedef u32 word_u8, word_s8, word_u16, word_s16, word_u32, word_s32, word_f32;
typedef u64 word_u64, word_s64, word_f64;

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some rows cannot be vectorized */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define FOR_LANES                                                                                  \
    INDEPENDENT                                                                                    \
    for (int lane = 0; lane < LANES; lane++)

/* The loop over the lanes in two forms. The first stores the results of all lanes. The second keeps
 * the old values of lanes that do not execute. */
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
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        WRITE_LANES(D, A a = (A)as[lane], EXPRESSION)                                              \
    }

#define BINARY(NAME, D, A, B, EXPRESSION)                                                          \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##B *bs = slot_at(base, o->b);                                                  \
        WRITE_LANES(D, A a = (A)as[lane]; B b = (B)bs[lane], EXPRESSION)                           \
    }

#define TERNARY(NAME, D, A, B, C, EXPRESSION)                                                      \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##B *bs = slot_at(base, o->b);                                                  \
        const slot_##C *cs = slot_at(base, o->c);                                                  \
        WRITE_LANES(D, A a = (A)as[lane]; B b = (B)bs[lane]; C c = (C)cs[lane], EXPRESSION)        \
    }

#define SELECT(NAME, D)                                                                            \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##D *as = slot_at(base, o->a);                                                  \
        const slot_##D *bs = slot_at(base, o->b);                                                  \
        uint32_t chosen = *(const uint32_t *)slot_at(base, o->c);                                  \
        if (o->negate_c)                                                                           \
            chosen = ~chosen;                                                                      \
        WRITE_LANES(D, slot_##D a = as[lane]; slot_##D b = bs[lane], chosen >> lane & 1 ? a : b)   \
    }

/*
 * Stores the results of a comparison: `result` combined with c in d, and `inverse` combined with c
 * in d2. Always inlined, because gcc 12 would not execute vzeroupper before calling it. Every later
 * switch between SSE and AVX code would then cost about 70 cycles.
 */
static inline __attribute__((always_inline)) void set_two_predicates(uint8_t *const base[AREAS],
                                                                     const struct lane_operands *o,
                                                                     uint32_t exec, uint32_t result,
                                                                     uint32_t inverse)
{
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

/* Stores the results of a comparison. Its second result is the negation of the first. */
static inline __attribute__((always_inline)) void set_predicates(uint8_t *const base[AREAS],
                                                                 const struct lane_operands *o,
                                                                 uint32_t exec, uint32_t result)
{
    set_two_predicates(base, o, exec, result, ~result);
}

#define COMPARE(NAME, A, EXPRESSION)                                                               \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##A *bs = slot_at(base, o->b);                                                  \
        word_##A result = 0;                                                                       \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            A a = (A)as[lane], b = (A)bs[lane];                                                    \
            (void)b; /* not used by testp */                                                       \
            result |= (EXPRESSION) ? (word_##A)1 << lane : 0;                                      \
        }                                                                                          \
        set_predicates(base, o, exec, (uint32_t)result);                                           \
    }

#define COMPARE2(NAME, A, CONDITION)                                                               \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const slot_##A *as = slot_at(base, o->a);                                                  \
        const slot_##A *bs = slot_at(base, o->b);                                                  \
        word_##A result = 0;                                                                       \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            A x = (A)as[lane], y = (A)bs[lane];                                                    \
            result |= (CONDITION) ? (word_##A)1 << lane : 0;                                       \
        }                                                                                          \
        set_predicates(base, o, exec, (uint32_t)result);                                           \
    }

#define COMPARE_HALVES(NAME, LOW, HIGH)                                                            \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const u32 *as = slot_at(base, o->a), *bs = slot_at(base, o->b);                            \
        uint32_t low = 0, high = 0;                                                                \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            u32 a = as[lane], b = bs[lane];                                                        \
            low |= (uint32_t)(LOW) << lane;                                                        \
            high |= (uint32_t)(HIGH) << lane;                                                      \
        }                                                                                          \
        set_two_predicates(base, o, exec, low, high);                                              \
    }

/* The carry flag is predicate d2. EXPRESSION is computed with type W, which is wider than T. The
 * lowest bit above T is then the carry of an addition or the borrow of a subtraction. */
#define CARRY(NAME, T, W, IN, OUT, EXPRESSION)                                                     \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
    {                                                                                              \
        const T *as = slot_at(base, o->a), *bs = slot_at(base, o->b), *cs = slot_at(base, o->c);   \
        T *d = slot_at(base, o->d);                                                                \
        uint32_t *flag = slot_at(base, o->d2), before = *flag, after = before;                     \
        for (int lane = 0; lane < LANES; lane++) {                                                 \
            if (!(exec >> lane & 1))                                                               \
                continue;                                                                          \
            T a = as[lane], b = bs[lane], c = cs[lane], carry = before >> lane & 1;                \
            (void)c, (void)carry;                                                                  \
            W sum = EXPRESSION;                                                                    \
            d[lane] = (T)sum;                                                                      \
            after = (after & ~(1u << lane)) | (uint32_t)(sum >> 8 * sizeof(T) & 1) << lane;        \
        }                                                                                          \
        if (OUT)                                                                                   \
            *flag = after;                                                                         \
    }

#include "devices/sim/program/lane_operations.h"

LANE_OPERATIONS

/* bfi has four operands: it inserts the lowest d2 bits of a into b at position c. */
#define INSERT(T, WIDTH)                                                                           \
    static void bfi_##T(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)  \
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

/* mov {d, d2}, a stores the halves of a in d and d2. Copies a first, because d or d2 may be in the
 * same slot. */
#define UNPACK(A, HALF, BITS)                                                                      \
    static void unpack_##A(uint8_t *const base[AREAS], const struct lane_operands *o,              \
                           uint32_t exec)                                                          \
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

/* Operations on predicates (and.pred, mov.pred …) compute all lanes at once, because the slot of a
 * predicate is a mask. */
#define PREDICATE(NAME, EXPRESSION)                                                                \
    static void NAME(uint8_t *const base[AREAS], const struct lane_operands *o, uint32_t exec)     \
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
#undef COMPARE2
#undef COMPARE_HALVES
#undef CARRY
#define UNARY(NAME, D, A, EXPRESSION) {#NAME, NAME},
#define BINARY(NAME, D, A, B, EXPRESSION) {#NAME, NAME},
#define TERNARY(NAME, D, A, B, C, EXPRESSION) {#NAME, NAME},
#define SELECT(NAME, D) {#NAME, NAME},
#define COMPARE(NAME, A, EXPRESSION) {#NAME, NAME},
#define COMPARE2(NAME, A, CONDITION) {#NAME, NAME},
#define COMPARE_HALVES(NAME, LOW, HIGH) {#NAME, NAME},
#define CARRY(NAME, T, W, IN, OUT, EXPRESSION) {#NAME, NAME},

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
