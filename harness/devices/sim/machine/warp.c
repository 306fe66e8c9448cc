/*
 * Executes a warp's instructions one after another, each for all lanes of a split at once.
 *
 * A lane executes an instruction if it is in the current split and its guard is true. Every
 * instruction completes in all lanes before the next one begins. Code that relies on lanes running
 * in lockstep therefore works, as on hardware before Volta.
 */
#ifndef __clang__
#pragma GCC optimize("O3", "no-tree-slp-vectorize")
#endif
#include "devices/sim/machine/cluster.h"
#include "devices/sim/machine/device_runtime.h"
#include "devices/sim/machine/divergence.h"
#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"

#include <string.h>

/*
 * If a warp executes the same atomic, mbarrier instruction or strong load so many times, and no
 * other such instruction in between, it probably waits for another warp or block.
 */
enum { SPIN_LIMIT = 64 };

/* The charges per lane for instructions that the host executes lane by lane. A lane takes 25 to 36
 * ns, or 13 ns for an mbarrier. */
static const uint8_t lane_charges[KIND_RUNTIME + 1] = {
    [KIND_ATOMIC] = 2, [KIND_MATCH] = 2, [KIND_MBARRIER] = 1, [KIND_ASYNC_COPY] = 2};

/* the charge for nanosleep, after which the worker may yield with a system call */
enum { PAUSE_CHARGE = 32 };

static void charge_lanes(struct worker *w, struct warp *warp, const struct instruction *i,
                         uint32_t exec)
{
    charge(w, warp, (uint64_t)lane_charges[i->kind] * lane_count(exec));
}

/* Returns whether a warp should yield to other warps and blocks, because it has executed the
 * instruction `at` so often that it probably waits for them. */
static bool is_spinning(struct warp *warp, int32_t at)
{
    if (warp->spin_at != at) {
        warp->spin_at = at;
        warp->spins = 0;
        return false;
    }
    return ++warp->spins % SPIN_LIMIT == 0;
}

/* Returns whether the lanes of `exec` have the same mask at a collective, and are all of the mask's
 * lanes that have not exited. */
static bool all_arrived(const struct warp *warp, const struct instruction *i, uint32_t exec)
{
    const uint32_t *masks = slot_at(warp->base, (slot_reference)i->offset);
    uint32_t mask = masks[__builtin_ctz(exec)], different = 0;
    if (exec == 0xffffffffu) {
        for (int lane = 0; lane < LANES; lane++)
            different |= masks[lane] ^ mask;
    } else {
        for (uint32_t rest = exec; rest; rest &= rest - 1)
            different |= masks[__builtin_ctz(rest)] ^ mask;
    }
    return !different && (mask & warp->live) == exec;
}

/* Executes a collective (divergence.h). Not inlined, because the loop in warp_run() needs all of
 * the CPU's registers. */
__attribute__((noinline)) static enum arrival
run_collective(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    bool ok = true;
    warp->apart = false;
    if (!all_arrived(warp, i, exec))
        return split_collective(w, warp, warp->current, i, exec) ? ARRIVAL_WAITS : ARRIVAL_FAULT;
    if (i->kind == KIND_WARP_BARRIER)
        races_warp_barrier(w->launch->races, warp, exec);
    else
        ok = exchange(w, warp, i, exec);
    charge_lanes(w, warp, i, exec);
    return ok ? ARRIVAL_GOES_ON : ARRIVAL_FAULT;
}

/* Reads %globaltimer. The simulator has no clock, so each read advances the timer by a
 * microsecond. */
static void read_timer(struct worker *w, struct warp *warp, const struct instruction *i,
                       uint32_t exec)
{
    uint64_t *d = slot_at(warp->base, i->o.d);
    w->timer += 1000;
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        d[__builtin_ctz(rest)] = w->timer;
}

/* Executes cvta, cvta.to and isspacep for shared and local memory. */
static void convert_generic(struct warp *warp, const struct instruction *i, uint32_t exec)
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

/* Records the consequences of a branch for counts (program/follow.h): which counts become unknown,
 * and which lanes repeat a loop. `active` is the split's lanes, and `taken` those that jump. */
__attribute__((noinline)) static void watch_branch(struct worker *w, struct warp *warp,
                                                   const struct instruction *i, uint32_t active,
                                                   uint32_t taken)
{
    unsigned kinds = (taken && taken != active ? i->uneven : 0u) | (taken ? i->lost[1] : 0u) |
                     (taken != active ? i->lost[0] : 0u);
    if (i->latch)
        warp->again[i->latch] = (warp->again[i->latch] & ~active) | taken;
    struct access_counts *of[] = {w->counts.global, w->counts.shared, w->counts.local};
    for (int space = 0; space < 3; space++) {
        of[space][ACCESS_LOAD].unknown += kinds >> 2 * space & 1;
        of[space][ACCESS_STORE].unknown += kinds >> (2 * space + 1) & 1;
    }
    for (int space = 0; space < 2; space++)
        for (int kind = ACCESS_REDUCTION; kind <= ACCESS_ATOMIC; kind++)
            of[space][kind].unknown += kinds >> (6 + space) & 1;
}

