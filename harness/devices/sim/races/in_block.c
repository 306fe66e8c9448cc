/*
 * Implements in_block.h, which explains the rules.
 */
#include "devices/sim/races/in_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "devices/sim/program/program.h"

enum {
    MAX_THREADS = 1024,
    MAX_WARPS = MAX_THREADS / LANES,
    /* If a block has more orderings than this, all its accesses count as ordered, to avoid false
     * alarms. */
    MOST_ORDERS = 4096
};

#define NEVER UINT32_MAX

/* Stands for the accesses of `thread` up to `step`, and those of its warp before warp barrier
 * number `warp_epoch`. */
struct past {
    uint32_t thread, warp_epoch;
    uint64_t step;
};

/*
 * An ordering: the accesses in `past` are ordered before the later accesses of thread `to`, and
 * before those of its warp after warp barrier number `to_epoch`.
 */
struct order {
    struct past past;
    uint32_t to, to_epoch;
};

struct local_flag {
    uint64_t key;
    VEC(struct past) carries;
};

struct copy {
    uint64_t to, end, barrier;
    bool parity;
    uint32_t group; /* the number of the thread's group, if `barrier` is UINT64_MAX */
    struct note issue;
    /*
     * For which threads the copy has ended: single threads (one bit each), all threads of warp k
     * after warp barrier number warps[k], and all threads after block barrier number `block`.
     */
    uint8_t threads[MAX_THREADS / 8];
    uint32_t warps[MAX_WARPS], block;
};

struct in_block {
    /* how many block barriers the block has passed; each orders everything before it */
    uint32_t epoch;
    bool all; /* true if there were too many orderings */
    VEC(struct order) orders;
    VEC(struct local_flag) flags;
    VEC(struct copy) copies;
    uint32_t *groups; /* how many groups each thread has committed; NULL: none */
};

struct in_block *in_block_new(void)
{
    return xcalloc(1, sizeof(struct in_block));
}

void in_block_free(struct in_block *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->flags.count; i++)
        vec_free(&b->flags.items[i].carries);
    vec_free(&b->flags);
    vec_free(&b->orders);
    vec_free(&b->copies);
    free(b->groups);
    free(b);
}

/* ---- Flags ----------------------------------------------------------------------------------- */

static bool same_warp(uint32_t a, uint32_t b)
{
    return a / LANES == b / LANES;
}

/*
 * After a block barrier, drops all orderings by flags. They are no longer needed, because the
 * barrier orders everything before it.
 */
static void enter_epoch(struct in_block *b, uint32_t epoch)
{
    if (epoch == b->epoch)
        return;
    b->epoch = epoch;
    b->all = false;
    b->orders.count = 0;
    for (size_t i = 0; i < b->flags.count; i++)
        b->flags.items[i].carries.count = 0;
}

static struct local_flag *find_flag(struct in_block *b, uint64_t key, bool make)
{
    for (size_t i = 0; i < b->flags.count; i++)
        if (b->flags.items[i].key == key)
            return &b->flags.items[i];
    if (!make)
        return NULL;
    vec_push(&b->flags, (struct local_flag){.key = key});
    return &b->flags.items[b->flags.count - 1];
}

static void carry(struct local_flag *f, struct past past)
{
    for (size_t i = 0; i < f->carries.count; i++) {
        struct past *p = &f->carries.items[i];
        if (p->thread != past.thread)
            continue;
        p->step = p->step > past.step ? p->step : past.step;
        p->warp_epoch = p->warp_epoch > past.warp_epoch ? p->warp_epoch : past.warp_epoch;
        return;
    }
    vec_push(&f->carries, past);
}

static bool reaches(const struct order *o, const struct note *n)
{
    return o->to == n->thread || (same_warp(o->to, n->thread) && n->warp_epoch > o->to_epoch);
}

void in_block_release(struct in_block *b, uint64_t key, const struct note *n)
{
    enter_epoch(b, n->epoch);
    struct local_flag *f = find_flag(b, key, true);
    carry(f, (struct past){n->thread, n->warp_epoch, n->step});
    for (size_t i = 0; i < b->orders.count; i++)
        if (reaches(&b->orders.items[i], n))
            carry(f, b->orders.items[i].past);
}

static void add_order(struct in_block *b, const struct past *past, const struct note *n)
{
    for (size_t i = 0; i < b->orders.count; i++) {
        const struct order *o = &b->orders.items[i];
        if (o->to == n->thread && o->past.thread == past->thread && o->past.step >= past->step &&
            o->past.warp_epoch >= past->warp_epoch && n->warp_epoch >= o->to_epoch)
            return; /* an existing ordering includes this one */
    }
    if (b->orders.count == MOST_ORDERS)
        b->all = true;
    else
        vec_push(&b->orders, (struct order){*past, n->thread, n->warp_epoch});
}

