/*
 * Creates thread blocks, runs their warps in turn, and implements their barriers.
 *
 * A barrier without a thread count waits for all threads of the block that have not ended. CUDA
 * does not define this, but GPUs since Volta do the same. While the simulator looks for data races,
 * the barrier waits for all threads of the block. If some have ended, that is reported as an error.
 */
/* Turns off a vectorization that reads several members at once right after they were written one by
 * one. The CPU cannot forward such stores to the load, so it waits. */
#ifndef __clang__
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#include "devices/sim/machine/cluster.h"
#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* about how many instructions a warp executes before the next warp runs */
    WARP_SHARE = 1 << 18
};

void block_free(struct block *b)
{
    if (!b)
        return;
    cluster_leave(b);
    free(b->warps);
    free(b->registers);
    free(b->local);
    free(b->shared);
    free(b->written);
    free(b);
}

static struct block *new_block(const struct launch_state *l)
{
    struct block *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->warp_count = (int)((l->block_threads + LANES - 1) / LANES);
    b->shared_bytes = l->shared_bytes;
    size_t warps = (size_t)b->warp_count;
    b->warps = calloc(warps, sizeof *b->warps);
    b->registers = aligned_alloc(64, warps * l->p->register_bytes);
    b->local = calloc(warps * LANES * l->p->local_bytes + 1, 1);
    /* a little more, because vector copies for the last lanes may read past the end */
    b->shared = calloc((size_t)l->shared_bytes + 64, 1);
    b->written = calloc((size_t)l->shared_bytes + 64, 1);
    if (b->warps && b->registers && b->local && b->shared && b->written)
        return b;
    block_free(b);
    return NULL;
}

static void set_special(struct warp *warp, const struct program *p, enum special s, uint32_t value)
{
    if (!(p->specials_used >> s & 1))
        return;
    uint32_t *slot = slot_at(warp->base, p->specials[s]);
    for (int lane = 0; lane < LANES; lane++)
        slot[lane] = value;
}

static void fill_threads(struct warp *warp, const struct launch_state *l)
{
    const struct program *p = l->p;
    uint32_t *x = slot_at(warp->base, p->specials[SPECIAL_TID_X]);
    uint32_t *y = slot_at(warp->base, p->specials[SPECIAL_TID_Y]);
    uint32_t *z = slot_at(warp->base, p->specials[SPECIAL_TID_Z]);
    uint32_t first = (uint32_t)warp->index * LANES;
    if (l->threads[1] == 1 && l->threads[2] == 1) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            x[lane] = first + lane;
        return; /* y and z are already 0 */
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        x[lane] = (first + lane) % l->threads[0];
        y[lane] = (first + lane) / l->threads[0] % l->threads[1];
        z[lane] = (first + lane) / l->threads[0] / l->threads[1];
    }
}

static void start_warp(struct worker *w, struct block *b, int index)
{
    struct launch_state *l = w->launch;
    const struct program *p = l->p;
    struct warp *warp = &b->warps[index];
    unsigned left = l->block_threads - (unsigned)index * LANES;
    warp->block = warp->shares = b;
    warp->arrived = warp->must_wait = warp->launch_failed = 0;
    warp->index = index;
    warp->base[AREA_WARP] = b->registers + (size_t)index * p->register_bytes;
    warp->base[AREA_LAUNCH] = l->area;
    warp->local = b->local + (size_t)index * LANES * p->local_bytes;
    warp->launched = warp->live = left >= LANES ? 0xffffffffu : (1u << left) - 1;
    warp->state = WARP_READY;
    warp->at = 0;
    warp->spin_at = -1;
    warp->spins = 0;
    warp->executed = 0;
    warp->epoch = 0;
    warp->unfenced = warp->fenced = 0;
    memset(warp->again, 0, sizeof warp->again);
    warp->split_count = 1;
    warp->splits[0] = (struct split){
        .reconverge = -1, .mask = warp->live, .parent = -1, .state = SPLIT_READY, .call = -1};
    /* the registers may contain values of an earlier block */
    memset(warp->base[AREA_WARP], 0, p->register_bytes);
    fill_threads(warp, l);
    set_special(warp, p, SPECIAL_CTAID_X, b->index[0]);
    set_special(warp, p, SPECIAL_CTAID_Y, b->index[1]);
    set_special(warp, p, SPECIAL_CTAID_Z, b->index[2]);
    set_special(warp, p, SPECIAL_WARPID, (uint32_t)index);
    set_special(warp, p, SPECIAL_SMID, 0);
    set_special(warp, p, SPECIAL_CLUSTER_RANK, (uint32_t)(b->number % l->cluster));
    set_special(warp, p, SPECIAL_CLUSTERID_X, b->index[0] / l->cluster);
}

