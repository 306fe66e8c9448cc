/*
 * Atomic operations: each lane's in one step, in the order of the lanes.
 *
 * The order is the simulator's choice (PTX promises none). Blocks run on several threads of the
 * host, so the step is atomic on the host too.
 */
#include "devices/sim/machine.h"

#include <math.h>
#include <string.h>

/* min and max of `bits` as the instruction's type. */
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

static uint64_t add_floats(uint64_t a, uint64_t b, unsigned bytes)
{
    if (bytes == 4) {
        float x, y;
        uint32_t bits = (uint32_t)a;
        memcpy(&x, &bits, sizeof x);
        bits = (uint32_t)b;
        memcpy(&y, &bits, sizeof y);
        x += y;
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

/* What memory that holds `old` holds afterwards. */
static uint64_t apply(const struct instruction *i, uint64_t old, uint64_t b, uint64_t c)
{
    switch ((enum atomic_operation)i->operation) {
    case ATOMIC_ADD:
        return i->type == VALUE_FLOAT ? add_floats(old, b, i->bytes) : old + b;
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
    case ATOMIC_INC: /* counts up to b, then begins again */
        return old >= b ? 0 : old + 1;
    case ATOMIC_DEC: /* counts down from b */
        return old == 0 || old > b ? b : old - 1;
    }
    return old;
}

static uint32_t step_32(const struct instruction *i, uint32_t *at, uint32_t b, uint32_t c)
{
    uint32_t old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(at, &old, (uint32_t)apply(i, old, b, c), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

static uint64_t step_64(const struct instruction *i, uint64_t *at, uint64_t b, uint64_t c)
{
    uint64_t old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(at, &old, apply(i, old, b, c), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        ;
    return old;
}

void atomic_lanes(struct warp *warp, const struct instruction *i, uint32_t exec,
                  uint8_t *const host[LANES])
{
    bool cas = i->operation == ATOMIC_CAS;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (i->bytes == 4) {
            const uint32_t *b = slot_at(warp->base, i->o.a), *c = slot_at(warp->base, i->o.c);
            uint32_t old = step_32(i, (uint32_t *)(void *)host[lane], b[lane], cas ? c[lane] : 0);
            if (i->has_d)
                ((uint32_t *)slot_at(warp->base, i->o.d))[lane] = old;
        } else {
            const uint64_t *b = slot_at(warp->base, i->o.a), *c = slot_at(warp->base, i->o.c);
            uint64_t old = step_64(i, (uint64_t *)(void *)host[lane], b[lane], cas ? c[lane] : 0);
            if (i->has_d)
                ((uint64_t *)slot_at(warp->base, i->o.d))[lane] = old;
        }
    }
}