void in_block_acquire(struct in_block *b, uint64_t key, const struct note *n)
{
    enter_epoch(b, n->epoch);
    const struct local_flag *f = find_flag(b, key, false);
    for (size_t i = 0; f && i < f->carries.count; i++)
        if (f->carries.items[i].thread != n->thread)
            add_order(b, &f->carries.items[i], n);
}

bool in_block_ordered(const struct in_block *b, const struct note *a, const struct note *n)
{
    if (!b || n->epoch != b->epoch)
        return false;
    for (size_t i = 0; i < b->orders.count; i++) {
        const struct order *o = &b->orders.items[i];
        bool before = (o->past.thread == a->thread && a->step <= o->past.step) ||
                      (same_warp(o->past.thread, a->thread) && a->warp_epoch < o->past.warp_epoch);
        if (before && reaches(o, n))
            return true;
    }
    return b->all;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static bool overlaps(const struct copy *c, uint64_t at, uint64_t end)
{
    return at < c->end && c->to < end;
}

static bool knows(const struct copy *c, const struct note *n)
{
    return (c->threads[n->thread / 8] >> n->thread % 8 & 1) ||
           n->warp_epoch > c->warps[n->thread / LANES] || n->epoch > c->block;
}

static void learn(struct copy *c, const struct note *n)
{
    uint32_t *warp = &c->warps[n->thread / LANES];
    c->threads[n->thread / 8] |= (uint8_t)(1u << n->thread % 8);
    *warp = n->warp_epoch < *warp ? n->warp_epoch : *warp;
    c->block = n->epoch < c->block ? n->epoch : c->block;
}

void in_block_copy(struct in_block *b, uint64_t to, uint64_t bytes, uint64_t barrier, bool parity,
                   const struct note *n)
{
    /*
     * Drops earlier copies to the same memory, because their data can no longer be read, and copies
     * that have ended for all threads.
     */
    size_t kept = 0;
    for (size_t i = 0; i < b->copies.count; i++) {
        const struct copy *c = &b->copies.items[i];
        if (overlaps(c, to, to + bytes) || n->epoch > c->block)
            continue;
        if (kept != i)
            b->copies.items[kept] = *c;
        kept++;
    }
    b->copies.count = kept;
    struct copy c = {.to = to,
                     .end = to + bytes,
                     .barrier = barrier,
                     .parity = parity,
                     .group = b->groups ? b->groups[n->thread] : 0,
                     .issue = *n,
                     .block = NEVER};
    memset(c.warps, 0xff, sizeof c.warps);
    vec_push(&b->copies, c);
}

void in_block_attach(struct in_block *b, uint64_t barrier, bool parity, const struct note *n)
{
    for (size_t i = 0; i < b->copies.count; i++) {
        struct copy *c = &b->copies.items[i];
        if (c->issue.thread != n->thread || c->barrier != UINT64_MAX)
            continue;
        c->barrier = barrier;
        c->parity = parity;
    }
}

void in_block_commit(struct in_block *b, const struct note *n)
{
    if (!b->groups)
        b->groups = xcalloc(MAX_THREADS, sizeof *b->groups);
    b->groups[n->thread]++;
}

void in_block_wait_groups(struct in_block *b, int open, const struct note *n)
{
    uint32_t committed = b->groups ? b->groups[n->thread] : 0;
    for (size_t i = 0; i < b->copies.count; i++) {
        struct copy *c = &b->copies.items[i];
        bool done = open < 0 || (int64_t)c->group < (int64_t)committed - open;
        if (c->issue.thread == n->thread && done)
            learn(c, n);
    }
}

void in_block_wait_barrier(struct in_block *b, uint64_t barrier, bool parity, const struct note *n)
{
    for (size_t i = 0; i < b->copies.count; i++) {
        struct copy *c = &b->copies.items[i];
        if (c->barrier == barrier && c->parity == parity)
            learn(c, n);
    }
}

const struct note *in_block_unseen(const struct in_block *b, uint64_t at, unsigned bytes,
                                   const struct note *n)
{
    for (size_t i = 0; b && i < b->copies.count; i++) {
        const struct copy *c = &b->copies.items[i];
        if (overlaps(c, at, at + bytes) && !knows(c, n))
            return &c->issue;
    }
    return NULL;
}
