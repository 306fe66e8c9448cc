/*
 * Implements divergence.h.
 */
#ifndef __clang__
#pragma GCC optimize("O3", "no-tree-slp-vectorize")
#endif
#include "devices/sim/machine/divergence.h"
#include "devices/sim/races/races.h"

#include <string.h>

/* Returns the index of a free split, or -1 if there is none. */
static int free_split(const struct warp *warp)
{
    for (int k = 0; k < warp->split_count; k++)
        if (warp->splits[k].state == SPLIT_FREE)
            return k;
    return -1;
}

/* Adds a split as a child of p->parent. Returns its index, or -1 after a fault. */
static int add_split(struct worker *w, struct warp *warp, const struct split *p)
{
    int at = warp->split_count;
    if (at < MAX_SPLITS)
        warp->splits[warp->split_count++] = *p;
    else if ((at = free_split(warp)) >= 0)
        warp->splits[at] = *p;
    if (at < 0) {
        fault_set(w, warp, -1, FAULT_UNSUPPORTED,
                  "a warp has diverged into more than %d groups of lanes", MAX_SPLITS);
        return -1;
    }
    warp->splits[at].depth = 0;
    if (p->parent >= 0) {
        warp->splits[p->parent].children++;
        warp->splits[at].depth = (uint8_t)(warp->splits[p->parent].depth + 1);
    }
    return at;
}

void split_remove_lanes(struct warp *warp, int split, uint32_t lanes, bool whole_thread)
{
    for (int k = split; k >= 0; k = warp->splits[k].parent) {
        warp->splits[k].mask &= ~lanes;
        if (!whole_thread && warp->splits[k].callee)
            return;
    }
}

/* If `in` is true, copies a call's arguments to the parameters of the called function. Otherwise,
 * copies its results to the calling function. */
static void copy_results(struct worker *w, struct warp *warp, int call, uint32_t lanes, bool in)
{
    const struct program *p = w->launch->p;
    const struct call *c = &p->calls[call];
    int first = in ? c->first_in : c->first_out, count = in ? c->in_count : c->out_count;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint8_t *local = warp->local + (size_t)__builtin_ctz(rest) * p->local_bytes;
        for (int k = 0; k < count; k++)
            memmove(local + p->copies[first + k].to, local + p->copies[first + k].from,
                    p->copies[first + k].bytes);
    }
}

void split_end(struct worker *w, struct warp *warp, int split)
{
    for (;;) {
        struct split *p = &warp->splits[split];
        int parent = p->parent;
        p->state = SPLIT_FREE;
        if (parent < 0)
            return;
        struct split *up = &warp->splits[parent];
        if (--up->children > 0)
            return;
        if (up->mask) {
            if (up->call >= 0)
                copy_results(w, warp, up->call, up->mask, false);
            up->call = -1;
            up->state = SPLIT_READY;
            return;
        }
        split = parent;
    }
}

/*
 * Of the splits that are ready, returns one that is deepest in the tree, or -1 if none is ready.
 * Sets *only to whether no other split is ready.
 */
static int deepest_ready(struct warp *warp, bool *only)
{
    while (warp->split_count > 0 && warp->splits[warp->split_count - 1].state == SPLIT_FREE)
        warp->split_count--;
    int best = -1, top = warp->split_count - 1;
    *only = true;
    /*
     * If the depth of the last split equals its index, all other splits are its ancestors. This is
     * the usual case.
     */
    if (top >= 0 && warp->splits[top].state == SPLIT_READY && warp->splits[top].depth == top)
        return top;
    for (int k = warp->split_count - 1; k >= 0; k--) {
        if (warp->splits[k].state != SPLIT_READY)
            continue;
        *only = best < 0;
        if (best < 0 || warp->splits[k].depth > warp->splits[best].depth)
            best = k;
    }
    return best;
}

/*
 * Returns the distance between two instructions. If `to` is before `from`, the result is larger
 * than the distance to any later instruction.
 */
static uint32_t ahead(int32_t from, int32_t to)
{
    return (uint32_t)to - (uint32_t)from;
}

static int32_t rank_of(const struct program *p, int32_t pc)
{
    return p->ranks ? p->ranks[pc] : pc;
}

/* Returns whether instruction a is earlier in the code than b. Instructions in different basic
 * blocks are ordered by the ranks of their blocks. */
static bool before(const struct program *p, int32_t a, int32_t b)
{
    return rank_of(p, a) < rank_of(p, b) || (rank_of(p, a) == rank_of(p, b) && a < b);
}

