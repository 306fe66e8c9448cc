/*
 * Implements races.h, which explains the rules.
 *
 * Each 4-byte word of memory has a shadow, which contains the last write to the word, the last
 * plain write before it, and two reads. An epoch is the number of barriers that a block or a warp
 * has passed. Epochs are compared instead of whole vector clocks, as in Flanagan, Freund,
 * "FastTrack" (PLDI 2009). The launch runs on one host thread, so no locks are needed.
 */
#include "devices/sim/races/races.h"
#include "devices/sim/races/in_block.h"
#include "devices/sim/races/race_pairs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

struct shadow {
    struct note write, read, other_read;
    struct note plain; /* if `write` is strong, the last plain write before it */
};

#define ANY_THREAD UINT32_MAX /* known.thread: the accesses of all threads up to `step` */
/* Stands for some accesses of a block: those before block barrier number `epoch`, those of `thread`
 * up to `step`, and those of the thread's warp before warp barrier number `warp_epoch`. */
struct known {
    uint32_t epoch, warp_epoch;
    uint32_t thread;
    uint64_t step;
};

/* The accesses of another block that are ordered before those of a block, by an acquire. `settled`
 * are ordered before accesses of all its threads. `pending` were acquired after its last block
 * barrier, and are only ordered before accesses of the acquiring thread and its warp. */
struct acquired {
    struct known settled, pending;
    /* the epochs when pending_thread acquired `pending` */
    uint32_t pending_epoch, pending_warp_epoch;
    int32_t pending_thread; /* -1: several threads did */
};

/* An address through which blocks synchronize. known[b] are the accesses of block b that releases
 * at this address cover. */
struct flag {
    uint64_t address;
    struct known *known;
    struct flag *next;
};

/* the shadows of the words of one allocation */
struct region {
    uint64_t address;
    struct shadow *words;
    size_t mapped;
    struct region *next;
};

struct races {
    const struct launch_state *launch;
    /* the detector of a launching grid whose threads may race with this grid; NULL: none */
    struct races *above;
    /* the thread that launched this grid; `above` treats the grid's accesses as accesses of this
     * thread */
    const struct warp *launcher;
    unsigned launcher_lane;
    uint32_t shared_words;
    struct shadow **resident; /* for each block, the shadows of the words of its shared memory */
    /* for each block, orderings by flags and copies; NULL before the first one */
    struct in_block **inside;
    /*
     * met[block][32 * thread + lane] is a step. Up to this step, warp barriers order the accesses
     * of `lane` before later ones of `thread`, which is in the same warp. met[block] is NULL before
     * the first warp barrier.
     */
    uint64_t **met;
    struct region *regions;
    struct flag *flags;
    /* acquired[a * blocks + b]: what block a has acquired from block b */
    struct acquired *acquired;
    uint64_t steps;
    struct race_pairs found;
};

struct races *races_new(const struct launch_state *launch)
{
    struct races *r = calloc(1, sizeof *r);
    size_t blocks = (size_t)launch->blocks;
    if (!r)
        return NULL;
    const struct launch_origin *o = &launch->origin;
    r->launch = launch;
    r->found.programs[r->found.program_count++] = launch->p;
    r->above = o->warp ? o->races : o->races ? o->races->above : NULL;
    r->launcher = o->warp ? o->warp : o->races ? o->races->launcher : NULL;
    r->launcher_lane = o->warp ? o->lane : o->races ? o->races->launcher_lane : 0;
    r->shared_words = (launch->shared_bytes + 3) / 4;
    r->resident = calloc(blocks, sizeof *r->resident);
    r->inside = calloc(blocks, sizeof *r->inside);
    r->met = calloc(blocks, sizeof *r->met);
    r->acquired = calloc(blocks * blocks, sizeof *r->acquired);
    if (r->resident && r->inside && r->met && r->acquired)
        return r;
    races_free(r);
    return NULL;
}

void races_free(struct races *r)
{
    if (!r)
        return;
    for (size_t b = 0; r->resident && b < r->launch->blocks; b++)
        free(r->resident[b]);
    for (size_t b = 0; r->inside && b < r->launch->blocks; b++)
        in_block_free(r->inside[b]);
    for (size_t b = 0; r->met && b < r->launch->blocks; b++)
        free(r->met[b]);
    while (r->regions) {
        struct region *next = r->regions->next;
        munmap(r->regions->words, r->regions->mapped);
        free(r->regions);
        r->regions = next;
    }
    while (r->flags) {
        struct flag *next = r->flags->next;
        free(r->flags->known);
        free(r->flags);
        r->flags = next;
    }
    free(r->resident);
    free(r->inside);
    free(r->met);
    free(r->acquired);
    free(r);
}

