/*
 * The interpreter: one warp, instruction after instruction, each for all executing lanes at once.
 *
 * A lane executes when it is on the current path and its guard is true. Because each instruction
 * is finished for all lanes before the next begins, code that relies on lanes running in step
 * reads everything before it writes anything, as one warp of the older hardware did.
 */
#ifndef __clang__
#pragma GCC optimize("O3")
#endif
#include "devices/sim/cluster.h"
#include "devices/sim/device_runtime.h"
#include "devices/sim/machine.h"

#include <fenv.h>
#include <string.h>

/* So many looks at others' memory in a row, at one instruction, count as spinning. */
enum { MOST_SPINS = 64 };

static int new_path(struct warp *warp, const struct path *p)
{
    for (int k = 0; k < warp->path_count; k++) {
        if (warp->paths[k].state == PATH_FREE) {
            warp->paths[k] = *p;
            return k;
        }
    }
    if (warp->path_count == MAX_PATHS)
        return -1;
    warp->paths[warp->path_count] = *p;
    return warp->path_count++;
}

/* Takes lanes off a path and the paths that wait for it, up to the path that `until` stops at. */
static void remove_lanes(struct warp *warp, int path, uint32_t lanes, bool whole_thread)
{
    for (int k = path; k >= 0; k = warp->paths[k].parent) {
        warp->paths[k].mask &= ~lanes;
        if (!whole_thread && warp->paths[k].callee)
            return;
    }
}

/* The results of a call go from the callee's memory to the caller's. */
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

/* A path has no more to do: its parent goes on when all its children are done. */
static void end_path(struct worker *w, struct warp *warp, int path)
{
    for (;;) {
        struct path *p = &warp->paths[path];
        int parent = p->parent;
        p->state = PATH_FREE;
        if (parent < 0)
            return;
        struct path *up = &warp->paths[parent];
        if (--up->children > 0)
            return;
        if (up->mask) {
            if (up->call >= 0)
                copy_results(w, warp, up->call, up->mask, false);
            up->call = -1;
            up->state = PATH_READY;
            return;
        }
        path = parent;
    }
}

/* The path that was made last and can go on; -1 for none. */
static int next_ready(struct warp *warp)
{
    while (warp->path_count > 0 && warp->paths[warp->path_count - 1].state == PATH_FREE)
        warp->path_count--;
    for (int k = warp->path_count - 1; k >= 0; k--)
        if (warp->paths[k].state == PATH_READY)
            return k;
    return -1;
}

static bool too_many_paths(struct worker *w, struct warp *warp)
{
    return fault_set(w, warp, -1, FAULT_UNSUPPORTED,
                     "the lanes of a warp are on more than %d ways at once", MAX_PATHS);
}

/*
 * Lanes `taken` go on at `target`, lanes `fall` at the next instruction; both ways meet at
 * `reconverge`. A way that begins where they meet is already there. Returns the path that goes on.
 */
static int split(struct worker *w, struct warp *warp, int path, uint32_t taken, int32_t target,
                 uint32_t fall, int32_t next, int32_t reconverge)
{
    struct path *p = &warp->paths[path];
    uint32_t masks[2] = {taken, fall};
    int32_t at[2] = {target, next};
    bool sibling = reconverge == p->reconverge; /* the parent waits at that place already */
    if (at[0] == reconverge && at[1] == reconverge) {
        p->pc = reconverge;
        return path;
    }
    struct path way = {.reconverge = reconverge,
                       .state = PATH_READY,
                       .call = -1,
                       .parent = sibling ? p->parent : (int16_t)path,
                       .callee = sibling && p->callee};
    if (!sibling) {
        p->state = PATH_PARENT;
        p->pc = reconverge;
        p->children = 0;
    }
    int chosen = -1;
    for (int k = 0; k < 2; k++) {
        if (at[k] == reconverge)
            continue;
        way.mask = masks[k];
        way.pc = at[k];
        if (sibling && chosen < 0) {
            warp->paths[path] = way; /* takes the place of the one that splits */
            chosen = path;
            continue;
        }
        chosen = new_path(warp, &way);
        if (chosen < 0) {
            too_many_paths(w, warp);
            return -1;
        }
        if (way.parent >= 0)
            warp->paths[way.parent].children++;
    }
    return chosen;
}

/*
 * brx: lanes go to one of several places. The first lane's companions go there; the others come
 * back to this instruction, which still counts once.
 */