/*
 * Returns the first instruction between `from` and `stop` that is later in the code than `other`,
 * the instruction of a sibling. Returns `stop` if there is none.
 */
static int32_t stop_before(const struct program *p, int32_t from, int32_t stop, int32_t other)
{
    for (int32_t at = from + 1; p->ranks && at != stop && at < p->count; at++)
        if (before(p, other, at))
            return at;
    return stop;
}

int split_choose(const struct program *program, struct warp *warp, int32_t *stop, bool *crowded)
{
    bool only;
    int chosen = deepest_ready(warp, &only);
    *crowded = false;
    if (chosen < 0)
        return -1;
    struct split *s = &warp->splits[chosen];
    *stop = s->reconverge;
    if (only || (s->parent >= 0 && warp->splits[s->parent].children == 1))
        return chosen;
    /* Chooses the sibling that is earliest in the code, or one that is at its reconvergence point
     * and only has to end. */
    for (int k = warp->split_count - 1; k >= 0; k--) {
        const struct split *p = &warp->splits[k];
        if (p->state != SPLIT_READY || p->parent != s->parent)
            continue;
        if (p->pc == p->reconverge)
            return k;
        if (before(program, p->pc, s->pc)) {
            chosen = k;
            s = &warp->splits[k];
        }
    }
    for (int k = warp->split_count - 1; k >= 0; k--) {
        struct split *p = &warp->splits[k];
        if (k == chosen || p->state != SPLIT_READY || p->parent != s->parent)
            continue;
        if (p->pc == s->pc) {
            s->mask |= p->mask;
            p->state = SPLIT_FREE;
            if (p->parent >= 0)
                warp->splits[p->parent].children--;
            continue;
        }
        *crowded = true;
        if (ahead(s->pc, p->pc) < ahead(s->pc, *stop))
            *stop = p->pc;
        *stop = stop_before(program, s->pc, *stop, p->pc);
    }
    return chosen;
}

bool split_diverge(struct worker *w, struct warp *warp, int split, uint32_t taken, int32_t target,
                   uint32_t fall, int32_t next, int32_t reconverge)
{
    struct split *p = &warp->splits[split];
    uint32_t masks[2] = {taken, fall};
    int32_t at[2] = {target, next};
    /* the new splits reconverge where the parent waits */
    bool sibling = reconverge == p->reconverge;
    if (at[0] == reconverge && at[1] == reconverge) {
        p->pc = reconverge;
        return true;
    }
    struct split part = {.reconverge = reconverge,
                         .state = SPLIT_READY,
                         .call = -1,
                         .parent = sibling ? p->parent : (int16_t)split,
                         .callee = sibling && p->callee};
    if (!sibling) {
        p->state = SPLIT_PARENT;
        p->pc = reconverge;
        p->children = 0;
    }
    bool in_place = sibling; /* the first of the new splits takes the place of the old one */
    for (int k = 0; k < 2; k++) {
        if (at[k] == reconverge)
            continue;
        part.mask = masks[k];
        part.pc = at[k];
        if (in_place) {
            part.depth = p->depth;
            *p = part;
            in_place = false;
        } else if (add_split(w, warp, &part) < 0) {
            return false;
        }
    }
    return true;
}

/*
 * Executes brx, with which each lane jumps to one of several targets. The first lane jumps,
 * together with all lanes that have the same target. The other lanes will execute the instruction
 * again. Nevertheless, it counts as executed once.
 */
bool split_branch_table(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                        uint32_t exec)
{
    const int32_t *table = &w->launch->p->tables[i->target];
    const uint32_t *index = slot_at(warp->base, i->o.a);
    int first = __builtin_ctz(exec);
    if (index[first] >= (uint32_t)table[0]) {
        fault_set(
            w, warp, first, FAULT_LAUNCH,
            "the thread jumps to label %u of a table that has only %d labels (numbered from 0)",
            index[first], table[0]);
        return false;
    }
    int32_t to = table[1 + index[first]];
    uint32_t together = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        if (index[__builtin_ctz(rest)] == index[first])
            together |= rest & -rest;
    uint32_t left = warp->splits[split].mask & ~together;
    if (!left) {
        warp->splits[split].pc = to;
        return true;
    }
    w->counts.divergent_branches++;
    w->counts.branches--;
    w->counts.instructions--;
    w->counts.thread_instructions -= lane_count(left);
    w->counts.thread_on -= lane_count(left & exec);
    return split_diverge(w, warp, split, together, to, left, warp->at, i->reconverge);
}