void races_begin_block(struct races *r, const struct block *b)
{
    in_block_free(r->inside[b->number]);
    r->inside[b->number] = NULL;
    free(r->met[b->number]);
    r->met[b->number] = NULL;
    free(r->resident[b->number]);
    r->resident[b->number] = calloc(r->shared_words + 1, sizeof **r->resident);
}

void races_warp_barrier(struct races *r, struct warp *warp, uint32_t lanes)
{
    warp->epoch++;
    if (!r)
        return;
    uint64_t **met = &r->met[warp->block->number], together[LANES] = {0};
    if (!*met)
        *met = xcalloc((size_t)warp->block->warp_count * LANES * LANES, sizeof **met);
    uint64_t *of_warp = *met + (size_t)warp->index * LANES * LANES;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t *knows = of_warp + __builtin_ctz(rest) * LANES;
        for (int k = 0; k < LANES; k++)
            together[k] = lanes >> k & 1           ? r->steps
                          : knows[k] > together[k] ? knows[k]
                                                   : together[k];
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memcpy(of_warp + __builtin_ctz(rest) * LANES, together, sizeof together);
}

/* Returns the shadow of a word of global memory. Returns NULL if the address is outside of all
 * allocations, or if there is not enough memory. */
static struct shadow *global_shadow(struct races *r, uint64_t address)
{
    const struct allocation *a = memory_find(r->launch->memory, address, 1);
    if (!a)
        return NULL;
    for (struct region *g = r->regions; g; g = g->next)
        if (g->address == a->address)
            return &g->words[(address - a->address) / 4];
    struct region *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->mapped = (size_t)(a->bytes / 4 + 1) * sizeof *g->words;
    g->address = a->address;
    g->words = mmap(NULL, g->mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (g->words == MAP_FAILED) {
        free(g);
        return NULL;
    }
    g->next = r->regions;
    r->regions = g;
    return &g->words[(address - a->address) / 4];
}

static bool knows(const struct known *k, const struct note *a)
{
    bool thread = k->thread == ANY_THREAD || a->thread == k->thread,
         warp = k->thread != ANY_THREAD && a->thread / LANES == k->thread / LANES;
    return a->epoch < k->epoch || (thread && a->step <= k->step) ||
           (warp && a->warp_epoch < k->warp_epoch);
}

/* Returns whether the threads of a and b, which are in the same block, have met at a warp barrier
 * after a. */
static bool met(const struct races *r, const struct note *a, const struct note *b)
{
    const uint64_t *steps = r->met[b->block];
    return steps && a->thread / LANES == b->thread / LANES &&
           a->step <= steps[(size_t)b->thread * LANES + a->thread % LANES];
}

/* Returns whether access a is ordered before access b. The simulator executed a before b. */
static bool ordered(const struct races *r, const struct note *a, const struct note *b)
{
    if (a->block == b->block) {
        if (a->thread == b->thread || a->epoch < b->epoch || a->step == b->step || met(r, a, b))
            return true;
        return in_block_ordered(r->inside[b->block], a, b);
    }
    const struct acquired *q = &r->acquired[b->block * r->launch->blocks + a->block];
    if (knows(&q->settled, a))
        return true;
    bool mine = b->epoch > q->pending_epoch || q->pending_thread < 0 ||
                (uint32_t)q->pending_thread == b->thread ||
                ((uint32_t)q->pending_thread / LANES == b->thread / LANES &&
                 b->warp_epoch > q->pending_warp_epoch);
    return mine && knows(&q->pending, a);
}

static bool both_strong(const struct note *a, const struct note *b)
{
    /*
     * Volatile accesses do not race with those of other blocks. Within a block, they do not if a
     * fence precedes the write (races.h).
     */
    bool flag = a->block != b->block || a->released || b->released;
    if (a->block != b->block && (a->block_scope || b->block_scope))
        return false;
    uint8_t minimum = flag ? STRENGTH_VOLATILE : STRENGTH_RELAXED;
    return a->strength >= minimum && b->strength >= minimum;
}

void races_merge(struct races *to, const struct races *from)
{
    race_pairs_merge(&to->found, &from->found);
}

static void add_race(struct races *r, const struct note *a, const struct note *b, bool a_writes,
                     bool b_writes, bool shared, uint64_t address)
{
    enum race_scope scope = a->block != b->block                     ? RACE_GRID
                            : a->thread / LANES == b->thread / LANES ? RACE_WARP
                                                                     : RACE_BLOCK;
    race_pairs_add(&r->found, &(struct race_pair){.first = *a,
                                                  .second = *b,
                                                  .scope = (uint8_t)scope,
                                                  .shared = shared,
                                                  .first_writes = a_writes,
                                                  .second_writes = b_writes,
                                                  .times = 1,
                                                  .address = address});
}

static void check_pair(struct races *r, const struct note *a, const struct note *b, bool a_writes,
                       bool b_writes, bool shared, uint64_t address)
{
    if ((a->bytes & b->bytes) && !both_strong(a, b) && !ordered(r, a, b))
        add_race(r, a, b, a_writes, b_writes, shared, address);
}

static void remember_read(struct shadow *s, const struct note *n)
{
    bool same = s->read.bytes && s->read.block == n->block && s->read.thread == n->thread;
    if (s->read.bytes && !same &&
        (s->read.block != n->block || !s->other_read.bytes || s->other_read.block == n->block))
        s->other_read = s->read;
    s->read = *n;
}

static void note_access(struct races *r, struct shadow *s, const struct note *n, bool reads,
                        bool writes, bool shared, uint64_t address)
{
    check_pair(r, &s->write, n, true, writes, shared, address);
    check_pair(r, &s->plain, n, true, writes, shared, address);
    if (writes) {
        check_pair(r, &s->read, n, false, true, shared, address);
        check_pair(r, &s->other_read, n, false, true, shared, address);
        if (n->strength == STRENGTH_PLAIN)
            s->plain = (struct note){0};
        else if (s->write.strength == STRENGTH_PLAIN)
            s->plain = s->write;
        s->write = *n;
    }
    if (!reads || writes) /* atomics have been remembered as writes */
        return;
    remember_read(s, n);
    /*
     * A strong load that reads the value of a strong write is ordered after it at this address,
     * even without a release. The load replaces the write in the shadow, so the thread's later
     * accesses do not race with the write.
     */
    if (n->strength >= STRENGTH_VOLATILE && s->write.strength >= STRENGTH_VOLATILE &&
        s->write.block != n->block && s->write.bytes == n->bytes) {
        int32_t at = s->write.at;
        s->write = *n;
        s->write.at = at;
    }
}

static void merge_known(struct known *to, const struct known *from)
{
    if (from->epoch > to->epoch)
        to->epoch = from->epoch;
    if (!from->step)
        return;
    to->thread = to->step && to->thread != from->thread ? ANY_THREAD : from->thread;
    if (from->warp_epoch > to->warp_epoch)
        to->warp_epoch = from->warp_epoch;
    if (from->step > to->step)
        to->step = from->step;
}

static struct flag *find_flag(struct races *r, uint64_t address, bool make)
{
    for (struct flag *f = r->flags; f; f = f->next)
        if (f->address == address)
            return f;
    if (!make)
        return NULL;
    struct flag *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->known = calloc(r->launch->blocks, sizeof *f->known);
    if (!f->known) {
        free(f);
        return NULL;
    }
    f->address = address;
    f->next = r->flags;
    r->flags = f;
    return f;
}

/* Records that the accesses that a flag covers are ordered before later ones of thread
 * n->thread. */
static void acquire_flag(struct races *r, const struct flag *f, const struct note *n)
{
    for (uint64_t b = 0; b < r->launch->blocks; b++) {
        struct acquired *q = &r->acquired[n->block * r->launch->blocks + b];
        if (q->pending_epoch < n->epoch) {
            merge_known(&q->settled, &q->pending);
            q->pending = (struct known){0};
            q->pending_epoch = n->epoch;
        }
        if (!q->pending.step) {
            q->pending_thread = n->thread;
            q->pending_warp_epoch = n->warp_epoch;
        } else if (q->pending_thread != n->thread) {
            q->pending_thread = -1;
        }
        merge_known(&q->pending, &f->known[b]);
    }
}

/* Extends the accesses that a flag covers by those of thread n->thread and its block that are
 * ordered before n, and by those that its block has acquired from other blocks. */
static void release_flag(struct races *r, struct flag *f, const struct note *n)
{
    for (uint64_t b = 0; b < r->launch->blocks; b++) {
        const struct acquired *q = &r->acquired[n->block * r->launch->blocks + b];
        merge_known(&f->known[b], &q->settled);
        merge_known(&f->known[b], &q->pending);
    }
    struct known own = {n->epoch, n->warp_epoch, n->thread, n->step};
    merge_known(&f->known[n->block], &own);
}

void races_cluster_barrier(struct races *r, uint64_t first, struct block *const *blocks, int count)
{
    uint64_t n = r->launch->blocks;
    for (int k = 0; k < count; k++)
        if (blocks[k])
            blocks[k]->epoch++;
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < count; j++) {
            if (j == k || !blocks[k])
                continue;
            struct acquired *to = &r->acquired[(first + (uint64_t)k) * n];
            const struct acquired *from = &r->acquired[(first + (uint64_t)j) * n];
            struct known before = {.epoch = blocks[j] ? blocks[j]->epoch : UINT32_MAX};
            merge_known(&to[first + (uint64_t)j].settled, &before);
            for (uint64_t b = 0; b < n; b++) {
                merge_known(&to[b].settled, &from[b].settled);
                merge_known(&to[b].settled, &from[b].pending);
            }
        }
    }
}

