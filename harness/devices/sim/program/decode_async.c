/*
 * Decodes mbarrier instructions, asynchronous copies, cache policies and cluster instructions.
 */
#include "devices/sim/program/decode.h"

static enum mbarrier_operation mbarrier_operation(const struct decoder *d, bool *known)
{
    *known = true;
    if (decode_has(d, "init"))
        return MBARRIER_INIT;
    if (decode_has(d, "inval"))
        return MBARRIER_INVALIDATE;
    if (decode_has(d, "pending_count"))
        return MBARRIER_PENDING;
    if (decode_has(d, "complete_tx"))
        return MBARRIER_COMPLETE;
    if (decode_has(d, "arrive") || decode_has(d, "arrive_drop"))
        return decode_has(d, "expect_tx") ? MBARRIER_ARRIVE_EXPECT : MBARRIER_ARRIVE;
    if (decode_has(d, "expect_tx"))
        return MBARRIER_EXPECT;
    *known = decode_has(d, "try_wait") || decode_has(d, "test_wait");
    return decode_has(d, "parity") ? MBARRIER_WAIT_PARITY : MBARRIER_WAIT_STATE;
}

bool decode_mbarrier(struct decoder *d)
{
    struct instruction *i = d->i;
    bool known;
    i->operation = (uint8_t)mbarrier_operation(d, &known);
    if (!known || !decode_only(d, "init inval arrive arrive_drop noComplete expect_tx complete_tx "
                                  "try_wait test_wait parity pending_count shared shared::cta b64 "
                                  "release acquire relaxed cta cluster"))
        return decode_unsupported(d, "this form is not supported");
    i->kind = KIND_MBARRIER;
    i->drops = decode_has(d, "arrive_drop");
    if (i->operation == MBARRIER_PENDING)
        return decode_count(d, 2, 2) && decode_write(d, 0, 4, &i->o.d) &&
               decode_read(d, 1, 8, false, &i->o.a);
    bool waits = i->operation == MBARRIER_WAIT_PARITY || i->operation == MBARRIER_WAIT_STATE;
    bool arrives = i->operation == MBARRIER_ARRIVE || i->operation == MBARRIER_ARRIVE_EXPECT;
    int at = waits || arrives ? 1 : 0;
    if (!decode_count(d, at + 1, at + 3) || !decode_address(d, at))
        return false;
    if (waits && !decode_write(d, 0, 0, &i->o.d))
        return false;
    if (arrives) {
        i->has_d = d->operands[0].kind == OPERAND_REGISTER;
        if (!decode_write(d, 0, 8, &i->o.d))
            return false;
    }
    bool needs = i->operation != MBARRIER_INVALIDATE && i->operation != MBARRIER_ARRIVE;
    if (!needs && d->s->count == at + 1)
        return true; /* o.a stays 0, which means one arrival */
    i->wide_a = i->operation == MBARRIER_WAIT_STATE;
    return decode_read(d, at + 1, i->wide_a ? 8 : 4, false, &i->o.a);
}

/* Reads operand number `at`, an address that must be a register without an offset. */
static bool plain_address(struct decoder *d, int at, bool *wide, slot_reference *out)
{
    const struct ptx_operand *o = &d->operands[at];
    if (o->kind != OPERAND_ADDRESS || o->second < 0 || o->bits)
        return decode_unsupported(d, "its address is not supported");
    struct ptx_operand reg = {.kind = OPERAND_REGISTER, .index = o->second};
    int width = decode_width(d, &reg);
    *wide = width == 8;
    return decode_read_operand(d, &reg, width, false, out);
}

/*
 * Decodes cp.async.ca.shared.global [to], [from], bytes{, bytes of the source}{, policy}, and the
 * instructions for groups of such copies. Copies are complete as soon as they are issued, so
 * waiting for a group does nothing. cp.async.mbarrier.arrive increments the number of arrivals that
 * the barrier waits for, and then arrives. Together, these have no effect. With .noinc, it only
 * arrives.
 */
