/*
 * Executes mbarrier instructions (barriers in shared memory) and asynchronous copies.
 *
 * A barrier has 64 bits, whose meaning PTX does not define. Here, bits 0 to 14 contain the number
 * of arrivals that the current phase still waits for, bits 15 to 29 the number of arrivals per
 * phase, bit 30 the parity of the current phase, and the upper half the number of bytes that copies
 * have yet to write. A phase ends when it waits for no more arrivals and no more bytes.
 *
 * Bulk copies are complete as soon as they are issued. That is correct, because PTX only requires
 * that a copy is complete when its barrier says so. On hardware, bulk copies bypass the units that
 * count sectors and requests, so they count only as instructions. Source: PTX ISA, chapters
 * 9.7.9.25 and 9.7.13.15.
 *
 * A cp.async counts as a global load by the lanes that copy something. An H100 counts neither lanes
 * that only write zeros nor the stores to shared memory. If a cp.async bypasses L1 (.cg), lines are
 * counted separately for each group of 8 lanes, and the number of sectors depends on timing. For
 * example, it is different in blocks of 32 and of 128 threads that make the same accesses
 * (results/reference/h100-oracle).
 */
#include "devices/sim/counts/coalesce.h"
#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"

#include <string.h>

enum { MAX_ARRIVALS = (1 << 15) - 1 };
enum { BYTES_OF_CHARGE = 512 }; /* the charge for a bulk copy is 1 for so many bytes */

struct barrier_word {
    uint32_t pending, arrivals, phase;
    int32_t bytes;
};

static struct barrier_word unpack(uint64_t word)
{
    return (struct barrier_word){word & MAX_ARRIVALS, word >> 15 & MAX_ARRIVALS, word >> 30 & 1,
                                 (int32_t)(word >> 32)};
}

static uint64_t pack(struct barrier_word b)
{
    return (uint64_t)b.pending | (uint64_t)b.arrivals << 15 | (uint64_t)b.phase << 30 |
           (uint64_t)(uint32_t)b.bytes << 32;
}

static void end_phase(struct barrier_word *b)
{
    if (b->pending || b->bytes)
        return;
    b->phase ^= 1;
    b->pending = b->arrivals;
}

/* Returns the value that a register has in one lane. `wide` says whether it has 64 bits. */
static uint64_t lane_value(const struct warp *warp, slot_reference slot, bool wide, int lane)
{
    const void *from = slot_at(warp->base, slot);
    return wide ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
}

/*
 * Returns the host memory of `bytes` bytes of shared memory. `address` is an offset or a generic
 * address. Returns NULL after a fault.
 */
static uint8_t *shared_at(struct worker *w, struct warp *warp, int lane, uint64_t address,
                          uint64_t bytes, uint64_t align)
{
    struct block *b = warp->block;
    if (address - SHARED_WINDOW < WINDOW_BYTES)
        address -= SHARED_WINDOW;
    if (address <= b->shared_bytes && bytes <= b->shared_bytes - address && address % align == 0)
        return b->shared + address;
    fault_set(w, warp, lane, FAULT_LAUNCH,
              "the thread accesses %llu bytes of shared memory at offset %llu, but the block has "
              "only %u bytes, and the offset must be a multiple of %llu",
              (unsigned long long)bytes, (unsigned long long)address, b->shared_bytes,
              (unsigned long long)align);
    return NULL;
}

static bool arrive(struct worker *w, struct warp *warp, int lane, struct barrier_word *b,
                   uint32_t count, bool drops)
{
    if (count > b->pending)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "%u arrivals are too many for this barrier, whose current phase waits for "
                         "only %u more of %u arrivals",
                         count, b->pending, b->arrivals);
    b->pending -= count;
    if (drops)
        b->arrivals -= count;
    return true;
}

/* Tells the race detector that a thread has arrived at a barrier. `b` is the barrier afterwards,
 * and `phase` was its phase before. */
static void note_arrival(struct worker *w, struct warp *warp, const struct instruction *i, int lane,
                         uint64_t offset, const struct barrier_word *b, uint32_t phase)
{
    bool copies = i->operation == MBARRIER_ARRIVE_COPIES;
    if (copies)
        races_copy_attach(w->launch->races, warp, (unsigned)lane, offset, phase);
    if (copies || i->operation == MBARRIER_ARRIVE || i->operation == MBARRIER_ARRIVE_EXPECT)
        races_mbarrier_arrive(w->launch->races, warp, (unsigned)lane, offset, b->arrivals,
                              b->phase != phase);
}

