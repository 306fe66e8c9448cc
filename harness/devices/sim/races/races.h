/*
 * Finds data races: two accesses to the same memory by different threads race if at least one of them
 * is a write, they are not both atomic, and there is no order between them.
 *
 * These orders exist between the accesses of two threads:
 *   of one thread            the program
 *   of one warp              a warp barrier between them in which both take part, or that both are the
 *                            same instruction. Lockstep is not an order: since Volta nothing promises it.
 *   of one block             a block barrier between them, or a flag: in_block.h
 *   of different blocks      a release in one, seen by an acquire in the other. A release is an
 *                            atomic, or a relaxed or volatile store, by a thread that has executed
 *                            a fence since its last plain write (or one with .release); an acquire
 *                            is an atomic or a strong load of the same address. What is ordered are
 *                            the releasing thread's accesses, those of its warp before the last warp
 *                            barrier, and those of its block before the last barrier. They come before
 *                            the acquiring thread's, and before those of its warp and block from the
 *                            next barrier of each on. Atomics and fences of block scope (.cta) order
 *                            nothing here, and such an atomic races with atomics of other blocks.
 *
 *   of blocks of a cluster   as of different blocks, or the cluster's barrier between them
 *
 * A strong load that sees another block's strong store comes after it at that address, even without
 * a release.
 *
 * Bulk and asynchronous copies write shared memory until somebody has waited for them (in_block.h),
 * and what they overwrite must not be in use. At a barrier in shared memory, the end of a phase counts
 * as a block barrier if it needs several arrivals; with a single arrival, the barrier is a flag. The
 * global memory that copies read is not examined.
 *
 * A grid that a kernel launches has a separate detector for races among its threads. To the threads of
 * the launching grid, its accesses to global memory count as accesses of the launching thread at the
 * moment of the launch: they come after what that thread did before, and after what other threads did
 * before a barrier. A tail launch comes after the whole launching grid.
 *
 * All approximations suppress reports. An acquire needs no fence after it. A block barrier for some
 * threads counts for all, and for flags and copies so does a warp barrier. Only the last write of a word,
 * its last plain write and two readers are remembered. If several threads of a block release
 * through one address, each counts for all of them. Events that the simulated order of blocks excludes
 * (a branch not taken) are not seen. Accesses after the arrival at a cluster's barrier count as before
 * it. Accesses of a thread after it launched a grid never race with that grid. Two volatile accesses of
 * different blocks do not race, as PTX defines. Within a block they race unless the writing thread has
 * executed a fence since its last write, because code that uses them without a fence relies on
 * lockstep.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_RACES_H
#define REDSWEEP_DEVICES_SIM_RACES_RACES_H

#include "devices/race_report.h"
#include "devices/sim/machine/machine.h"

/* Makes a detector for one grid, which also informs the detectors of the grids that launched it
 * (launch->origin); NULL if memory ran out. The caller frees it with races_free(). */
struct races *races_new(const struct launch_state *launch);
/* Adds the races of a grid to those of the grid that launched it. */
void races_merge(struct races *to, const struct races *from);
void races_free(struct races *r);
void races_report(const struct races *r, struct race_report *out);

/* Notes that all blocks of a cluster, from number `first` on, have arrived at its barrier; blocks that
 * have ended are NULL. */
void races_cluster_barrier(struct races *r, uint64_t first, struct block *const *blocks, int count);

/* Notes that the lanes of `lanes` have met at a warp barrier; does nothing if r is NULL. */
void races_warp_barrier(struct races *r, struct warp *warp, uint32_t lanes);

/* Notes that a block begins, whose shared memory is untouched. */
void races_begin_block(struct races *r, const struct block *b);

/*
 * These note the order that asynchronous copies and barriers in shared memory create, for the thread in
 * `lane`. Addresses are offsets in the block's shared memory; if `barrier` is UINT64_MAX, the copy
 * belongs to the thread's open group. `parity` is that of the barrier's phase: the current one for
 * copies, the ended one for waits.
 */
void races_copy(struct races *r, struct warp *warp, unsigned lane, uint64_t to, uint64_t bytes,
                uint64_t barrier, bool parity);
/* `open` is, for a wait, the number of last groups that need not be complete; -1: all copies must be. */
void races_copy_group(struct races *r, struct warp *warp, unsigned lane,
                      enum async_operation operation, int open);
void races_copy_attach(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                       bool parity);
/* `arrivals` is the number in each phase of the barrier; `ends` says that this arrival ends the phase. */
void races_mbarrier_arrive(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                           unsigned arrivals, bool ends);
void races_mbarrier_wait(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                         bool parity);

/* Notes an access of the lanes of `exec` at addresses of i->space. Returns false after a fault. */
bool races_access(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  const uint64_t address[LANES], enum access_kind kind);

#endif