bool split_call(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                uint32_t exec, int32_t next)
{
    const struct call *c = &w->launch->p->calls[i->target];
    copy_results(w, warp, i->target, exec, true);
    struct split *p = &warp->splits[split];
    if (p->mask != exec) {
        /*
         * Only some lanes make the call. The others wait at the next instruction, to which the
         * called function returns.
         */
        struct split caller = *p;
        p->state = SPLIT_PARENT;
        p->pc = next;
        p->children = 0;
        caller.parent = (int16_t)split;
        caller.mask = exec;
        caller.reconverge = next;
        caller.callee = false;
        split = add_split(w, warp, &caller);
        if (split < 0)
            return false;
        p = &warp->splits[split];
    }
    p->state = SPLIT_PARENT;
    p->pc = next;
    p->children = 0;
    p->call = i->target;
    struct split callee = {.pc = c->target,
                           .reconverge = -1,
                           .mask = exec,
                           .parent = (int16_t)split,
                           .state = SPLIT_READY,
                           .callee = true,
                           .call = -1};
    return add_split(w, warp, &callee) >= 0;
}

/* Returns whether lanes at instruction a and lanes at instruction b can complete a collective
 * together. */
static bool same_collective(const struct instruction *a, const struct instruction *b)
{
    return a == b || (a->kind == b->kind && a->operation == b->operation && a->type == b->type &&
                      a->bytes == b->bytes && a->wide_a == b->wide_a);
}

/* Returns the lanes that wait at a collective like i for the other lanes of `mask`. */
static uint32_t waiting_lanes(const struct worker *w, const struct warp *warp, uint32_t mask,
                              const struct instruction *i)
{
    uint32_t lanes = 0;
    for (int k = 0; k < warp->split_count; k++) {
        const struct split *p = &warp->splits[k];
        if (p->state == SPLIT_WAITS_WARP && p->waits_for == mask &&
            same_collective(&w->launch->p->code[p->pc - 1], i))
            lanes |= p->mask;
    }
    return lanes;
}

/*
 * Completes a collective after all lanes of `mask` have arrived, and makes the lanes that wait for
 * them ready. `group` contains the lanes that are executing i now. Returns false after a fault.
 */
static bool complete(struct worker *w, struct warp *warp, uint32_t mask,
                     const struct instruction *i, uint32_t group)
{
    const struct instruction *code = w->launch->p->code, *at[LANES];
    uint32_t all = group;
    bool mixed = false;
    for (uint32_t rest = group; rest; rest &= rest - 1)
        at[__builtin_ctz(rest)] = i;
    for (int k = 0; k < warp->split_count; k++) {
        struct split *p = &warp->splits[k];
        if (p->state != SPLIT_WAITS_WARP || p->waits_for != mask ||
            !same_collective(&code[p->pc - 1], i))
            continue;
        p->state = SPLIT_READY;
        for (uint32_t rest = p->mask; rest; rest &= rest - 1)
            at[__builtin_ctz(rest)] = &code[p->pc - 1];
        mixed = mixed || &code[p->pc - 1] != i;
        all |= p->mask;
    }
    if (i->kind == KIND_WARP_BARRIER) {
        races_warp_barrier(w->launch->races, warp, all);
        return true;
    }
    return mixed ? exchange_mixed(w, warp, at, all) : exchange(w, warp, i, all);
}

/* Makes the lanes of `group` wait for the other lanes of their mask, in a split of their own. */
static bool wait_for_lanes(struct worker *w, struct warp *warp, int split, uint32_t mask,
                           uint32_t group)
{
    struct split *p = &warp->splits[split];
    struct split part = *p;
    part.mask = group;
    part.waits_for = mask;
    part.state = SPLIT_WAITS_WARP;
    if (p->mask == group) {
        *p = part;
        return true;
    }
    p->mask &= ~group;
    return add_split(w, warp, &part) >= 0;
}