/*
 * Executes those kinds of instructions that warp_run() does not execute itself. Returns false after
 * a fault.
 */
static bool execute_rare(struct worker *w, struct warp *warp, const struct instruction *i,
                         uint32_t exec, uint32_t active)
{
    switch (i->kind) {
    case KIND_ATOMIC:
        return access_atomic(w, warp, i, exec);
    case KIND_MBARRIER:
        return async_barrier(w, warp, i, exec);
    case KIND_BULK_COPY:
        return async_bulk_copy(w, warp, i, exec);
    case KIND_ASYNC_COPY:
        return async_copy(w, warp, i, exec);
    case KIND_ASYNC_GROUP:
        return async_group(w, warp, i, exec);
    case KIND_TIMER:
        read_timer(w, warp, i, exec);
        return true;
    case KIND_MAP_SHARED:
        return cluster_map(w, warp, i, exec);
    case KIND_RUNTIME:
        return i->operation >= RUNTIME_PRINTF ? print_call(w, warp, i, exec)
                                              : runtime_call(w, warp, i, exec);
    case KIND_ACTIVE_MASK: {
        uint32_t *d = slot_at(warp->base, i->o.d);
        for (uint32_t rest = exec; rest; rest &= rest - 1)
            d[__builtin_ctz(rest)] = active & exec;
        return true;
    }
    case KIND_FENCE:
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (!i->block_scope)
            warp->unfenced &= ~exec;
        warp->fenced |= exec;
        return true;
    case KIND_LANES_FLOAT:
        run_float(warp, i, exec);
        return true;
    case KIND_TO_GENERIC:
    case KIND_FROM_GENERIC:
    case KIND_IS_SPACE:
        convert_generic(warp, i, exec);
        return true;
    case KIND_TRAP:
        return fault_set(w, warp, __builtin_ctz(exec), FAULT_LAUNCH, "the kernel executed a trap");
    default:
        return fault_set(w, warp, -1, FAULT_UNSUPPORTED, "this instruction cannot be executed");
    }
}

/* Records that the threads in these lanes have ended. */
static void threads_end(struct warp *warp, uint32_t lanes)
{
    block_threads_end(warp->block, lanes);
    cluster_thread_ends(warp->block);
}

/*
 * If other lanes of the warp wait at a block barrier, ends lanes that have nothing left to execute,
 * so that the barrier does not wait for them (block.c). Returns whether there were any.
 */
static bool idle_lanes_end(struct worker *w, struct warp *warp)
{
    bool others_wait = false;
    for (int k = 0; k < warp->split_count; k++) {
        if (warp->splits[k].state == SPLIT_WAITS_WARP)
            return false;
        others_wait = others_wait || warp->splits[k].state == SPLIT_WAITS_BLOCK;
    }
    uint32_t ended = others_wait && !w->launch->races ? split_end_idle(w, warp) : 0;
    if (ended)
        threads_end(warp, ended);
    return ended != 0;
}

/* Finds out why no split can run. Returns STOP_DONE if the warp has ended, STOP_BARRIER if it waits
 * at a block or cluster barrier, and STOP_FAULT if it is stuck. */
static enum stop wait_or_end(struct worker *w, struct warp *warp)
{
    if (!warp->live) {
        warp->state = WARP_DONE;
        return STOP_DONE;
    }
    uint32_t waiting = 0;
    for (int k = 0; k < warp->split_count; k++)
        if (warp->splits[k].state == SPLIT_WAITS_BLOCK ||
            warp->splits[k].state == SPLIT_WAITS_CLUSTER)
            waiting |= warp->splits[k].mask;
    if (waiting != warp->live) {
        split_report_stuck(w, warp);
        return STOP_FAULT;
    }
    warp->state = WARP_AT_BARRIER;
    return STOP_BARRIER;
}