static enum access_strength strength_of(const struct instruction *i)
{
    return i->kind == KIND_ATOMIC ? STRENGTH_ATOMIC
           : i->is_volatile       ? STRENGTH_VOLATILE
           : i->strong            ? STRENGTH_RELAXED
                                  : STRENGTH_PLAIN;
}

static struct in_block *inside(struct races *r, const struct block *b)
{
    struct in_block **at = &r->inside[b->number];
    if (!*at)
        *at = in_block_new();
    return *at;
}

/* Returns the key of a flag (in_block.h). Keys of flags in shared memory are above all global
 * addresses. */
static uint64_t flag_key(uint64_t address, bool shared)
{
    return shared ? address | 1ull << 63 : address;
}

/* Records an access to a flag that may order accesses of threads in the same block. A write is a
 * release if its thread has executed a fence since its previous write. */
static void synchronise_inside(struct races *r, struct warp *warp, const struct instruction *i,
                               struct note *n, uint64_t key, bool fenced, bool writes)
{
    n->released = writes && (fenced || i->releases);
    if (i->kind == KIND_ATOMIC || !writes)
        in_block_acquire(inside(r, warp->block), key, n);
    if (n->released)
        in_block_release(inside(r, warp->block), key, n);
}

/* Records a strong access, which may be one to a flag. Only flags in global memory order accesses
 * of different blocks, not those in a cluster's shared memory. Returns false if there is not enough
 * memory. */