static int branch_table(struct worker *w, struct warp *warp, int path, const struct instruction *i,
                        uint32_t exec)
{
    const int32_t *table = &w->launch->p->tables[i->target];
    const uint32_t *index = slot_at(warp->base, i->o.a);
    int first = __builtin_ctz(exec);
    if (index[first] >= (uint32_t)table[0]) {
        fault_set(w, warp, first, FAULT_LAUNCH, "branch number %u of a table of %d", index[first],
                  table[0]);
        return -1;
    }
    int32_t to = table[1 + index[first]];
    uint32_t together = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        if (index[__builtin_ctz(rest)] == index[first])
            together |= rest & -rest;
    uint32_t left = warp->paths[path].mask & ~together;
    if (!left) {
        warp->paths[path].pc = to;
        return path;
    }
    w->counts.divergent_branches++;
    w->counts.branches--;
    w->counts.instructions--;
    w->counts.thread_instructions -= (unsigned)__builtin_popcount(left);
    w->counts.thread_on -= (unsigned)__builtin_popcount(left & exec);
    return split(w, warp, path, together, to, left, warp->at, i->reconverge);
}

static int call_function(struct worker *w, struct warp *warp, int path, const struct instruction *i,
                         uint32_t exec, int32_t next)
{
    const struct call *c = &w->launch->p->calls[i->target];
    copy_results(w, warp, i->target, exec, true);
    struct path *p = &warp->paths[path];
    if (p->mask != exec) {
        /* Guarded: the others wait behind the call, where the callers return to. */
        struct path caller = *p;
        p->state = PATH_PARENT;
        p->pc = next;
        p->children = 1;
        caller.parent = (int16_t)path;
        caller.mask = exec;
        caller.reconverge = next;
        caller.callee = false;
        path = new_path(warp, &caller);
        if (path < 0) {
            too_many_paths(w, warp);
            return -1;
        }
        p = &warp->paths[path];
    }
    p->state = PATH_PARENT;
    p->pc = next;
    p->children = 1;
    p->call = i->target;
    struct path callee = {.pc = c->target,
                          .reconverge = -1,
                          .mask = exec,
                          .parent = (int16_t)path,
                          .state = PATH_READY,
                          .callee = true,
                          .call = -1};
    int made = new_path(warp, &callee);
    if (made < 0)
        too_many_paths(w, warp);
    return made;
}

/* bar.warp.sync: the path waits until the lanes of its mask are all here. *go: they are. */
static bool warp_barrier(struct worker *w, struct warp *warp, int path, const struct instruction *i,
                         uint32_t exec, bool *go)
{
    const uint32_t *masks = slot_at(warp->base, i->o.a);
    uint32_t mask = masks[__builtin_ctz(exec)];
    *go = true;
    if (exec & ~mask)
        return fault_set(w, warp, __builtin_ctz(exec & ~mask), FAULT_LAUNCH,
                         "lanes 0x%08x are at a warp barrier whose mask 0x%08x does not name them",
                         exec & ~mask, mask);
    warp->epoch++;
    if ((mask & warp->live & ~exec) == 0)
        return true;
    uint32_t here = exec;
    for (int k = 0; k < warp->path_count; k++)
        if (warp->paths[k].state == PATH_WAITS_WARP && warp->paths[k].waits_for == mask)
            here |= warp->paths[k].mask;
    if ((mask & warp->live & ~here) == 0) {
        for (int k = 0; k < warp->path_count; k++)
            if (warp->paths[k].state == PATH_WAITS_WARP && warp->paths[k].waits_for == mask)
                warp->paths[k].state = PATH_READY;
        return true;
    }
    *go = false;
    warp->paths[path].waits_for = mask;
    warp->paths[path].state = PATH_WAITS_WARP;
    return true;
}

/* Lanes that a path waited for have ended: does that let it go on? */
static bool release_waiting(struct warp *warp)
{
    bool any = false;
    for (int k = 0; k < warp->path_count; k++) {
        struct path *p = &warp->paths[k];
        if (p->state != PATH_WAITS_WARP)
            continue;
        uint32_t here = 0;
        for (int j = 0; j < warp->path_count; j++)
            if (warp->paths[j].state == PATH_WAITS_WARP && warp->paths[j].waits_for == p->waits_for)
                here |= warp->paths[j].mask;
        if ((p->waits_for & warp->live & ~here) == 0) {
            p->state = PATH_READY;
            any = true;
        }
    }
    return any;
}

