/*
 * Executes instructions that exchange data between the lanes of a warp: shuffles, votes, matches
 * and reductions.
 *
 * Each of these instructions has a mask, and is executed when all lanes of the mask have arrived
 * (divergence.h). If a shuffle reads from a lane outside of the mask, hardware returns an undefined
 * value, so the simulator treats this as an error. Source: PTX ISA, chapters 9.7.9 (shfl.sync, prmt
 * …) and 9.7.13 (vote, match, redux, elect).
 */
#include "devices/sim/machine/machine.h"

#include <string.h>

/* Returns the lane from which `lane` reads in a shuffle. Sets *in_range to whether that lane is in
 * range. If it is not, returns `lane` itself. */
static unsigned shuffle_source(const struct instruction *i, unsigned lane, uint32_t b, uint32_t c,
                               bool *in_range)
{
    unsigned segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
    unsigned limit = (lane & segment) | (clamp & ~segment), source = lane;
    unsigned base = lane & segment;
    switch ((enum shuffle_mode)i->operation) {
    case SHUFFLE_UP:
        source = lane - by;
        *in_range = (int)source >= (int)limit;
        break;
    case SHUFFLE_DOWN:
        source = lane + by;
        *in_range = source <= limit;
        break;
    case SHUFFLE_BFLY:
        source = lane ^ by;
        *in_range = source <= limit;
        break;
    case SHUFFLE_IDX:
        source = base | (by & ~segment);
        *in_range = source <= limit;
        break;
    }
    return *in_range ? source : lane;
}

static bool shuffle(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    uint32_t a[LANES], results[LANES], ranges = 0;
    const uint32_t *b = slot_at(warp->base, i->o.b), *c = slot_at(warp->base, i->o.c);
    memcpy(a, slot_at(warp->base, i->o.a), sizeof a);
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool in_range = false;
        unsigned source = shuffle_source(i, lane, b[lane], c[lane], &in_range);
        if (!(exec >> source & 1))
            return fault_set(w, warp, (int)lane, FAULT_LAUNCH,
                             "a shuffle reads from lane %u, which does not execute the shuffle "
                             "(lanes 0x%08x do)",
                             source, exec);
        results[lane] = a[source];
        ranges |= (uint32_t)in_range << lane;
    }
    uint32_t *d = slot_at(warp->base, i->o.d);
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        d[__builtin_ctz(rest)] = results[__builtin_ctz(rest)];
    if (i->o.has_d2) {
        uint32_t *p = slot_at(warp->base, i->o.d2);
        *p = (*p & ~exec) | ranges;
    }
    return true;
}

static void set_lanes(struct warp *warp, slot_reference slot, uint32_t exec, uint32_t value)
{
    uint32_t *d = slot_at(warp->base, slot);
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        d[__builtin_ctz(rest)] = value;
}

static void set_predicate(struct warp *warp, slot_reference slot, uint32_t exec, uint32_t value)
{
    uint32_t *d = slot_at(warp->base, slot);
    *d = (*d & ~exec) | (value & exec);
}

static void vote(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    uint32_t p = *(const uint32_t *)slot_at(warp->base, i->o.a);
    p = (i->o.negate_c ? ~p : p) & exec;
    bool all = p == exec;
    if (i->operation == VOTE_BALLOT) {
        set_lanes(warp, i->o.d, exec, p);
        return;
    }
    bool yes = i->operation == VOTE_ALL ? all : i->operation == VOTE_ANY ? p != 0 : all || p == 0;
    set_predicate(warp, i->o.d, exec, yes ? 0xffffffffu : 0);
}

static uint64_t value_of(const struct warp *warp, const struct instruction *i, int lane)
{
    const void *a = slot_at(warp->base, i->o.a);
    return i->wide_a ? ((const uint64_t *)a)[lane] : ((const uint32_t *)a)[lane];
}

static void match(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    uint32_t same[LANES] = {0};
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        for (uint32_t others = exec; others; others &= others - 1)
            if (value_of(warp, i, __builtin_ctz(others)) == value_of(warp, i, lane))
                same[lane] |= others & -others;
    }
    if (i->operation == MATCH_ALL) {
        bool all = same[__builtin_ctz(exec)] == exec;
        set_lanes(warp, i->o.d, exec, all ? exec : 0);
        if (i->o.has_d2)
            set_predicate(warp, i->o.d2, exec, all ? 0xffffffffu : 0);
        return;
    }
    uint32_t *d = slot_at(warp->base, i->o.d);
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        d[__builtin_ctz(rest)] = same[__builtin_ctz(rest)];
}