static bool decode_async_copy(struct decoder *d)
{
    struct instruction *i = d->i;
    if (decode_has(d, "commit_group") || decode_has(d, "wait_all")) {
        i->kind = KIND_ASYNC_GROUP;
        i->operation = decode_has(d, "wait_all") ? ASYNC_WAIT_ALL : ASYNC_COMMIT;
        return decode_only(d, "async commit_group wait_all") && decode_count(d, 0, 0);
    }
    if (decode_has(d, "wait_group")) {
        if (!decode_only(d, "async wait_group") || !decode_count(d, 1, 1))
            return false;
        const struct ptx_operand *open = &d->operands[0];
        i->kind = KIND_ASYNC_GROUP;
        i->operation = ASYNC_WAIT_GROUP;
        i->o.mode = open->kind == OPERAND_INTEGER && open->bits < 255 ? (uint8_t)open->bits : 255;
        return true;
    }
    if (decode_has(d, "mbarrier")) {
        bool only_arrives = decode_has(d, "noinc");
        if (!decode_only(d, "async mbarrier arrive noinc shared shared::cta b64") ||
            !decode_count(d, 1, 1) || !decode_address(d, 0))
            return false;
        i->kind = only_arrives ? KIND_MBARRIER : KIND_ASYNC_GROUP;
        i->operation = only_arrives ? MBARRIER_ARRIVE_COPIES : ASYNC_ATTACH;
        return true;
    }
    int policy = decode_has(d, "L2::cache_hint") ? 1 : 0;
    if (!decode_only(d, "async ca cg shared shared::cta global L2::cache_hint L2::64B L2::128B "
                        "L2::256B") ||
        !decode_count(d, 3, 4 + policy))
        return false;
    const struct ptx_operand *from = &d->operands[1], *size = &d->operands[2];
    struct ptx_operand reg = {.kind = OPERAND_REGISTER, .index = from->second};
    if (size->kind != OPERAND_INTEGER || (size->bits != 4 && size->bits != 8 && size->bits != 16))
        return decode_unsupported(d, "its size is not supported");
    if (from->kind != OPERAND_ADDRESS || from->second < 0 || from->bits > 255)
        return decode_unsupported(d, "its address is not supported");
    i->kind = KIND_ASYNC_COPY;
    i->operation = decode_has(d, "cg"); /* the copy bypasses L1 */
    i->bytes = (uint8_t)size->bits;
    i->o.mode = (uint8_t)from->bits;
    if (!decode_address(d, 0) || !decode_read_operand(d, &reg, 8, false, &i->o.a))
        return false;
    return d->s->count - policy < 4 || decode_read(d, 3, 4, false, &i->o.c);
}

/* Decodes cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], n,
 * [barrier]. */
bool decode_copy(struct decoder *d)
{
    struct instruction *i = d->i;
    bool wide;
    if (decode_has(d, "async") && !decode_has(d, "bulk"))
        return decode_async_copy(d);
    if (!decode_has(d, "bulk") || !decode_has(d, "global") ||
        !decode_has(d, "mbarrier::complete_tx::bytes") ||
        !decode_only(d, "async bulk shared::cluster shared::cta global "
                        "mbarrier::complete_tx::bytes L2::cache_hint"))
        return decode_unsupported(d, "this form is not supported");
    i->kind = KIND_BULK_COPY;
    if (!decode_count(d, 4, 5) || !decode_address(d, 0) || !plain_address(d, 1, &wide, &i->o.a) ||
        !decode_read(d, 2, 4, false, &i->o.c))
        return false;
    if (!wide || !i->has_address)
        return decode_unsupported(d, "its address is not supported");
    return plain_address(d, 3, &i->wide_d, &i->o.d2);
}

/* Decodes createpolicy. The simulator has no caches, so any value can stand for a policy. */
bool decode_policy(struct decoder *d)
{
    struct instruction *i = d->i;
    i->o.a = decode_constant(d, 8, 0);
    return decode_only(d, "fractional L2::evict_last L2::evict_first L2::evict_normal "
                          "L2::evict_unchanged b64") &&
           decode_count(d, 1, 3) && decode_write(d, 0, 8, &i->o.d) && decode_lane(d, "mov_u64");
}

/* Decodes barrier.cluster.arrive{.release .relaxed}{.aligned} and
 * barrier.cluster.wait{.acquire}{.aligned}. */
bool decode_cluster_barrier(struct decoder *d)
{
    bool arrive = decode_has(d, "arrive");
    if (!decode_only(d, "cluster arrive wait release relaxed acquire aligned") ||
        arrive == decode_has(d, "wait") || !decode_count(d, 0, 0))
        return decode_unsupported(d, "this form is not supported");
    d->i->kind = KIND_CLUSTER_BARRIER;
    d->i->operation = arrive ? CLUSTER_ARRIVE : CLUSTER_WAIT;
    return true;
}

/* Decodes mapa{.shared::cluster}.u32 d, a, b. */
bool decode_map_shared(struct decoder *d)
{
    struct instruction *i = d->i;
    bool wide = decode_has(d, "u64");
    if (!decode_only(d, "shared::cluster u32 u64") || !decode_count(d, 3, 3))
        return false;
    i->kind = KIND_MAP_SHARED;
    i->wide_d = i->wide_a = wide;
    return decode_write(d, 0, wide ? 8 : 4, &i->o.d) &&
           decode_read(d, 1, wide ? 8 : 4, false, &i->o.a) && decode_read(d, 2, 4, false, &i->o.b);
}