static bool synchronise(struct races *r, struct warp *warp, const struct instruction *i,
                        unsigned lane, struct note *n, uint64_t address, bool writes)
{
    bool shared = i->space == SPACE_SHARED;
    n->released = false;
    if (n->strength == STRENGTH_PLAIN)
        return true;
    synchronise_inside(r, warp, i, n, flag_key(address, shared), warp->fenced >> lane & 1, writes);
    if (shared || i->block_scope)
        return true;
    bool fenced = !(warp->unfenced >> lane & 1);
    struct flag *f = find_flag(r, address, writes && (fenced || i->releases));
    if (!f)
        return !(writes && (fenced || i->releases));
    if (i->kind == KIND_ATOMIC || !writes)
        acquire_flag(r, f, n);
    if (writes && (fenced || i->releases))
        release_flag(r, f, n);
    return true;
}

/* Adds a race if thread n->thread accesses memory to which a copy may still be writing. */
static void check_copies(struct races *r, const struct warp *warp, const struct note *n,
                         uint64_t address, unsigned bytes, bool writes)
{
    const struct note *copy = in_block_unseen(r->inside[warp->shares->number], address, bytes, n);
    if (copy && warp->shares == warp->block)
        add_race(r, copy, n, true, writes, true, address);
}

/* Records an access in the detectors of the launching grids, as an access of the launching
 * thread. */
static void note_in_launching_grids(struct races *r, const struct program *p, struct note n,
                                    bool reads, bool writes, uint64_t address)
{
    for (; r->above; r = r->above) {
        const struct warp *warp = r->launcher;
        struct shadow *s = global_shadow(r->above, address);
        n.block = (uint32_t)warp->block->number;
        n.thread = (uint16_t)((unsigned)warp->index * LANES + r->launcher_lane);
        n.epoch = warp->block->epoch;
        n.warp_epoch = warp->epoch;
        n.step = ++r->above->steps;
        n.launched = true;
        if (s && race_pairs_program(&r->above->found, p, &n.program))
            note_access(r->above, s, &n, reads, writes, false, address);
    }
}