enum stop warp_run(struct worker *w, struct warp *warp, uint64_t limit)
{
    const struct instruction *const code = w->launch->p->code;
    uint64_t executed = 0, counted = 0, threads = 0, off = 0, branches = 0;
    enum stop stop = STOP_FAULT;
    struct split *split;
    int32_t pc, until;
    uint32_t active;
    unsigned lanes = 0;
    uint64_t jump_limit; /* after so many instructions, a jump chooses a split again */
    uint64_t before;
    bool crowded, ok;

resume: /* chooses a split, and copies its state to local variables */
    threads += (executed - counted) * lanes;
    counted = executed;
    if (executed >= limit) {
        stop = STOP_YIELD;
        goto out;
    }
    warp->current = split_choose(w->launch->p, warp, &until, &crowded);
    if (warp->current < 0) {
        if (warp->live && split_release_waiting(w, warp, &ok)) {
            if (ok)
                goto resume;
            goto out;
        }
        if (warp->live && idle_lanes_end(w, warp))
            goto resume;
        stop = wait_or_end(w, warp);
        goto out;
    }
    split = &warp->splits[warp->current];
    pc = split->pc;
    active = split->mask;
    lanes = lane_count(active);
    jump_limit = crowded ? 0 : limit;
    if (pc == split->reconverge)
        until = pc;

    for (;;) {
        if (pc == until) {
            split->pc = pc;
            if (pc == split->reconverge)
                split_end(w, warp, warp->current);
            goto resume;
        }
        const struct instruction *i = &code[pc];
        uint32_t exec = active;
        executed++;
        if (i->guard != GUARD_NONE) {
            exec &= *(const uint32_t *)slot_at(warp->base, i->guard) ^ i->guard_flip;
            if (exec != active)
                off += lanes - lane_count(exec);
        }
        if (i->kind == KIND_LANES) {
            i->run(warp->base, &i->o, exec);
            pc++;
            continue;
        }
        warp->at = pc++;
        if (i->kind == KIND_BRANCH) {
            branches++;
            if (i->watched)
                watch_branch(w, warp, i, active, exec);
            if (exec == active) {
                pc = i->target;
                if (executed < jump_limit)
                    continue;
                split->pc = pc;
                goto resume;
            }
            if (!exec)
                continue;
            w->counts.divergent_branches++;
            if (!split_diverge(w, warp, warp->current, exec, i->target, active & ~exec, pc,
                               i->reconverge))
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
            split->pc = pc;
            enum arrival arrival = block_barrier(w, warp, split, i, exec);
            if (arrival == ARRIVAL_FAULT)
                goto out;
            if (arrival == ARRIVAL_GOES_ON)
                continue;
            goto resume;
        }
        case KIND_CLUSTER_BARRIER: {
            bool go;
            split->pc = pc;
            if (!cluster_barrier(w, warp, split, i, exec, &go))
                goto out;
            if (go)
                continue;
            goto resume;
        }
        case KIND_WARP_BARRIER:
        case KIND_SHUFFLE:
        case KIND_VOTE:
        case KIND_MATCH:
        case KIND_REDUX:
        case KIND_ELECT:
            split->pc = pc;
            switch (run_collective(w, warp, i, exec)) {
            case ARRIVAL_GOES_ON:
                continue;
            case ARRIVAL_WAITS:
                goto resume;
            case ARRIVAL_FAULT:
                goto out;
            }
            goto out;
        case KIND_EXIT:
        case KIND_RETURN:
            if (i->kind == KIND_EXIT) {
                warp->live &= ~exec;
                threads_end(warp, exec);
            }
            split_remove_lanes(warp, warp->current, exec, i->kind == KIND_EXIT);
            split->pc = pc;
            if (!split->mask)
                split_end(w, warp, warp->current);
            goto resume;
        case KIND_CALL:
            split->pc = pc;
            if (!split_call(w, warp, warp->current, i, exec, pc))
                goto out;
            goto resume;
        case KIND_BRANCH_TABLE:
            branches++;
            split->pc = pc;
            if (!split_branch_table(w, warp, warp->current, i, exec))
                goto out;
            goto resume;
        case KIND_PAUSE:
            split->pc = pc;
            stop = STOP_YIELD;
            charge(w, warp, PAUSE_CHARGE);
            goto out;
        default:
            before = work_done(w);
            if (!execute_rare(w, warp, i, exec, active))
                goto out;
            charge_lanes(w, warp, i, exec);
            before = work_done(w) - before;
            limit = before < limit ? limit - before : 0;
            if (jump_limit > limit)
                jump_limit = limit;
            if (i->kind != KIND_ATOMIC && i->kind != KIND_MBARRIER)
                continue;
            break;
        }
        if (is_spinning(warp, warp->at)) {
            split->pc = pc;
            stop = STOP_YIELD;
            goto out;
        }
    }

out:
    threads += (executed - counted) * lanes;
    w->counts.instructions += executed;
    warp->executed += executed;
    w->counts.thread_instructions += threads;
    w->counts.thread_on += threads - off;
    w->counts.branches += branches;
    return stop;
}
