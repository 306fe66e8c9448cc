/*
 * Finds data races. Two accesses to the same memory by different threads race if at least one of
 * them is a write, they are not both atomic, and neither is ordered before the other.
 *
 * Two accesses are ordered in these cases, which depend on where their threads are: in one thread
 * always in one warp if a warp barrier in which both threads take part is between them, or if both
 * are the same execution of an instruction. Running in lockstep does not order them, because GPUs
 * since Volta do not promise it. in one block if a block barrier or a flag (in_block.h) is between
 * them in different blocks if an acquire in one block sees a release in the other. A release is an
 * atomic, or a relaxed or volatile store. It must have .release, or its thread must have executed a
 * fence since its last plain write. An acquire is an atomic or a strong load of the same address.
 * Three groups of accesses are ordered before the acquire: those of the releasing thread, those of
 * its warp before the warp's last barrier, and those of its block before the block's last barrier.
 * These groups also come before the later accesses of the acquiring thread, those of its warp after
 * the warp's next barrier, and those of its block after the block's next barrier. Atomics and
 * fences of block scope (.cta) do not order accesses of different blocks. An atomic of block scope
 * races with atomics of other blocks. in blocks of a cluster as for different blocks, and also if a
 * barrier of the cluster is between them
 *
 * A strong load that sees another block's strong store is ordered after this store at that address,
 * even without a release.
 *
 * A bulk or asynchronous copy writes shared memory until a thread has waited for it (in_block.h),
 * and no thread may still be using the memory that it overwrites. If a phase of a barrier in shared
 * memory needs several arrivals, its end is treated as a block barrier. If it needs one arrival,
 * the barrier is treated as a flag. The global memory that copies read is not examined.
 *
 * A grid that a kernel launches has a separate detector for races among its threads. The detector
 * of the launching grid treats the launched grid's accesses to global memory as accesses of the
 * launching thread at launch. They are ordered after that thread's earlier accesses, and after
 * accesses of other threads if a barrier is between them and the launch. A tail launch is ordered
 * after the whole launching grid.
 *
 * Each approximation can only hide races. An acquire needs no fence after it. A block barrier for
 * some threads is treated as a barrier for all threads. For flags and copies, a warp barrier for
 * some lanes is treated as a barrier for all lanes. The detector remembers only the last write of a
 * word, its last plain write and two readers. If several threads of a block release through one
 * address, the release of each is treated as a release of all. The detector does not see what
 * happens only if blocks run in another order (such as a branch that is not taken). It treats
 * accesses after the arrival at a cluster's barrier as accesses before the barrier. The accesses
 * that a thread makes after it has launched a grid never race with that grid. According to PTX, two
 * volatile accesses of different blocks do not race. Within a block, they race unless the writing
 * thread has executed a fence since its last write, because code that uses them without a fence
 * relies on lockstep.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_RACES_H
#define REDSWEEP_DEVICES_SIM_RACES_RACES_H

#include "devices/race_report.h"
#include "devices/sim/machine/machine.h"

/*
 * Creates a detector for one grid. The detector also passes each access on to the detectors of the
 * grids that launched this grid (launch->origin). Returns NULL if out of memory. Free the detector
 * with races_free().
 */
struct races *races_new(const struct launch_state *launch);
/* Adds the races found in a grid to those of the grid that launched it. */
void races_merge(struct races *to, const struct races *from);
void races_free(struct races *r);
void races_report(const struct races *r, struct race_report *out);

/*
 * Records that all blocks of a cluster have arrived at its barrier. `first` is the number of the
 * first block. Blocks that have ended are NULL.
 */
void races_cluster_barrier(struct races *r, uint64_t first, struct block *const *blocks, int count);

/*
 * Records that these lanes have met at a warp barrier. If r is NULL, only the warp's epoch changes.
 */
void races_warp_barrier(struct races *r, struct warp *warp, uint32_t lanes);

/* Records that a block begins. No thread has accessed its shared memory yet. */
void races_begin_block(struct races *r, const struct block *b);

/*
 * These functions record the orders that asynchronous copies and barriers in shared memory create
 * for the thread in `lane`. Addresses are offsets in the block's shared memory. If `barrier` is
 * UINT64_MAX, the copy belongs to the thread's open group. `parity` is the parity of the barrier's
 * current phase for copies, and of the ended phase for waits.
 */
void races_copy(struct races *r, struct warp *warp, unsigned lane, uint64_t to, uint64_t bytes,
                uint64_t barrier, bool parity);
/*
 * For a wait, `open` is the number of most recent groups that need not be complete. If it is -1,
 * all copies must be complete.
 */
void races_copy_group(struct races *r, struct warp *warp, unsigned lane,
                      enum async_operation operation, int open);
void races_copy_attach(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                       bool parity);
/*
 * `arrivals` is the number of arrivals in each phase of the barrier. `ends` states whether this
 * arrival ends the phase.
 */
void races_mbarrier_arrive(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                           unsigned arrivals, bool ends);
void races_mbarrier_wait(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                         bool parity);

/*
 * Records an access by the lanes of `exec` to these addresses in i->space. Returns false after a
 * fault.
 */
bool races_access(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  const uint64_t address[LANES], enum access_kind kind);

#endif
