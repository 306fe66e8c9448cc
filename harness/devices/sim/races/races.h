/*
 * Data races: two accesses to the same memory by different threads, at least one of them a write,
 * not both atomic, without an order between them.
 *
 * These orders exist between the accesses of two threads:
 *   of one thread            the program
 *   of one warp              a warp barrier that both take part in between them, or being one and
 *                            the same instruction. Running in step is not an order: since Volta nothing promises it.
 *   of one block             a block barrier between them, or a flag: in_block.h
 *   of different blocks      a release in one, seen by an acquire in the other. A release is an
 *                            atomic, or a relaxed or volatile store, by a thread that has executed
 *                            a fence since its last plain write (or one with .release); an acquire
 *                            is an atomic or a strong load of the same address. It carries the
 *                            releasing thread's accesses, those that its warp made before its last
 *                            warp barrier and its block before its last barrier, to the acquiring
 *                            thread, and to its warp and its block from the next barrier of each
 *                            on. Atomics and fences of block scope (.cta) order nothing here, and
 *                            such an atomic races with the atomics of other blocks.
 *
 *   of blocks of a cluster   also the cluster's barrier between them
 *
 * A strong load that sees another block's strong store comes after it at that address, release or
 * not.
 *
 * Bulk and asynchronous copies write shared memory until somebody has waited for them (in_block.h),
 * and what they overwrite must not be in use. Of barriers in shared memory, the end of a phase that
 * several arrivals make counts as a block barrier; one that waits for a single arrival is a flag.
 * The global memory that copies read is not examined.
 *
 * A grid that a kernel launches has its own detector for races among its own threads. Its accesses
 * to global memory count, towards the threads of the launching grid, as accesses of the launching
 * thread at the moment of the launch: they come after what that thread did before, and after what
 * the others did before a barrier. A tail launch comes after the whole launching grid.
 *
 * All approximations suppress reports: an acquire needs no fence after it; a block barrier for some
 * threads counts for all, and for flags and copies as does a warp barrier; only two readers of a
 * word are remembered, and only the last write and the last plain write; if several threads of a
 * block release through one address, each counts for all of them; events that the simulated order of
 * blocks excludes (a branch not taken) are not seen; accesses after arriving at a cluster's barrier
 * count as before it; accesses of a thread after it launched a grid never race with that grid. Two
 * volatile accesses of different blocks do not race, as PTX defines. Within a block they do, unless
 * the writing thread has executed a fence since its last write, because code that uses them without
 * one relies on running in lockstep.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_RACES_H
#define REDSWEEP_DEVICES_SIM_RACES_RACES_H

#include "devices/race_report.h"
#include "devices/sim/machine/machine.h"

/* A detector for one grid, which also informs those of the grids that launched it (launch->origin);
 * NULL without memory. Free with races_free(). */
struct races *races_new(const struct launch_state *launch);
/* Adds the races of a grid to those of the grid that launched it. */
void races_merge(struct races *to, const struct races *from);
void races_free(struct races *r);
void races_report(const struct races *r, struct race_report *out);

/* All blocks of a cluster, from number `first` on, have arrived at its barrier; NULL: that block
 * has ended since. */
void races_cluster_barrier(struct races *r, uint64_t first, struct block *const *blocks, int count);

/* The lanes of `lanes` have met at a warp barrier; r NULL: no race detection. */
void races_warp_barrier(struct races *r, struct warp *warp, uint32_t lanes);

/* A block begins: its shared memory is untouched. */
void races_begin_block(struct races *r, const struct block *b);

/*
 * The order that asynchronous copies and barriers in shared memory create, for the thread in
 * `lane`. Addresses are offsets in the block's shared memory; `barrier` UINT64_MAX: the copy
 * belongs to the thread's open group. `parity` is that of the barrier's phase: current for copies,
 * ended for waits.
 */
void races_copy(struct races *r, struct warp *warp, unsigned lane, uint64_t to, uint64_t bytes,
                uint64_t barrier, bool parity);
/* `open`: for a wait, how many of the last groups need not be complete; -1: all copies must be. */
void races_copy_group(struct races *r, struct warp *warp, unsigned lane,
                      enum async_operation operation, int open);
void races_copy_attach(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                       bool parity);
/* `arrivals` of each of the barrier's phases; `ends`: this one ends the phase. */
void races_mbarrier_arrive(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                           unsigned arrivals, bool ends);
void races_mbarrier_wait(struct races *r, struct warp *warp, unsigned lane, uint64_t barrier,
                         bool parity);

/* Notes an access of the lanes of `exec` at addresses of i->space. False after a fault. */
bool races_access(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                  const uint64_t address[LANES], enum access_kind kind);

#endif
