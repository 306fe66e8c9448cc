/*
 * Thread-block clusters. A cluster's blocks are numbered consecutively, run concurrently, wait for
 * each other at the cluster barrier, and access each other's shared memory.
 *
 * One worker runs all blocks of a cluster, so no locks are needed. In each phase of the barrier,
 * every live thread arrives and later waits for all the others. The shared memory of block r is at
 * CLUSTER_WINDOW + r * WINDOW_BYTES, both in the generic address space and in shared::cluster. In
 * shared::cluster, a plain shared address refers to the block's own memory. Accessing the shared
 * memory of a block that has ended is undefined in CUDA and an error here.
 *
 * Source: PTX ISA, chapters 2.2.2, 5.1.7, 9.7.8.25 (mapa) and 9.7.13.3 (barrier.cluster).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H
#define REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H

#include "devices/sim/machine/machine.h"

/* limit on blocks per cluster on sm_90, for kernels that allow more than 8 */
enum { MAX_CLUSTER = 16 };
#define CLUSTER_WINDOW 0x10000000ull

/* Creates a cluster of `count` new blocks. Returns false if out of memory. */
bool cluster_form(struct block *const *blocks, int count);

/* Removes a block that has ended or is abandoned. Removing the last block frees the cluster. */
void cluster_leave(struct block *b);

/*
 * Executes barrier.cluster: the lanes of `exec` arrive or wait. If *go is true, the split
 * continues. Otherwise, the split's state says what it waits for. Returns false after a fault.
 */
bool cluster_barrier(struct worker *w, struct warp *warp, struct split *split,
                     const struct instruction *i, uint32_t exec, bool *go);

/* Records that threads have ended, which may complete a phase that others wait for. */
void cluster_thread_ends(struct block *b);

/* Returns whether the cluster is deadlocked: no warp can run, so no thread will ever arrive. */
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