/* Sets the result of a wait to whether the phase with this parity has ended. */
static void test_wait(const struct worker *w, struct warp *warp, const struct instruction *i,
                      int lane, uint64_t offset, uint32_t phase, uint32_t parity)
{
    uint32_t *p = slot_at(warp->base, i->o.d);
    *p = (*p & ~(1u << lane)) | (uint32_t)(phase != parity) << lane;
    if (w->launch->races && phase != parity)
        races_mbarrier_wait(w->launch->races, warp, (unsigned)lane, offset, parity);
}

static bool barrier_lane(struct worker *w, struct warp *warp, const struct instruction *i, int lane)
{
    uint64_t address = i->offset, word, value = 1;
    if (i->has_address)
        address += lane_value(warp, i->o.b, i->wide_address, lane);
    uint8_t *at = shared_at(w, warp, lane, address, 8, 8);
    if (!at)
        return false;
    if (i->o.a)
        value = lane_value(warp, i->o.a, i->wide_a, lane);
    memcpy(&word, at, sizeof word);
    struct barrier_word b = unpack(word);
    const uint64_t offset = (uint64_t)(at - warp->block->shared);
    switch ((enum mbarrier_operation)i->operation) {
    case MBARRIER_INIT:
        if (value < 1 || value > MAX_ARRIVALS)
            return fault_set(w, warp, lane, FAULT_LAUNCH,
                             "a barrier cannot be initialized for %llu arrivals",
                             (unsigned long long)value);
        b = (struct barrier_word){(uint32_t)value, (uint32_t)value, 0, 0};
        memset(warp->block->written + (at - warp->block->shared), 1, 8);
        break;
    case MBARRIER_INVALIDATE:
        b = (struct barrier_word){0};
        break;
    case MBARRIER_EXPECT:
        b.bytes += (int32_t)value;
        break;
    case MBARRIER_ARRIVE_EXPECT:
        b.bytes += (int32_t)value;
        if (!arrive(w, warp, lane, &b, 1, i->drops))
            return false;
        break;
    case MBARRIER_ARRIVE:
    case MBARRIER_ARRIVE_COPIES:
        if (!arrive(w, warp, lane, &b, (uint32_t)value, i->drops))
            return false;
        break;
    case MBARRIER_COMPLETE:
        b.bytes -= (int32_t)value;
        break;
    case MBARRIER_PENDING:
        break; /* async_barrier() executes this itself */
    case MBARRIER_WAIT_PARITY:
        test_wait(w, warp, i, lane, offset, b.phase, value & 1);
        return true;
    case MBARRIER_WAIT_STATE:
        test_wait(w, warp, i, lane, offset, b.phase, unpack(value).phase);
        return true;
    }
    uint32_t phase = b.phase;
    if (i->operation != MBARRIER_INIT && i->operation != MBARRIER_INVALIDATE)
        end_phase(&b);
    if (w->launch->races)
        note_arrival(w, warp, i, lane, offset, &b, phase);
    if (i->has_d)
        ((uint64_t *)slot_at(warp->base, i->o.d))[lane] = word;
    word = pack(b);
    memcpy(at, &word, sizeof word);
    return true;
}

bool async_barrier(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    if (i->operation == MBARRIER_PENDING) {
        for (uint32_t rest = exec; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            uint64_t state = lane_value(warp, i->o.a, true, lane);
            ((uint32_t *)slot_at(warp->base, i->o.d))[lane] = unpack(state).pending;
        }
        return true;
    }
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        if (!barrier_lane(w, warp, i, __builtin_ctz(rest)))
            return false;
    return true;
}

static bool bulk_copy_lane(struct worker *w, struct warp *warp, const struct instruction *i,
                           int lane)
{
    uint64_t to = i->offset + lane_value(warp, i->o.b, i->wide_address, lane), word;
    uint64_t from = lane_value(warp, i->o.a, true, lane);
    uint64_t bytes = lane_value(warp, i->o.c, false, lane);
    uint8_t *target = shared_at(w, warp, lane, to, bytes, 16);
    uint8_t *barrier =
        target ? shared_at(w, warp, lane, lane_value(warp, i->o.d2, i->wide_d, lane), 8, 8) : NULL;
    if (!barrier)
        return false;
    const uint8_t *source = memory_host(w->launch->memory, from, bytes);
    char near[160];
    if (!source)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread copies %llu bytes from address 0x%llx, %s",
                         (unsigned long long)bytes, (unsigned long long)from,
                         memory_near(w->launch->memory, from, near, sizeof near));
    if (bytes % 16 || from % 16)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread copies %llu bytes from address 0x%llx, but the size and the "
                         "address must be multiples of 16",
                         (unsigned long long)bytes, (unsigned long long)from);
    memcpy(target, source, bytes);
    memset(warp->block->written + (target - warp->block->shared), 1, bytes);
    charge(w, warp, 1 + bytes / BYTES_OF_CHARGE);
    memcpy(&word, barrier, sizeof word);
    struct barrier_word b = unpack(word);
    uint64_t offset = (uint64_t)(barrier - warp->block->shared);
    uint32_t phase = b.phase;
    if (w->launch->races)
        races_copy(w->launch->races, warp, (unsigned)lane, (uint64_t)(target - warp->block->shared),
                   bytes, offset, phase);
    b.bytes -= (int32_t)bytes;
    end_phase(&b);
    if (w->launch->races && b.phase != phase && b.arrivals > 1)
        races_mbarrier_arrive(w->launch->races, warp, (unsigned)lane, offset, b.arrivals, true);
    word = pack(b);
    memcpy(barrier, &word, sizeof word);
    return true;
}