bool split_collective(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                      uint32_t exec)
{
    const uint32_t *masks = slot_at(warp->base, (slot_reference)i->offset);
    bool serial = i->kind == KIND_VOTE || i->kind == KIND_MATCH || i->kind == KIND_REDUX;
    int groups = 0;
    for (uint32_t rest = exec; rest; groups++) {
        int first = __builtin_ctz(rest);
        uint32_t mask = masks[first], group = 0;
        for (uint32_t others = rest; others; others &= others - 1)
            if (masks[__builtin_ctz(others)] == mask)
                group |= others & -others;
        rest &= ~group;
        for (uint32_t others = serial ? group : 0; others; others &= others - 1)
            warp->group[__builtin_ctz(others)] = (uint8_t)first;
        uint32_t outside = group & ~mask;
        if (outside)
            return fault_set(
                w, warp, __builtin_ctz(outside), FAULT_LAUNCH,
                "lanes 0x%08x execute %s whose mask 0x%08x does not contain them", outside,
                i->kind == KIND_WARP_BARRIER ? "a warp barrier" : "an instruction", mask);
        bool all = (mask & warp->live & ~(group | waiting_lanes(w, warp, mask, i))) == 0;
        if (!(all ? complete(w, warp, mask, i, group)
                  : wait_for_lanes(w, warp, split, mask, group)))
            return false;
    }
    warp->apart = serial && groups > 1;
    return true;
}

bool split_release_waiting(struct worker *w, struct warp *warp, bool *ok)
{
    *ok = true;
    for (int k = 0; k < warp->split_count; k++) {
        const struct split *p = &warp->splits[k];
        if (p->state != SPLIT_WAITS_WARP)
            continue;
        const struct instruction *i = &w->launch->p->code[p->pc - 1];
        uint32_t mask = p->waits_for;
        if ((mask & warp->live & ~waiting_lanes(w, warp, mask, i)) == 0) {
            warp->at = p->pc - 1;
            *ok = complete(w, warp, mask, i, 0);
            return true;
        }
    }
    return false;
}

/* Returns the lanes of a split that have reached its reconvergence point: those that are neither in
 * a split below it nor at a barrier. */
static uint32_t lanes_that_wait(const struct warp *warp, int split)
{
    const struct split *p = &warp->splits[split];
    uint32_t lanes = p->mask;
    for (int k = 0; k < warp->split_count; k++) {
        const struct split *q = &warp->splits[k];
        if (q->state != SPLIT_FREE && (q->state != SPLIT_PARENT || q->depth > p->depth))
            lanes &= ~q->mask;
    }
    return lanes;
}

uint32_t split_end_idle(struct worker *w, struct warp *warp)
{
    uint32_t ended = 0;
    for (int k = 0; k < warp->split_count; k++) {
        const struct split *p = &warp->splits[k];
        if (p->state != SPLIT_PARENT)
            continue;
        const struct instruction *i = &w->launch->p->code[p->pc];
        if (i->kind == KIND_EXIT && i->guard == GUARD_NONE)
            ended |= lanes_that_wait(warp, k);
    }
    for (int k = 0; k < warp->split_count; k++)
        warp->splits[k].mask &= ~ended;
    warp->live &= ~ended;
    return ended;
}

bool split_report_stuck(struct worker *w, struct warp *warp)
{
    for (int k = 0; k < warp->split_count; k++) {
        struct split *p = &warp->splits[k];
        bool waits_for_lanes = p->state == SPLIT_WAITS_WARP;
        if (!waits_for_lanes && p->state != SPLIT_WAITS_BLOCK && p->state != SPLIT_WAITS_CLUSTER)
            continue;
        warp->at = p->pc - 1;
        const struct instruction *i = &w->launch->p->code[warp->at];
        if (waits_for_lanes && i->kind != KIND_WARP_BARRIER)
            return fault_set(w, warp, __builtin_ctz(p->mask), FAULT_LAUNCH,
                             "the mask 0x%08x contains lanes that never arrive: lanes 0x%08x wait "
                             "here for lanes 0x%08x, which took another branch",
                             p->waits_for, p->mask,
                             p->waits_for & warp->live & ~waiting_lanes(w, warp, p->waits_for, i));
        uint32_t others = (waits_for_lanes ? p->waits_for : warp->launched) & ~p->mask;
        return fault_set(w, warp, __builtin_ctz(p->mask), FAULT_LAUNCH,
                         "some threads never reach %s barrier: lanes 0x%08x of the warp wait here, "
                         "but lanes 0x%08x took another branch or have exited",
                         waits_for_lanes                 ? "a warp"
                         : p->state == SPLIT_WAITS_BLOCK ? "a block"
                                                         : "a cluster",
                         p->mask, others);
    }
    return fault_set(w, warp, -1, FAULT_LAUNCH, "no lane of the warp can continue");
}