/* Nobody can go on although lanes are alive: they wait for lanes that never come. */
static bool stuck(struct worker *w, struct warp *warp)
{
    for (int k = 0; k < warp->path_count; k++) {
        struct path *p = &warp->paths[k];
        if (p->state != PATH_WAITS_WARP && p->state != PATH_WAITS_BLOCK &&
            p->state != PATH_WAITS_CLUSTER)
            continue;
        warp->at = p->pc - 1;
        uint32_t others = (p->state == PATH_WAITS_WARP ? p->waits_for : warp->exists) & ~p->mask;
        return fault_set(w, warp, __builtin_ctz(p->mask), FAULT_LAUNCH,
                         "%s barrier that some threads never reach: lanes 0x%08x of the warp wait "
                         "here, lanes 0x%08x took another way or have ended",
                         p->state == PATH_WAITS_WARP    ? "a warp"
                         : p->state == PATH_WAITS_BLOCK ? "a block"
                                                        : "a cluster",
                         p->mask, others);
    }
    return fault_set(w, warp, -1, FAULT_LAUNCH, "no lane of the warp can go on");
}

/* Looks at others' memory, again and again, at one place: a good moment for others. */
static bool spins(struct warp *warp, int32_t at)
{
    if (warp->strong_at != at) {
        warp->strong_at = at;
        warp->spins = 0;
        return false;
    }
    return ++warp->spins % MOST_SPINS == 0;
}

static void round_lanes(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int before = fegetround();
    fesetround(modes[i->rounding]);
    i->run(warp->base, &i->o, exec);
    fesetround(before);
}

/* cvta, cvta.to, isspacep for shared and local memory. */
static void windows(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    uint64_t window = i->space == SPACE_SHARED ? SHARED_WINDOW : LOCAL_WINDOW;
    const uint64_t *a = slot_at(warp->base, i->o.a);
    if (i->kind == KIND_IS_SPACE) {
        uint32_t *p = slot_at(warp->base, i->o.d), result = 0;
        for (int lane = 0; lane < LANES; lane++) {
            bool in_window = a[lane] - window < WINDOW_BYTES;
            bool global = a[lane] >= FIRST_ADDRESS;
            result |= (uint32_t)(i->space == SPACE_GLOBAL ? global : in_window) << lane;
        }
        *p = (*p & ~exec) | (result & exec);
        return;
    }
    uint64_t *d = slot_at(warp->base, i->o.d);
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        d[lane] = i->kind == KIND_TO_GENERIC ? a[lane] + window : a[lane] - window;
    }
}

/* Instructions that are neither lane by lane nor control flow. False after a fault. */
static bool other(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  uint32_t active)
{
    switch (i->kind) {
    case KIND_ATOMIC:
        return access_atomic(w, warp, i, exec);
    case KIND_SHUFFLE:
    case KIND_VOTE:
    case KIND_MATCH:
    case KIND_REDUX:
    case KIND_ELECT:
        return exchange(w, warp, i, exec);
    case KIND_MBARRIER:
        return async_barrier(w, warp, i, exec);
    case KIND_BULK_COPY:
        return async_copy(w, warp, i, exec);
    case KIND_MAP_SHARED:
        return cluster_map(w, warp, i, exec);
    case KIND_RUNTIME:
        return runtime_call(w, warp, i, exec);
    case KIND_ACTIVE_MASK: {
        uint32_t *d = slot_at(warp->base, i->o.d);
        for (uint32_t rest = exec; rest; rest &= rest - 1)
            d[__builtin_ctz(rest)] = active & exec;
        return true;
    }
    case KIND_FENCE:
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        warp->unfenced &= ~exec;
        return true;
    case KIND_LANES_ROUND:
        round_lanes(warp, i, exec);
        return true;
    case KIND_TO_GENERIC:
    case KIND_FROM_GENERIC:
    case KIND_IS_SPACE:
        windows(warp, i, exec);
        return true;
    case KIND_TRAP:
        return fault_set(w, warp, __builtin_ctz(exec), FAULT_LAUNCH, "the kernel stops itself");
    default:
        return fault_set(w, warp, -1, FAULT_UNSUPPORTED, "an instruction that is not executed");
    }
}

/* No path can go on: the warp has ended, waits at a barrier of the block, or is stuck. */
static enum stop wait_or_end(struct worker *w, struct warp *warp)
{
    if (!warp->live) {
        warp->state = WARP_DONE;
        return STOP_DONE;
    }
    uint32_t waiting = 0;
    for (int k = 0; k < warp->path_count; k++)
        if (warp->paths[k].state == PATH_WAITS_BLOCK || warp->paths[k].state == PATH_WAITS_CLUSTER)
            waiting |= warp->paths[k].mask;
    if (waiting != warp->live) {
        stuck(w, warp);
        return STOP_FAULT;
    }
    warp->state = WARP_AT_BARRIER;
    return STOP_BARRIER;
}