struct block *block_start(struct worker *w, uint64_t number)
{
    struct launch_state *l = w->launch;
    struct block *b = w->spare;
    if (b)
        w->spare = b->next;
    else
        b = new_block(l);
    if (!b)
        return NULL;
    b->launch = l;
    b->number = number;
    b->index[0] = (unsigned)(number % l->grid[0]);
    b->index[1] = (unsigned)(number / l->grid[0] % l->grid[1]);
    b->index[2] = (unsigned)(number / l->grid[0] / l->grid[1]);
    b->done = b->next_warp = 0;
    b->ended = 0;
    b->next = NULL;
    b->epoch = 0;
    if (l->races)
        races_begin_block(l->races, b);
    memset(b->barriers, 0, sizeof b->barriers);
    if (l->shared_bytes)
        memset(b->written, 0, l->shared_bytes);
    if (l->p->uses_reserved) {
        memset(b->shared + l->reserved_at, 0, RESERVED_SHARED_BYTES);
        memset(b->written + l->reserved_at, 1, RESERVED_SHARED_BYTES);
    }
    for (int k = 0; k < b->warp_count; k++)
        start_warp(w, b, k);
    w->counts.blocks++;
    w->counts.warps += (uint64_t)b->warp_count;
    w->counts.threads += l->block_threads;
    return b;
}

/* Stores the result of a bar.red in the lanes of `split`, after all threads have arrived. Does
 * nothing for barriers without a result. */
static void give_result(const struct launch_state *l, struct warp *warp, const struct split *split,
                        const struct barrier *bar)
{
    const struct instruction *i = &l->p->code[split->pc - 1];
    uint32_t result = bar->votes;
    if (i->operation == BARRIER_SYNC || i->operation == BARRIER_ARRIVE)
        return;
    uint32_t *d = slot_at(warp->base, i->o.d);
    if (i->operation == BARRIER_POPC) {
        for (uint32_t rest = split->mask; rest; rest &= rest - 1)
            d[__builtin_ctz(rest)] = result;
        return;
    }
    bool yes = i->operation == BARRIER_AND ? bar->votes == bar->voters : bar->votes > 0;
    *d = (*d & ~split->mask) | (yes ? split->mask : 0);
}

static void release_warps(struct block *b, uint32_t number)
{
    struct barrier *bar = &b->barriers[number];
    for (int k = 0; k < b->warp_count; k++) {
        struct warp *warp = &b->warps[k];
        for (int j = 0; j < warp->split_count; j++) {
            struct split *p = &warp->splits[j];
            if (p->state != SPLIT_WAITS_BLOCK || p->waits_for != number)
                continue;
            give_result(b->launch, warp, p, bar);
            p->state = SPLIT_READY;
            warp->state = WARP_READY;
        }
    }
    *bar = (struct barrier){0};
    b->epoch++;
}

/* Returns how many threads a barrier waits for. `asked` is the number given in the instruction, or
 * 0. */
static uint32_t threads_awaited(const struct block *b, uint32_t asked)
{
    if (asked)
        return asked;
    return b->launch->block_threads - (b->launch->races ? 0 : b->ended);
}

void block_threads_end(struct block *b, uint32_t lanes)
{
    b->ended += lane_count(lanes);
    for (uint32_t number = 0; number < MAX_BARRIERS; number++) {
        const struct barrier *bar = &b->barriers[number];
        if (bar->arrived && bar->arrived >= threads_awaited(b, bar->expected))
            release_warps(b, number);
    }
}

