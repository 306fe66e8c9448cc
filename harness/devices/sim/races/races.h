/*
 * Finds data races. Two accesses to the same memory by different threads race if at least one of
 * them is a write, they are not both atomic, and neither is ordered before the other.
 *
 * When two accesses are ordered depends on where their threads are:
 *
 *   in one thread         always
 *   in one warp           if both threads take part in a warp barrier between them, or both
 *                         accesses are the same execution of an instruction; running in lockstep is
 *                         not enough, because GPUs since Volta do not promise it
 *   in one block          if a block barrier or a flag (in_block.h) is between them
 *   in different blocks   if an acquire in one block sees a release in the other
 *   in one cluster        as in different blocks, or if a cluster barrier is between them
 *
 * A release is an atomic, or a relaxed or volatile store, if it has .release or if its thread has
 * executed a fence since its last plain write. An acquire is an atomic or a strong load that reads
 * the same address afterwards. A release and an acquire order two groups of accesses. The first
 * group are those of the releasing thread, those of its warp before the last warp barrier, and
 * those of its block before the last block barrier. They are ordered before the second group: later
 * accesses of the acquiring thread, those of its warp after the next warp barrier, and those of its
 * block after the next block barrier. Atomics and fences of block scope (.cta) do not order
 * accesses of different blocks, and an atomic of block scope races with atomics of other blocks.
 *
 * A strong load that reads the value of another block's strong store is ordered after that store
 * even if the store is not a release, but only for accesses to this address.
 *
 * For a thread, a bulk copy or asynchronous copy writes shared memory from its issue until the
 * thread has waited for it (in_block.h). All earlier accesses to the memory that it writes must be
 * ordered before its issue. A shared-memory barrier works like a block barrier if its phases need
 * several arrivals, and like a flag if they need one. The global memory that copies read is not
 * checked.
 *
 * A grid that a kernel launches, a child, has a detector of its own for races between its threads.
 * The parent's detector treats the child's accesses to global memory as accesses of the launching
 * thread at the time of the launch. They are therefore ordered after that thread's earlier
 * accesses, and after those of other threads if there is a barrier in between. A tail launch is
 * ordered after the whole parent grid.
 *
 * As PTX specifies, volatile accesses of different blocks do not race. Within a block, they do
 * unless the writing thread has executed a fence since its last write, because code that uses them
 * without a fence relies on lockstep.
 *
 * The detector approximates in the following ways, which can only hide races:
 *
 *   - An acquire orders accesses even if no fence follows it.
 *   - A block barrier for some threads counts as one for all threads. For flags and copies, a warp
 *     barrier for some lanes counts as one for all lanes.
 *   - Only the last write of a word, the last plain write and two readers are remembered.
 *   - If several threads of a block release through the same address, each release counts as a
 *     release by all of them.
 *   - Races that only happen if blocks run in another order, such as in a branch that is not taken,
 *     are not found.
 *   - Accesses between arriving at a cluster barrier and waiting there count as made before the
 *     barrier.
 *   - A thread's accesses after it has launched a grid never race with that grid.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_RACES_H
#define REDSWEEP_DEVICES_SIM_RACES_RACES_H

#include "devices/race_report.h"
#include "devices/sim/machine/machine.h"

/*
 * Creates the detector of a grid. If a kernel launched the grid, the detector also passes each
 * access on to the detectors of the launching grids (launch->origin). Returns NULL if there is not
 * enough memory. Free the detector with races_free().
 */
struct races *races_new(const struct launch_state *launch);
/* Adds a grid's races to those of the grid that launched it. */
void races_merge(struct races *to, const struct races *from);
void races_free(struct races *r);
void races_report(const struct races *r, struct race_report *out);

/*
 * Records that all blocks of a cluster have arrived at its barrier. `first` is the number of the
 * cluster's first block. In `blocks`, those that have ended are NULL.
 */
void races_cluster_barrier(struct races *r, uint64_t first, struct block *const *blocks, int count);

/*
 * Records that these lanes have met at a warp barrier. If r is NULL, only increments warp->epoch.
 */
void races_warp_barrier(struct races *r, struct warp *warp, uint32_t lanes);

/* Records that a block begins, so that no accesses to its shared memory are known. */
void races_begin_block(struct races *r, const struct block *b);

/*
 * The following functions record how asynchronous copies and shared-memory barriers order accesses
 * of the thread in `lane`. `to` and `barrier` are offsets in the block's shared memory. If
 * `barrier` is UINT64_MAX, the copy is part of the next group that the thread commits. For copies,
 * `parity` is that of the barrier's current phase, and for waits, that of the phase that has ended.
 */
void races_copy(struct races *r, struct warp *warp, unsigned lane, uint64_t to, uint64_t bytes,
                uint64_t barrier, bool parity);
/*
 * Records an operation on groups of copies. For a wait, `open` is how many of the most recent
 * groups may be incomplete, or -1 if all copies must be complete.
 */
void races_copy_group(struct races *r, struct warp *warp, unsigned lane,
                      enum async_operation operation, int open);
void races_copy_attach(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                       bool parity);
/*
 * Records an arrival. `arrivals` is the number of arrivals per phase, and `ends` says whether this
 * one ends the phase.
 */
void races_mbarrier_arrive(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                           unsigned arrivals, bool ends);
void races_mbarrier_wait(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                         bool parity);

/*
 * Records that the lanes of `exec` access i->space at these addresses. Returns false after a fault.
 */
bool races_access(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  const uint64_t address[LANES], enum access_kind kind);

#endif
