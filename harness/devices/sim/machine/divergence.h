/*
 * Divergence: the lanes of a warp that run together, and the places where they reconverge.
 *
 * Lanes that diverge at a branch become warp splits, which form a tree. Leaves execute; a parent
 * waits at the reconvergence point of its children, the branch's immediate post-dominator. A branch
 * with the same reconvergence point as its own split adds siblings instead of a level. The sibling
 * that is earliest in the code runs (blocks are sorted so that each comes after those that lead to
 * it; graph_order()). If it arrives at an instruction where another sibling waits, the two merge: code
 * that several tests lead to (if (a && b) … else …; goto) runs once for all lanes that arrive, because
 * the assembler makes them wait for each other there. Source of this order: Diamos et al., "SIMD
 * re-convergence at thread frontiers" (MICRO 2011).
 *
 * bar.warp.sync, shuffles, votes, matches and reductions among the lanes of a mask are collectives.
 * Lanes at a collective are grouped by their masks; a group waits until all lanes of its mask that
 * have not exited are at a collective of the same kind with the same mask. They may have taken
 * different paths, as PTX specifies (9.7.9 shfl.sync, 9.7.13 bar.warp.sync, vote.sync, match.sync,
 * redux.sync, elect.sync).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H

#include "devices/sim/machine/machine.h"

/*
 * Returns the split that runs next, or -1 if none is ready. It may run until it arrives at *stop, where it
 * ends or another split waits. If *crowded, it has ready siblings, so a split must be chosen again after a
 * jump.
 */
int split_choose(const struct program *program, struct warp *warp, int32_t *stop, bool *crowded);

/* Ends a split that has reconverged; its parent continues when all its children have ended. */
void split_end(struct worker *w, struct warp *warp, int split);

/* Removes lanes from a split and its parents: from all parents if the threads exit, otherwise up to
 * the caller of their function. */
void split_remove_lanes(struct warp *warp, int split, uint32_t lanes, bool whole_thread);

/*
 * Divides a split: lanes `taken` continue at `target`, lanes `fall` at `next`, and both reconverge at
 * `reconverge`. Lanes that are already there wait in the parent. Like the next functions, returns false after a fault.
 */
bool split_diverge(struct worker *w, struct warp *warp, int split, uint32_t taken, int32_t target,
                   uint32_t fall, int32_t next, int32_t reconverge);
bool split_branch_table(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                        uint32_t exec);
bool split_call(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                uint32_t exec, int32_t next);

/* Executes a collective at which lanes are missing or have different masks. Lanes whose masks are
 * complete continue in `split`, the others wait; the next split must be chosen again. */
bool split_collective(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                      uint32_t exec);

/* Releases a split that need not wait any longer, because lanes have exited. *ok becomes false after a fault. */
bool split_release_waiting(struct worker *w, struct warp *warp, bool *ok);

/* For a warp without a runnable split: ends the lanes that wait for others and have nothing left
 * to do but end, as after `if (…) return;`. Returns these lanes. */
uint32_t split_end_idle(struct worker *w, struct warp *warp);

/* Sets the fault that says what lanes wait for, if no split can run although lanes are alive. */
bool split_report_stuck(struct worker *w, struct warp *warp);

#endif
