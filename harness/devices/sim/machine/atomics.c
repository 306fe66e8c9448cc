/*
 * Executes atomics, lane after lane.
 *
 * PTX does not define the order of the lanes. The operation of each lane, and of each element of a
 * vector, is atomic on the host as well, because blocks run on several host threads.
 */
#include "devices/sim/machine/machine.h"
#include "devices/sim/program/lane_functions.h"

#include <math.h>
#include <string.h>

/*
 * Returns the lesser of two integers, or the greater one if `greater` is true. They are compared as
 * values of the instruction's type.
 */
static uint64_t lesser(const struct instruction *i, uint64_t a, uint64_t b, bool greater)
{
    bool less;
    if (i->type == VALUE_SIGNED && i->bytes == 4)
        less = (int32_t)a < (int32_t)b;
    else if (i->type == VALUE_SIGNED)
        less = (int64_t)a < (int64_t)b;
    else
        less = a < b;
    return less != greater ? a : b;
}

static uint32_t combine_half(const struct instruction *i, uint32_t a, uint32_t b)
{
    bool f16 = i->half == HALF_F16;
    u16 x = (u16)a, y = (u16)b;
    if (i->operation == ATOMIC_MIN)
        return f16 ? min_f16_(x, y) : min_bf16_(x, y);
    if (i->operation == ATOMIC_MAX)
        return f16 ? max_f16_(x, y) : max_bf16_(x, y);
    return f16 ? add_f16_(x, y) : add_bf16_(x, y);
}

/* Combines two 16-bit floats or two pairs of them. */
static uint64_t combine_halves(const struct instruction *i, uint32_t a, uint32_t b)
{
    uint32_t low = combine_half(i, a & 0xffff, b & 0xffff);
    return i->bytes == 2 ? low : low | combine_half(i, a >> 16, b >> 16) << 16;
}

/*
 * If `bits` is a subnormal float32 and i accesses global memory, returns a zero of the same sign.
 * Otherwise returns `bits`. In global memory, float32 additions flush subnormal operands and
 * results in this way. In shared memory, they do not (PTX ISA, atom; ATOMG.ADD.F32.FTZ and FADD in
 * machine code).
 */
static uint32_t flush(const struct instruction *i, uint32_t bits)
{
    return i->space == SPACE_GLOBAL && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

static uint64_t add_floats(const struct instruction *i, uint64_t a, uint64_t b)
{
    if (i->bytes == 4) {
        float x, y;
        uint32_t bits = flush(i, (uint32_t)a);
        memcpy(&x, &bits, sizeof x);
        bits = flush(i, (uint32_t)b);
        memcpy(&y, &bits, sizeof y);
        x += y;
        memcpy(&bits, &x, sizeof bits);
        return flush(i, bits);
    }
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

/* Returns the value that replaces `old` in memory. b and c are the atomic's operands. */
static uint64_t apply(const struct instruction *i, uint64_t old, uint64_t b, uint64_t c)
{
    if (i->half)
        return combine_halves(i, (uint32_t)old, (uint32_t)b);
    switch ((enum atomic_operation)i->operation) {
    case ATOMIC_ADD:
        return i->type == VALUE_FLOAT ? add_floats(i, old, b) : old + b;
    case ATOMIC_MIN:
        return lesser(i, old, b, false);
    case ATOMIC_MAX:
        return lesser(i, old, b, true);
    case ATOMIC_AND:
        return old & b;
    case ATOMIC_OR:
        return old | b;
    case ATOMIC_XOR:
        return old ^ b;
    case ATOMIC_EXCH:
        return b;
    case ATOMIC_CAS:
        return old == b ? c : old;
    case ATOMIC_INC: /* counts from 0 to b, then begins again at 0 */
        return old >= b ? 0 : old + 1;
    case ATOMIC_DEC: /* counts from b to 0, then begins again at b */
        return old == 0 || old > b ? b : old - 1;
    }
    return old;
}

#define STEP(T)                                                                                    \
    static uint64_t step_##T(const struct instruction *i, void *memory, uint64_t b, uint64_t c)    \
    {                                                                                              \
        T *at = memory, old = __atomic_load_n(at, __ATOMIC_SEQ_CST);                               \
        while (!__atomic_compare_exchange_n(at, &old, (T)apply(i, old, b, c), false,               \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                   \
            ;                                                                                      \
        return old;                                                                                \
    }
STEP(uint16_t)
STEP(uint32_t)
STEP(uint64_t)

static uint64_t lane_of(const struct warp *warp, slot_reference slot, bool wide, int lane)
{
    const void *at = slot_at(warp->base, slot);
    return wide ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
}

static void step(struct warp *warp, const struct instruction *i, int lane, void *memory,
                 slot_reference d, slot_reference b)
{
    bool wide = i->bytes == 8;
    uint64_t old, with = lane_of(warp, b, wide, lane);
    uint64_t other = i->operation == ATOMIC_CAS ? lane_of(warp, i->o.c, wide, lane) : 0;
    if (i->bytes == 2)
        old = step_uint16_t(i, memory, with & 0xffff, other & 0xffff);
    else
        old = wide ? step_uint64_t(i, memory, with, other) : step_uint32_t(i, memory, with, other);
    if (d && wide)
        ((uint64_t *)slot_at(warp->base, d))[lane] = old;
    else if (d)
        ((uint32_t *)slot_at(warp->base, d))[lane] = (uint32_t)old;
}

void atomic_lanes(const struct program *p, struct warp *warp, const struct instruction *i,
                  uint32_t exec, uint8_t *const host[LANES])
{
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (i->elements == 1) {
            step(warp, i, lane, host[lane], i->has_d ? i->o.d : 0, i->o.a);
            continue;
        }
        const slot_reference *d = &p->references[i->vector], *b = d + i->elements;
        for (int k = 0; k < i->elements; k++)
            step(warp, i, lane, host[lane] + k * i->bytes, d[k], b[k]);
    }
}
