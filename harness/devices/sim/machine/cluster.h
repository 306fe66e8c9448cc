/*
 * Implements thread-block clusters. The blocks of a cluster have consecutive numbers and run
 * concurrently. They can wait for each other at the cluster's barrier, and access each other's
 * shared memory.
 *
 * One worker (a host thread) runs all blocks of a cluster, so no locks are needed. In each phase of
 * the barrier, every thread that has not exited arrives, and later waits until all others have
 * arrived. The shared memory of the cluster's block r is at CLUSTER_WINDOW + r * WINDOW_BYTES, both
 * in the generic address space and in shared::cluster. In shared::cluster, an offset in shared
 * memory refers to the block's own memory. To access the shared memory of a block that has ended is
 * undefined in CUDA, and an error in the simulator.
 *
 * Source: PTX ISA, chapters 2.2.2, 5.1.7, 9.7.8.25 (mapa) and 9.7.13.3 (barrier.cluster).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H
#define REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H

#include "devices/sim/machine/machine.h"

/* the largest cluster on sm_90, in blocks, for kernels that allow more than 8 */
enum { MAX_CLUSTER = 16 };
#define CLUSTER_WINDOW 0x10000000ull

/* Creates a cluster of `count` new blocks. Returns false if out of memory. */
bool cluster_form(struct block *const *blocks, int count);

/* Removes a block from its cluster. Removing the last block frees the cluster. */
void cluster_leave(struct block *b);

/*
 * Executes barrier.cluster: the lanes of `exec` arrive, or wait for others. Sets *go to whether
 * `split` can continue. If not, its state is SPLIT_WAITS_CLUSTER. Returns false after a fault.
 */
bool cluster_barrier(struct worker *w, struct warp *warp, struct split *split,
                     const struct instruction *i, uint32_t exec, bool *go);

/* Call this when threads of block b have ended. If all other threads have arrived at the cluster's
 * barrier, this ends the phase and lets waiting threads continue. */
void cluster_thread_ends(struct block *b);

/* Returns whether no warp of b's cluster can run, so that the cluster is deadlocked. Returns true
 * if b is in no cluster. */
bool cluster_stuck(const struct block *b);

/* Executes mapa, which returns an address in the shared memory of another block. Returns false
 * after a fault. */
bool cluster_map(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/*
 * Returns the block whose shared memory a shared::cluster address refers to, and sets *offset to
 * the offset in that memory. Returns NULL after a fault.
 */
struct block *cluster_block(struct worker *w, struct warp *warp, unsigned lane, uint64_t address,
                            uint64_t *offset);

#endif
