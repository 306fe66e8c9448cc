/*
 * Handles divergence: which lanes of a warp run together, and where they reconverge.
 *
 * Lanes that diverge at a branch are divided into splits, which form a tree. The leaves execute. A
 * parent waits where its children reconverge, at the branch's immediate post-dominator. If a split
 * executes a branch that reconverges at the split's own reconvergence point, the new splits become
 * its siblings instead of a new level of the tree. Among siblings, the one that is earliest in the
 * code runs, in an order in which each basic block comes after all blocks that lead to it
 * (graph_order()). A sibling that reaches an instruction where another sibling waits merges with
 * it. Code that several branches lead to (if (a && b) … else …; goto) therefore runs once for all
 * lanes, as on the hardware, where the assembler makes lanes wait for each other there. The order
 * comes from Diamos et al., "SIMD re-convergence at thread frontiers" (MICRO 2011).
 *
 * A collective is an operation among the lanes of a mask: bar.warp.sync, a shuffle, vote, match or
 * reduction. It waits until all lanes of its mask that have not exited are at a collective of the
 * same kind with the same mask. As PTX specifies, they may have got there on different paths (9.7.9
 * shfl.sync, 9.7.13 bar.warp.sync, vote.sync, match.sync, redux.sync, elect.sync).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H

#include "devices/sim/machine/machine.h"

/*
 * Returns the split to run next, or -1 if none is ready. It may run up to *stop, where it ends or
 * another split waits. If *crowded is true, it has ready siblings, so the caller must choose again
 * after each jump.
 */
int split_choose(const struct program *program, struct warp *warp, int32_t *stop, bool *crowded);

/* Ends a split that has reconverged. Its parent continues once all its children have ended. */
void split_end(struct worker *w, struct warp *warp, int split);

/*
 * Removes lanes from a split and its ancestors: from all of them if the threads exit
 * (`whole_thread`), otherwise only up to the caller's split.
 */
void split_remove_lanes(struct warp *warp, int split, uint32_t lanes, bool whole_thread);

/*
 * Divides a split. The lanes in `taken` continue at `target`, and those in `fall` at `next`. They
 * reconverge at `reconverge`; lanes that are already there wait in the parent. This function and
 * the next two return false after a fault.
 */
bool split_diverge(struct worker *w, struct warp *warp, int split, uint32_t taken, int32_t target,
                   uint32_t fall, int32_t next, int32_t reconverge);
bool split_branch_table(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                        uint32_t exec);
bool split_call(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                uint32_t exec, int32_t next);

/*
 * Executes a collective that some lanes have yet to reach or that lanes have reached with different
 * masks. Lanes whose masks are complete continue in `split`; the others wait. The caller must
 * choose a split again.
 */
bool split_collective(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                      uint32_t exec);

/*
 * Releases a split that was waiting for lanes that have exited. Returns whether there was one. Sets
 * *ok to false after a fault.
 */
bool split_release_waiting(struct worker *w, struct warp *warp, bool *ok);

/*
 * If no split of the warp can run, ends the lanes that wait for others but have nothing left to
 * execute, for example after `if (…) return;`. Returns these lanes.
 */
uint32_t split_end_idle(struct worker *w, struct warp *warp);

/*
 * Sets a fault that says what the lanes are waiting for, if lanes are alive but no split can run.
 */
bool split_report_stuck(struct worker *w, struct warp *warp);

#endif
