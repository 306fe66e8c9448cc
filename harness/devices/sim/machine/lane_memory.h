/* Functions that compute the addresses that lanes access, and translate them to host memory (NULL
 * if an address is outside of all memory). They are in a header so that they can be inlined.
 * Included only by access.c. */
#ifndef REDSWEEP_SIM_LANE_MEMORY_H
#define REDSWEEP_SIM_LANE_MEMORY_H

#include "devices/sim/machine/machine.h"

/* Computes the address of every lane for instruction i, including lanes that do not execute it. */
static inline void lane_addresses(struct warp *warp, const struct instruction *i,
                                  uint64_t address[LANES])
{
    uint64_t offset = i->offset;
    if (!i->has_address) {
        for (int lane = 0; lane < LANES; lane++)
            address[lane] = offset;
    } else if (i->wide_address) {
        const uint64_t *from = slot_at(warp->base, i->o.b);
        for (int lane = 0; lane < LANES; lane++)
            address[lane] = from[lane] + offset;
    } else {
        const uint32_t *from = slot_at(warp->base, i->o.b);
        for (int lane = 0; lane < LANES; lane++)
            address[lane] = from[lane] + offset;
    }
}

/*
 * If the lanes of `exec` are 0 … n-1 and access consecutive values of `bytes` bytes, returns n.
 * Otherwise returns 0.
 */
static inline unsigned consecutive(const uint64_t address[LANES], uint32_t exec, unsigned bytes)
{
    if (exec & (exec + 1))
        return 0;
    uint64_t first = address[0], different = 0;
    if (exec == 0xffffffffu) {
        for (unsigned lane = 0; lane < LANES; lane++)
            different |= address[lane] ^ (first + lane * (uint64_t)bytes);
        return different ? 0 : LANES;
    }
    unsigned lanes = (unsigned)__builtin_ctz(~exec);
    for (unsigned lane = 1; lane < lanes; lane++)
        different |= address[lane] ^ (first + lane * (uint64_t)bytes);
    return different ? 0 : lanes;
}

/* Translates a range of global memory to host memory. Tries w->recent first, because the range is
 * nearly always in the same allocation as the previous access. */
static inline uint8_t *global_host(struct worker *w, uint64_t address, uint64_t bytes)
{
    const struct allocation *a = w->recent;
    if (!a || address < a->address || address - a->address > a->bytes ||
        bytes > a->bytes - (address - a->address)) {
        a = memory_find(w->launch->memory, address, bytes);
        if (!a)
            return NULL;
        w->recent = a;
    }
    memory_touch(a, address - a->address, bytes);
    return a->host + (address - a->address);
}

/* These two functions translate a range in the block's shared memory, or in a lane's local memory,
 * to host memory. */
static inline uint8_t *shared_host(struct warp *warp, uint64_t address, uint64_t bytes)
{
    const struct block *b = warp->shares;
    if (address > b->shared_bytes || bytes > b->shared_bytes - address)
        return NULL;
    return b->shared + address;
}

static inline uint8_t *local_host(struct worker *w, struct warp *warp, unsigned lane,
                                  uint64_t address, uint64_t bytes)
{
    uint64_t all = w->launch->p->local_bytes;
    if (address > all || bytes > all - address)
        return NULL;
    return warp->local + lane * all + address;
}

#endif
