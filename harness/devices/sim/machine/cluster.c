/*
 * Implements cluster.h.
 */
#include "devices/sim/machine/cluster.h"
#include "devices/sim/races/races.h"

#include <stdlib.h>

struct cluster {
    struct block *blocks[MAX_CLUSTER]; /* NULL: the block has ended */
    uint64_t first;                    /* the number of blocks[0] in the grid */
    int count, left;
};

bool cluster_form(struct block *const *blocks, int count)
{
    struct cluster *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    c->first = blocks[0]->number;
    c->count = c->left = count;
    for (int k = 0; k < count; k++) {
        c->blocks[k] = blocks[k];
        blocks[k]->cluster = c;
    }
    return true;
}

void cluster_leave(struct block *b)
{
    struct cluster *c = b->cluster;
    if (!c)
        return;
    b->cluster = NULL;
    for (int k = 0; k < c->count; k++)
        if (c->blocks[k] == b)
            c->blocks[k] = NULL;
    if (--c->left == 0)
        free(c);
}

/* If every thread of b's cluster that has not exited has arrived at the cluster's barrier, ends the
 * phase and lets waiting lanes continue. */
static void end_phase(struct block *b)
{
    struct cluster *c = b->cluster;
    for (int k = 0; k < c->count; k++)
        for (int j = 0; c->blocks[k] && j < c->blocks[k]->warp_count; j++)
            if (c->blocks[k]->warps[j].live & ~c->blocks[k]->warps[j].arrived)
                return;
    for (int k = 0; k < c->count; k++) {
        for (int j = 0; c->blocks[k] && j < c->blocks[k]->warp_count; j++) {
            struct warp *warp = &c->blocks[k]->warps[j];
            warp->arrived = 0;
            for (int n = 0; n < warp->split_count; n++) {
                if (warp->splits[n].state != SPLIT_WAITS_CLUSTER)
                    continue;
                warp->splits[n].state = SPLIT_READY;
                warp->must_wait &= ~warp->splits[n].mask;
                warp->state = WARP_READY;
            }
        }
    }
    if (b->launch->races)
        races_cluster_barrier(b->launch->races, c->first, c->blocks, c->count);
}

void cluster_thread_ends(struct block *b)
{
    if (b->cluster)
        end_phase(b);
}

bool cluster_barrier(struct worker *w, struct warp *warp, struct split *split,
                     const struct instruction *i, uint32_t exec, bool *go)
{
    struct block *b = warp->block;
    *go = true;
    /* in a launch without clusters, each block is a cluster of its own */
    if (!b->cluster && !cluster_form(&b, 1))
        return fault_set(w, warp, -1, FAULT_MEMORY, "not enough memory for a cluster of blocks");
    if (i->operation == CLUSTER_ARRIVE) {
        if (exec & warp->must_wait)
            return fault_set(
                w, warp, __builtin_ctz(exec & warp->must_wait), FAULT_LAUNCH,
                "the thread arrives at the cluster's barrier again without having waited");
        warp->arrived |= exec;
        warp->must_wait |= exec;
        end_phase(b);
        return true;
    }
    if (exec & ~warp->must_wait)
        return fault_set(w, warp, __builtin_ctz(exec & ~warp->must_wait), FAULT_LAUNCH,
                         "the thread waits at the cluster's barrier without having arrived");
    *go = !(exec & warp->arrived);
    if (*go) {
        warp->must_wait &= ~exec;
        return true;
    }
    if (split->mask != exec)
        return fault_set(w, warp, __builtin_ctz(exec), FAULT_UNSUPPORTED,
                         "only some lanes of the warp execute this guarded barrier");
    split->state = SPLIT_WAITS_CLUSTER;
    return true;
}

bool cluster_stuck(const struct block *b)
{
    const struct cluster *c = b->cluster;
    for (int k = 0; c && k < c->count; k++)
        for (int j = 0; c->blocks[k] && j < c->blocks[k]->warp_count; j++)
            if (c->blocks[k]->warps[j].state == WARP_READY)
                return false;
    return true;
}

bool cluster_map(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    const struct cluster *c = warp->block->cluster;
    uint32_t count = c ? (uint32_t)c->count : 1;
    const uint32_t *rank = slot_at(warp->base, i->o.b);
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t a = i->wide_a ? ((const uint64_t *)slot_at(warp->base, i->o.a))[lane]
                               : ((const uint32_t *)slot_at(warp->base, i->o.a))[lane];
        if (a - SHARED_WINDOW < WINDOW_BYTES)
            a -= SHARED_WINDOW;
        if (a - CLUSTER_WINDOW < MAX_CLUSTER * WINDOW_BYTES)
            a = (a - CLUSTER_WINDOW) % WINDOW_BYTES;
        if (rank[lane] >= count || a >= WINDOW_BYTES)
            return fault_set(
                w, warp, lane, FAULT_LAUNCH,
                "the thread maps address 0x%llx to block %u of its cluster, but the address must "
                "be in shared memory, and the cluster has %u blocks (numbered from 0)",
                (unsigned long long)a, rank[lane], count);
        a += CLUSTER_WINDOW + rank[lane] * WINDOW_BYTES;
        if (i->wide_d)
            ((uint64_t *)slot_at(warp->base, i->o.d))[lane] = a;
        else
            ((uint32_t *)slot_at(warp->base, i->o.d))[lane] = (uint32_t)a;
    }
    return true;
}

struct block *cluster_block(struct worker *w, struct warp *warp, unsigned lane, uint64_t address,
                            uint64_t *offset)
{
    const struct cluster *c = warp->block->cluster;
    *offset = address;
    if (address < WINDOW_BYTES)
        return warp->block;
    uint64_t rank = (address - CLUSTER_WINDOW) / WINDOW_BYTES;
    *offset = (address - CLUSTER_WINDOW) % WINDOW_BYTES;
    if (!c && rank == 0)
        return warp->block;
    if (c && rank < (uint64_t)c->count && c->blocks[rank])
        return c->blocks[rank];
    fault_set(
        w, warp, (int)lane, FAULT_LAUNCH,
        c && rank < (uint64_t)c->count
            ? "the thread uses shared memory of block %llu of its cluster, but that block has ended"
            : "the thread uses shared memory of block %llu of its cluster, but the cluster has "
              "fewer blocks",
        (unsigned long long)rank);
    return NULL;
}