bool async_bulk_copy(struct worker *w, struct warp *warp, const struct instruction *i,
                     uint32_t exec)
{
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        if (!bulk_copy_lane(w, warp, i, __builtin_ctz(rest)))
            return false;
    return true;
}

/*
 * Executes a cp.async for one lane. It writes i->bytes bytes of shared memory. The first o.c of
 * them are copied from global memory, and the others are zeros. Without o.c, all are copied.
 */
static bool copy_lane(struct worker *w, struct warp *warp, const struct instruction *i, int lane)
{
    uint64_t to = i->offset, from = lane_value(warp, i->o.a, true, lane) + i->o.mode;
    uint64_t bytes = i->bytes, given = bytes;
    char near[160];
    if (i->has_address)
        to += lane_value(warp, i->o.b, i->wide_address, lane);
    if (to - SHARED_WINDOW < WINDOW_BYTES && i->wide_address)
        to -= SHARED_WINDOW;
    if (i->o.c)
        given = lane_value(warp, i->o.c, false, lane);
    uint8_t *target = shared_at(w, warp, lane, to, bytes, bytes);
    if (!target)
        return false;
    if (given > bytes)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread copies %llu bytes, but this instruction copies at most %llu",
                         (unsigned long long)given, (unsigned long long)bytes);
    const uint8_t *source = given ? memory_host(w->launch->memory, from, given) : target;
    if (!source)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread copies %llu bytes from address 0x%llx, %s",
                         (unsigned long long)given, (unsigned long long)from,
                         memory_near(w->launch->memory, from, near, sizeof near));
    if (given && from % bytes)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread copies %llu bytes from address 0x%llx, which is not a "
                         "multiple of this size",
                         (unsigned long long)bytes, (unsigned long long)from);
    if (w->launch->races)
        races_copy(w->launch->races, warp, (unsigned)lane, (uint64_t)(target - warp->block->shared),
                   bytes, UINT64_MAX, false);
    memmove(target, source, given);
    memset(target + given, 0, bytes - given);
    memset(warp->block->written + (target - warp->block->shared), 1, bytes);
    return true;
}

static void count_copy(struct access_counts *c, const uint64_t *from, uint32_t copies,
                       unsigned bytes, bool past_l1)
{
    c->requests++;
    c->bytes += (uint64_t)bytes * lane_count(copies);
    c->sectors += coalesce_pieces(from, copies, bytes, 5);
    if (past_l1)
        c->collisions++;
    else
        c->lines += coalesce_pieces(from, copies, bytes, 7);
    for (int first = 0; past_l1 && first < LANES; first += 8)
        if (copies >> first & 0xff)
            c->lines += coalesce_pieces(from, copies & 0xffu << first, bytes, 7);
}

bool async_copy(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    uint64_t from[LANES] = {0};
    uint32_t copies = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (!copy_lane(w, warp, i, lane))
            return false;
        from[lane] = lane_value(warp, i->o.a, true, lane) + i->o.mode;
        if (!i->o.c || lane_value(warp, i->o.c, false, lane))
            copies |= 1u << lane;
    }
    if (copies)
        count_copy(&w->counts.global[ACCESS_LOAD], from, copies, i->bytes, i->operation);
    return true;
}

/*
 * Executes instructions that commit copies to groups or wait for them. All copies are complete as
 * soon as they are issued, so only the race detector needs to know which threads have waited.
 */
bool async_group(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    struct races *r = w->launch->races;
    for (uint32_t rest = r ? exec : 0; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (i->operation != ASYNC_ATTACH) {
            races_copy_group(r, warp, (unsigned)lane, (enum async_operation)i->operation,
                             i->operation == ASYNC_WAIT_GROUP ? i->o.mode : -1);
            continue;
        }
        uint64_t address = i->offset, word;
        if (i->has_address)
            address += lane_value(warp, i->o.b, i->wide_address, lane);
        const uint8_t *at = shared_at(w, warp, lane, address, 8, 8);
        if (!at)
            return false;
        memcpy(&word, at, sizeof word);
        races_copy_attach(r, warp, (unsigned)lane, (uint64_t)(at - warp->block->shared),
                          unpack(word).phase);
    }
    return true;
}