static struct note note_of(struct races *r, const struct warp *warp, unsigned lane,
                           enum access_strength strength)
{
    return (struct note){.block = (uint32_t)warp->block->number,
                         .thread = (uint16_t)((unsigned)warp->index * LANES + lane),
                         .strength = (uint8_t)strength,
                         .epoch = warp->block->epoch,
                         .warp_epoch = warp->epoch,
                         .at = warp->at,
                         .step = ++r->steps};
}

void races_copy(struct races *r, struct warp *warp, unsigned lane, uint64_t to, uint64_t bytes,
                uint64_t barrier, bool parity)
{
    struct note n = note_of(r, warp, lane, STRENGTH_PLAIN);
    check_copies(r, warp, &n, to, (unsigned)bytes, true);
    /* earlier accesses to this memory must be ordered before the copy's issue */
    for (uint64_t word = to / 4; word < (to + bytes + 3) / 4 && word < r->shared_words; word++) {
        struct shadow *s = &r->resident[warp->block->number][word];
        n.bytes = 0xf;
        check_pair(r, &s->write, &n, true, true, true, word * 4);
        check_pair(r, &s->read, &n, false, true, true, word * 4);
        check_pair(r, &s->other_read, &n, false, true, true, word * 4);
        *s = (struct shadow){0};
    }
    in_block_copy(inside(r, warp->block), to, bytes, barrier, parity, &n);
}

void races_copy_group(struct races *r, struct warp *warp, unsigned lane,
                      enum async_operation operation, int open)
{
    struct note n = note_of(r, warp, lane, STRENGTH_PLAIN);
    if (operation == ASYNC_COMMIT)
        in_block_commit(inside(r, warp->block), &n);
    else
        in_block_wait_groups(inside(r, warp->block), open, &n);
}

void races_copy_attach(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                       bool parity)
{
    struct note n = note_of(r, warp, lane, STRENGTH_PLAIN);
    in_block_attach(inside(r, warp->block), barrier, parity, &n);
}

void races_mbarrier_arrive(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                           unsigned arrivals, bool ends)
{
    struct note n = note_of(r, warp, lane, STRENGTH_ATOMIC);
    if (arrivals == 1)
        in_block_release(inside(r, warp->block), flag_key(barrier, true), &n);
    else if (ends)
        warp->block->epoch++;
}

void races_mbarrier_wait(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                         bool parity)
{
    struct note n = note_of(r, warp, lane, STRENGTH_ATOMIC);
    in_block_acquire(inside(r, warp->block), flag_key(barrier, true), &n);
    in_block_wait_barrier(inside(r, warp->block), barrier, parity, &n);
}

bool races_access(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  const uint64_t address[LANES], enum access_kind kind)
{
    struct races *r = w->launch->races;
    bool shared = i->space == SPACE_SHARED, writes = kind != ACCESS_LOAD;
    bool reads = kind != ACCESS_STORE;
    unsigned bytes = (unsigned)i->bytes * i->elements;
    if (!shared && i->space != SPACE_GLOBAL)
        return true;
    struct note n = note_of(r, warp, 0, strength_of(i));
    n.block_scope = i->block_scope;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        n.thread = (uint16_t)((unsigned)warp->index * LANES + lane);
        bool ok = synchronise(r, warp, i, lane, &n, address[lane], writes);
        if (shared)
            check_copies(r, warp, &n, address[lane], bytes, writes);
        for (uint64_t at = address[lane]; ok && at < address[lane] + bytes;) {
            unsigned first = (unsigned)(at % 4);
            uint64_t left = address[lane] + bytes - at;
            unsigned count = left < 4 - first ? (unsigned)left : 4 - first;
            struct shadow *s = NULL;
            if (!shared)
                s = global_shadow(r, at);
            else if (r->resident[warp->shares->number] && at / 4 < r->shared_words)
                s = &r->resident[warp->shares->number][at / 4];
            n.bytes = (uint8_t)(((1u << count) - 1) << first);
            if (s)
                note_access(r, s, &n, reads, writes, shared, at);
            if (!shared)
                note_in_launching_grids(r, w->launch->p, n, reads, writes, at);
            at += count; /* addresses outside of memory are reported when the access is executed */
        }
        if (!ok)
            return fault_set(w, warp, -1, FAULT_MEMORY, "not enough memory to detect races");
        if (writes && n.strength == STRENGTH_PLAIN)
            warp->unfenced |= 1u << lane;
        if (writes)
            warp->fenced &= ~(1u << lane);
    }
    return true;
}

void races_report(const struct races *r, struct race_report *out)
{
    race_pairs_report(&r->found, out);
}