enum stop warp_run(struct worker *w, struct warp *warp, uint64_t most)
{
    const struct instruction *const code = w->launch->p->code;
    uint64_t executed = 0, threads = 0, on = 0, branches = 0;
    enum stop stop = STOP_FAULT;
    struct path *path;
    int32_t pc, reconverge;
    uint32_t active;
    unsigned lanes;

resume: /* another path: take its state into local variables */
    if (executed >= most) {
        stop = STOP_YIELD;
        goto out;
    }
    warp->current = next_ready(warp);
    if (warp->current < 0) {
        if (warp->live && release_waiting(warp))
            goto resume;
        stop = wait_or_end(w, warp);
        goto out;
    }
    path = &warp->paths[warp->current];
    pc = path->pc;
    active = path->mask;
    reconverge = path->reconverge;
    lanes = (unsigned)__builtin_popcount(active);

    for (;;) {
        if (pc == reconverge) {
            end_path(w, warp, warp->current);
            goto resume;
        }
        const struct instruction *i = &code[pc];
        uint32_t guard = *(const uint32_t *)slot_at(warp->base, i->guard) ^ i->guard_flip;
        uint32_t exec = active & guard;
        executed++;
        threads += lanes;
        on += exec == active ? lanes : (unsigned)__builtin_popcount(exec);
        if (i->kind == KIND_LANES) {
            i->run(warp->base, &i->o, exec);
            pc++;
            continue;
        }
        warp->at = pc++;
        if (i->kind == KIND_BRANCH) {
            branches++;
            if (exec == active) {
                pc = i->target;
                if (executed < most)
                    continue;
                path->pc = pc;
                goto resume;
            }
            if (!exec)
                continue;
            w->counts.divergent_branches++;
            if (split(w, warp, warp->current, exec, i->target, active & ~exec, pc, i->reconverge) <
                0)
                goto out;
            goto resume;
        }
        if (!exec)
            continue;
        switch (i->kind) {
        case KIND_LOAD:
            if (!access_load(w, warp, i, exec))
                goto out;
            if (!i->strong)
                continue;
            break;
        case KIND_STORE:
            if (!access_store(w, warp, i, exec))
                goto out;
            continue;
        case KIND_NOTHING:
            continue;
        case KIND_BARRIER: {
            path->pc = pc;
            enum arrival arrival = block_barrier(w, warp, path, i, exec);
            if (arrival == ARRIVAL_FAULT)
                goto out;
            if (arrival == ARRIVAL_GOES_ON)
                continue;
            goto resume;
        }
        case KIND_CLUSTER_BARRIER: {
            bool go;
            path->pc = pc;
            if (!cluster_barrier(w, warp, path, i, exec, &go))
                goto out;
            if (go)
                continue;
            goto resume;
        }
        case KIND_WARP_BARRIER: {
            bool go;
            path->pc = pc;
            if (!warp_barrier(w, warp, warp->current, i, exec, &go))
                goto out;
            if (go)
                continue;
            goto resume;
        }
        case KIND_EXIT:
        case KIND_RETURN:
            if (i->kind == KIND_EXIT) {
                warp->live &= ~exec;
                cluster_thread_ends(warp->block);
            }
            remove_lanes(warp, warp->current, exec, i->kind == KIND_EXIT);
            path->pc = pc;
            if (!path->mask)
                end_path(w, warp, warp->current);
            goto resume;
        case KIND_CALL:
            path->pc = pc;
            if (call_function(w, warp, warp->current, i, exec, pc) < 0)
                goto out;
            goto resume;
        case KIND_BRANCH_TABLE:
            branches++;
            path->pc = pc;
            if (branch_table(w, warp, warp->current, i, exec) < 0)
                goto out;
            goto resume;
        case KIND_PAUSE:
            path->pc = pc;
            stop = STOP_YIELD;
            goto out;
        default:
            if (!other(w, warp, i, exec, active))
                goto out;
            if (i->kind != KIND_ATOMIC && i->kind != KIND_MBARRIER)
                continue;
            break;
        }
        if (spins(warp, warp->at)) {
            path->pc = pc;
            stop = STOP_YIELD;
            goto out;
        }
    }

out:
    w->counts.instructions += executed;
    w->counts.thread_instructions += threads;
    w->counts.thread_on += on;
    w->counts.branches += branches;
    return stop;
}
