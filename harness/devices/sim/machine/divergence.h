/*
 * Decides which lanes of a warp run together after they have diverged, and where they reconverge.
 *
 * A split is a group of lanes that execute instructions together. When the lanes of a split diverge
 * at a branch, they are divided into new splits, so that splits form a tree. Only the leaves of the
 * tree execute instructions. A parent waits at the place where its children reconverge, which is
 * the branch's immediate post-dominator. If that is also the place where the split itself
 * reconverges, the new splits become its siblings instead of its children. Of several siblings, the
 * one that is earliest in the code runs first. In this order, each basic block comes after all
 * blocks that lead to it (graph_order()). When the running sibling reaches an instruction where
 * another one waits, the two merge. Code to which several branches lead (if (a && b) … else …;
 * goto) therefore runs once for all lanes. Hardware also runs it once, because the assembler makes
 * lanes wait for each other there. The order comes from Diamos et al., "SIMD re-convergence at
 * thread frontiers" (MICRO 2011).
 *
 * A collective is an instruction that the lanes of a mask execute together: bar.warp.sync, a
 * shuffle, vote, match or reduction. A lane waits at a collective until all lanes of the mask that
 * have not exited are at a collective of the same kind with the same mask. As PTX specifies, these
 * may be different instructions (9.7.9 shfl.sync, 9.7.13 bar.warp.sync, vote.sync, match.sync,
 * redux.sync, elect.sync).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DIVERGENCE_H

#include "devices/sim/machine/machine.h"

/*
 * Returns the index of the split to run next, or -1 if none is ready. The split may run up to
 * instruction *stop, where it ends or another split waits. If it has siblings that are ready, sets
 * *crowded to true. The caller must then choose again after each jump.
 */
int split_choose(const struct program *program, struct warp *warp, int32_t *stop, bool *crowded);

/* Ends a split that is at its reconvergence point. When all children of its parent have ended, the
 * parent continues. */
void split_end(struct worker *w, struct warp *warp, int split);

/*
 * Removes lanes from a split and its ancestors. If the threads exit (`whole_thread`), removes them
 * from all ancestors. If they return from a function, removes them only from those splits that
 * belong to the function's call.
 */
void split_remove_lanes(struct warp *warp, int split, uint32_t lanes, bool whole_thread);

/*
 * Divides a split at a branch. The lanes in `taken` continue at instruction `target`, and those in
 * `fall` at instruction `next`. All of them reconverge at instruction `reconverge`. Lanes that are
 * already there wait in the parent. This function and the next two return false after a fault.
 */
bool split_diverge(struct worker *w, struct warp *warp, int split, uint32_t taken, int32_t target,
                   uint32_t fall, int32_t next, int32_t reconverge);
bool split_branch_table(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                        uint32_t exec);
bool split_call(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                uint32_t exec, int32_t next);

/*
 * Executes a collective if not all lanes of its mask have reached it, or if lanes have reached it
 * with different masks. If all lanes of a mask have arrived, they complete the collective and
 * continue. All other lanes wait in splits of their own. The caller must then choose a split again.
 */
bool split_collective(struct worker *w, struct warp *warp, int split, const struct instruction *i,
                      uint32_t exec);

/*
 * Completes a collective if all lanes for which others wait there have exited. Returns whether
 * there was one. Sets *ok to false after a fault.
 */
bool split_release_waiting(struct worker *w, struct warp *warp, bool *ok);

/*
 * If no split of the warp can run, ends those lanes that wait for others to reconverge, but would
 * then exit at once, for example after `if (…) return;`. Returns these lanes.
 */
uint32_t split_end_idle(struct worker *w, struct warp *warp);

/*
 * Sets a fault that says what the lanes are waiting for. Call this if no split can run although not
 * all lanes have exited.
 */
bool split_report_stuck(struct worker *w, struct warp *warp);

#endif
