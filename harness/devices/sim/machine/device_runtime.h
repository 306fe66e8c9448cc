/*
 * Kernels that launch kernels call three functions of the device runtime, which the compiler inserts:
 *
 *   GetParameterBuffer  takes a place in the pool of launches and gives the address at which the
 *                       launching thread writes the child's parameters; NULL when the pool is full
 *   LaunchDevice        in cudaStreamFireAndForget (4) or the block's own stream (0) runs the child
 *                       at once, before the launching thread continues; in cudaStreamTailLaunch (3)
 *                       the child runs after the launching grid and all of its children have ended,
 *                       in the order of the launches
 *   GetLastError        returns 69 (cudaErrorLaunchPendingCountExceeded) if the pool was full for a
 *                       launch of the same thread since its last call
 *
 * The start of a fire-and-forget child is not specified. Starting it at once is the earliest
 * moment: it sees what its launching thread has written, and what others wrote before a barrier,
 * and no more. A kernel that launches too early therefore fails here, as it may on a GPU.
 *
 * Source: CUDA C++ Programming Guide, Dynamic Parallelism (CDP2).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H

#include "devices/sim/sim_device.h"

/* Makes a pool for one launch from the host and all launches that result from it. */
bool runtime_open(struct device *d, const struct module *m, struct runtime **out, struct error *e);
void runtime_close(struct device *d, struct runtime *r); /* NULL is ignored */

/* Executes the call of instruction `i` by the lanes of `exec`, one after another. Returns false after
 * a fault. */
bool runtime_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Runs the grids that `s` deferred to its end. */
bool runtime_run_tails(struct launch_state *s, int threads, struct counts *counts, struct error *e);

#endif
