/*
 * Handles divergence: which lanes of a warp run together, and where they reconverge.
 *
 * When lanes diverge at a branch, they divide into splits, which form a tree. The leaves execute. A
 * parent waits at the reconvergence point of its children, which is the branch's immediate
 * post-dominator. If a branch has the same reconvergence point as the split that executes it, the
 * new splits become siblings of this split instead of a new level of the tree. The sibling that is
 * earliest in the code runs. In this order, a block comes after all blocks that lead to it
 * (graph_order()). If a sibling arrives at an instruction at which another sibling waits, the two
 * merge. Code that several branches lead to (if (a && b) … else …; goto) therefore runs once for
 * all lanes that arrive, because the assembler makes them wait for each other there. The order
 * comes from Diamos et al., "SIMD re-convergence at thread frontiers" (MICRO 2011).
 *
 * A collective is an operation among the lanes of a mask: bar.warp.sync, a shuffle, vote, match or
 * reduction. Lanes at a collective are grouped by their masks. A group waits until all lanes of its
 * mask that have not exited are at a collective of the same kind with the same mask. The lanes may
 * have taken different paths, as PTX specifies (9.7.9 shfl.sync, 9.7.13 bar.warp.sync, vote.sync,
 * match.sync, redux.sync, elect.sync).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H

#include "devices/sim/machine/machine.h"

/*
 * Returns the split that runs next, or -1 if none is ready. The split may run until it arrives at
 * *stop, where it ends or where another split waits. If *crowded is true, the split has ready
 * siblings, and the caller must choose again after a jump.
 */
int split_choose(const struct program *program, struct warp *warp, int32_t *stop, bool *crowded);

/*
 * Ends a split that has reconverged. Its parent continues when all the parent's children have
 * ended.
 */
void split_end(struct worker *w, struct warp *warp, int split);

/*
 * Removes lanes from a split and its ancestors. If the threads exit (`whole_thread`), removes them
 * from all ancestors. Otherwise, removes them only from the ancestors up to the split of their
 * function's caller.
 */
void split_remove_lanes(struct warp *warp, int split, uint32_t lanes, bool whole_thread);

/*
 * Divides a split. The lanes `taken` continue at `target`, and the lanes `fall` at `next`. All of
 * them reconverge at `reconverge`, where lanes that are already there wait in the parent. This
 * function and the next two return false after a fault.
 */
bool split_diverge(struct worker *w, struct warp *warp, int split, uint32_t taken, int32_t target,
                   uint32_t fall, int32_t next, int32_t reconverge);
bool split_branch_table(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                        uint32_t exec);
bool split_call(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                uint32_t exec, int32_t next);

/*
 * Executes a collective that some lanes have not reached yet, or that lanes have reached with
 * different masks. Lanes whose masks are complete continue in `split`, and the others wait. The
 * caller must choose a split again.
 */
bool split_collective(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                      uint32_t exec);

/*
 * Releases a split that no longer has to wait because lanes have exited. Returns whether there was
 * such a split. *ok becomes false after a fault.
 */
bool split_release_waiting(struct worker *w, struct warp *warp, bool *ok);

/*
 * In a warp without a runnable split, ends the lanes that wait for other lanes and have nothing
 * left to execute, for example after `if (…) return;`. Returns these lanes.
 */
uint32_t split_end_idle(struct worker *w, struct warp *warp);

/*
 * Sets a fault if no split can run although lanes are alive. The fault states what the lanes wait
 * for.
 */
bool split_report_stuck(struct worker *w, struct warp *warp);

#endif