enum arrival block_barrier(struct worker *w, struct warp *warp, struct split *split,
                           const struct instruction *i, uint32_t exec)
{
    struct block *b = warp->block;
    int first = __builtin_ctz(exec);
    warp->apart = false;
    uint32_t number = ((const uint32_t *)slot_at(warp->base, i->o.a))[first];
    uint32_t threads = i->o.has_d2 ? ((const uint32_t *)slot_at(warp->base, i->o.b))[first] : 0;
    if (number >= MAX_BARRIERS) {
        fault_set(
            w, warp, first, FAULT_LAUNCH,
            "the thread uses barrier number %u, but a block has only %d barriers (numbered from 0)",
            number, MAX_BARRIERS);
        return ARRIVAL_FAULT;
    }
    if (threads % LANES || threads > w->launch->block_threads + LANES - 1) {
        fault_set(w, warp, first, FAULT_LAUNCH,
                  "this barrier is used with %u threads, but the number must be a multiple of 32 "
                  "and must not exceed the block's number of threads",
                  threads);
        return ARRIVAL_FAULT;
    }
    struct barrier *bar = &b->barriers[number];
    if (bar->arrived && bar->expected != threads) {
        fault_set(w, warp, first, FAULT_LAUNCH,
                  "barrier %u is used with %u and with %u threads at the same time", number,
                  bar->expected, threads);
        return ARRIVAL_FAULT;
    }
    bar->expected = threads;
    /* With a thread count, all threads of a warp count as arrived even if only some execute the
     * barrier. */
    bar->arrived += threads ? LANES : lane_count(exec);
    if (i->operation >= BARRIER_POPC) {
        uint32_t p = *(const uint32_t *)slot_at(warp->base, i->o.c);
        p = (i->o.negate_c ? ~p : p) & exec;
        bar->votes += lane_count(p);
        bar->voters += lane_count(exec);
    }
    split->waits_for = number;
    uint32_t mask = split->mask;
    split->mask = exec; /* so that release_warps() stores results only in these lanes */
    bool complete = bar->arrived >= threads_awaited(b, threads);
    if (complete) {
        split->state = SPLIT_WAITS_BLOCK;
        release_warps(b, number);
        split->mask = mask;
        return ARRIVAL_GOES_ON;
    }
    split->mask = mask;
    if (i->operation == BARRIER_ARRIVE)
        return ARRIVAL_GOES_ON;
    if (mask != exec) {
        fault_set(w, warp, first, FAULT_UNSUPPORTED,
                  "only some lanes of the warp execute this guarded barrier");
        return ARRIVAL_FAULT;
    }
    split->state = SPLIT_WAITS_BLOCK;
    return ARRIVAL_WAITS;
}

/*
 * Sets a fault for a deadlock: all warps wait or have ended, and some threads will never arrive at
 * the barrier that the others wait for.
 */
static void report_deadlock(struct worker *w, struct block *b)
{
    for (int k = 0; k < b->warp_count; k++) {
        struct warp *warp = &b->warps[k];
        if (warp->state != WARP_AT_BARRIER)
            continue;
        for (int j = 0; j < warp->split_count; j++) {
            struct split *p = &warp->splits[j];
            if (p->state == SPLIT_WAITS_CLUSTER) {
                warp->at = p->pc - 1;
                fault_set(
                    w, warp, __builtin_ctz(p->mask), FAULT_LAUNCH,
                    "some threads never reach the cluster's barrier, because they wait elsewhere");
                return;
            }
            if (p->state != SPLIT_WAITS_BLOCK)
                continue;
            const struct barrier *bar = &b->barriers[p->waits_for];
            warp->at = p->pc - 1;
            fault_set(w, warp, __builtin_ctz(p->mask), FAULT_LAUNCH,
                      "some threads never reach this barrier: %u of %u threads of the block have "
                      "arrived, and the others have ended or wait elsewhere",
                      bar->arrived, threads_awaited(b, bar->expected));
            return;
        }
    }
}

enum stop block_run(struct worker *w, struct block *b)
{
    uint64_t share = w->launch->budget < WARP_SHARE ? w->launch->budget : WARP_SHARE;
    uint64_t began = work_done(w);
    for (;;) {
        bool moved = false, yielded = false;
        for (int k = 0; k < b->warp_count; k++) {
            struct warp *warp = &b->warps[k];
            if (warp->state != WARP_READY)
                continue;
            uint64_t before = work_done(w);
            enum stop stop = warp_run(w, warp, share);
            if (stop == STOP_FAULT)
                return STOP_FAULT;
            if (warp->executed > w->launch->instruction_limit) {
                fault_set(w, warp, -1, FAULT_TIMEOUT,
                          "the warp has done the work of %llu instructions without ending; the "
                          "limit is %llu per warp",
                          (unsigned long long)warp->executed,
                          (unsigned long long)w->launch->instruction_limit);
                return STOP_FAULT;
            }
            if (stop == STOP_YIELD)
                yielded = true;
            else
                moved = true;
            b->done += stop == STOP_DONE;
            if (work_done(w) - before >= share / 2 &&
                __atomic_load_n(&w->launch->stop, __ATOMIC_RELAXED))
                return STOP_FAULT;
        }
        if (b->done == b->warp_count)
            return STOP_DONE;
        /*
         * A block also yields if its warps have only stopped at barriers, so that the worker can
         * check whether the launch must end.
         */
        if (yielded || work_done(w) - began >= share * (uint64_t)b->warp_count)
            return STOP_YIELD;
        if (!moved && !cluster_stuck(b))
            return STOP_CLUSTER;
        if (!moved) {
            report_deadlock(w, b);
            return STOP_FAULT;
        }
    }
}