static void reduce(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    const uint32_t *a = slot_at(warp->base, i->o.a);
    uint32_t result = a[__builtin_ctz(exec)];
    for (uint32_t rest = exec & (exec - 1); rest; rest &= rest - 1) {
        uint32_t b = a[__builtin_ctz(rest)];
        bool less = i->type == VALUE_SIGNED ? (int32_t)b < (int32_t)result : b < result;
        switch ((enum atomic_operation)i->operation) {
        case ATOMIC_ADD:
            result += b;
            break;
        case ATOMIC_MIN:
            result = less ? b : result;
            break;
        case ATOMIC_MAX:
            result = less ? result : b;
            break;
        case ATOMIC_AND:
            result &= b;
            break;
        case ATOMIC_OR:
            result |= b;
            break;
        default:
            result ^= b;
            break;
        }
    }
    set_lanes(warp, i->o.d, exec, result);
}

bool exchange(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    switch (i->kind) {
    case KIND_SHUFFLE:
        return shuffle(w, warp, i, exec);
    case KIND_VOTE:
        vote(warp, i, exec);
        return true;
    case KIND_MATCH:
        match(warp, i, exec);
        return true;
    case KIND_REDUX:
        reduce(warp, i, exec);
        return true;
    default: /* KIND_ELECT, whose result is the lowest lane */
        set_lanes(warp, i->o.d, exec, (uint32_t)__builtin_ctz(exec));
        if (i->o.has_d2)
            set_predicate(warp, i->o.d2, exec, exec & -exec);
        return true;
    }
}

/* Returns the value that a register has in one lane. `bytes` is 4 or 8, or 0 for a predicate. */
static uint64_t get_lane(const struct warp *warp, slot_reference slot, int bytes, int lane)
{
    const void *at = slot_at(warp->base, slot);
    return bytes == 0   ? *(const uint32_t *)at >> lane & 1
           : bytes == 4 ? ((const uint32_t *)at)[lane]
                        : ((const uint64_t *)at)[lane];
}

static void set_lane(struct warp *warp, slot_reference slot, int bytes, int lane, uint64_t bits)
{
    void *at = slot_at(warp->base, slot);
    if (bytes == 0)
        set_predicate(warp, slot, 1u << lane, bits ? 1u << lane : 0);
    else if (bytes == 4)
        ((uint32_t *)at)[lane] = (uint32_t)bits;
    else
        ((uint64_t *)at)[lane] = bits;
}

bool exchange_mixed(struct worker *w, struct warp *warp, const struct instruction *const at[LANES],
                    uint32_t lanes)
{
    enum { SLOT = LANES * 8 };
    _Alignas(64) uint8_t scratch[5 * SLOT] = {0};
    struct instruction one = *at[__builtin_ctz(lanes)];
    bool vote = one.kind == KIND_VOTE, shuffle = one.kind == KIND_SHUFFLE;
    int source = vote ? 0 : one.wide_a ? 8 : 4;
    int result = vote && one.operation != VOTE_BALLOT ? 0 : 4;
    one.o = (struct lane_operands){.d = AREA_SCRATCH,
                                   .d2 = SLOT | AREA_SCRATCH,
                                   .a = (2 * SLOT) | AREA_SCRATCH,
                                   .b = (3 * SLOT) | AREA_SCRATCH,
                                   .c = (4 * SLOT) | AREA_SCRATCH,
                                   .has_d2 = true};
    warp->base[AREA_SCRATCH] = scratch;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        const struct lane_operands *o = &at[lane]->o;
        set_lane(warp, one.o.a, source, lane,
                 get_lane(warp, o->a, source, lane) ^ (vote && o->negate_c));
        if (!shuffle)
            continue;
        set_lane(warp, one.o.b, 4, lane, get_lane(warp, o->b, 4, lane));
        set_lane(warp, one.o.c, 4, lane, get_lane(warp, o->c, 4, lane));
    }
    if (!exchange(w, warp, &one, lanes))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        const struct lane_operands *o = &at[lane]->o;
        set_lane(warp, o->d, result, lane, get_lane(warp, one.o.d, result, lane));
        if (o->has_d2)
            set_lane(warp, o->d2, 0, lane, get_lane(warp, one.o.d2, 0, lane));
    }
    return true;
}
