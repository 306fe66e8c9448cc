/*
 * Implements thread-block clusters. A cluster's blocks have consecutive numbers, run concurrently,
 * wait for each other at the cluster's barrier, and access each other's shared memory.
 *
 * One worker runs all blocks of a cluster, so this file needs no locks. Each thread that has not
 * ended takes part in each phase of the barrier. It arrives, and later waits for all other threads.
 * The shared memory of block r of the cluster is at CLUSTER_WINDOW + r * WINDOW_BYTES, both in the
 * generic address space and in shared::cluster. In shared::cluster, a plain shared address refers
 * to the block's own memory. A block that has ended no longer has shared memory. CUDA leaves
 * accesses to it undefined. In the simulator, they are an error.
 *
 * Source: PTX ISA, chapters 2.2.2, 5.1.7, 9.7.8.25 (mapa) and 9.7.13.3 (barrier.cluster).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H
#define REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H

#include "devices/sim/machine/machine.h"

/* the most blocks of a cluster on sm_90, for kernels that allow more than 8 */
enum { MAX_CLUSTER = 16 };
#define CLUSTER_WINDOW 0x10000000ull

/* Creates a cluster of `count` blocks that have just begun. Returns false if out of memory. */
bool cluster_form(struct block *const *blocks, int count);

/*
 * Removes a block that has ended or is abandoned. When the last block is removed, the cluster is
 * freed.
 */
void cluster_leave(struct block *b);

/*
 * Executes barrier.cluster: the lanes of `exec` arrive, or wait. If *go is true, the split
 * continues. Otherwise, the state of the split shows what it waits for. Returns false after a
 * fault.
 */
bool cluster_barrier(struct worker *w, struct warp *warp, struct split *split,
                     const struct instruction *i, uint32_t exec, bool *go);

/* Records that threads have ended, which may complete the phase for which other threads wait. */
void cluster_thread_ends(struct block *b);

/* Returns whether no warp of the cluster can run, so that no thread will ever arrive. */
bool cluster_stuck(const struct block *b);

/* Executes mapa, which returns an address in the shared memory of another block. Returns false
 * after a fault. */
bool cluster_map(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/*
 * Returns the block whose shared memory contains an address of shared::cluster, and stores the
 * offset within this memory in *offset. Returns NULL after a fault.
 */
struct block *cluster_block(struct worker *w, struct warp *warp, unsigned lane, uint64_t address,
                            uint64_t *offset);

#endif
