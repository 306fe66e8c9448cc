/*
 * Thread-block clusters: blocks with neighbouring numbers that run at the same time, wait for each
 * other at the cluster's barrier, and use each other's shared memory.
 *
 * One worker runs all blocks of a cluster in turn, so nothing here is locked. Each thread that has
 * not ended takes part in each phase of the barrier: it arrives, and later waits until all have.
 * Shared memory of block number r of the cluster is at CLUSTER_WINDOW + r * WINDOW_BYTES, in the
 * generic address space as well as in shared::cluster; a plain shared address there is one's own.
 * A block that has ended has no shared memory any more; CUDA leaves its use undefined, here it is
 * an error.
 *
 * Source: PTX ISA, chapters 2.2.2, 5.1.7, 9.7.8.25 (mapa) and 9.7.13.3 (barrier.cluster).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H
#define REDSWEEP_DEVICES_SIM_MACHINE_CLUSTER_H

#include "devices/sim/machine/machine.h"

enum { MAX_CLUSTER = 16 }; /* blocks, on sm_90 when the kernel asks for more than 8 */
#define CLUSTER_WINDOW 0x10000000ull

/* Makes one cluster of `count` blocks that have just begun. False without memory. */
bool cluster_form(struct block *const *blocks, int count);

/* The block has ended or is given up; the last one takes the cluster with it. */
void cluster_leave(struct block *b);

/*
 * barrier.cluster: the lanes of `exec` arrive, or wait. *go: the split continues; otherwise its
 * state says what it waits for. False after a fault.
 */
bool cluster_barrier(struct worker *w, struct warp *warp, struct split *split,
                     const struct instruction *i, uint32_t exec, bool *go);

/* Threads have ended: that may be what the others waited for. */
void cluster_thread_ends(struct block *b);

/* Whether no warp of the cluster can run, so that no thread will ever arrive. */
bool cluster_stuck(const struct block *b);

/* mapa: the address in another block. False after a fault. */
bool cluster_map(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* The block whose shared memory contains an address of shared::cluster, and the offset there; NULL
 * after a fault. */
struct block *cluster_block(struct worker *w, struct warp *warp, unsigned lane, uint64_t address,
                            uint64_t *offset);

#endif
