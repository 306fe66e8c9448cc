/*
 * Implements CUDA's device runtime, with which kernels launch kernels. A kernel that is launched in
 * this way is called a child. The compiler inserts calls to three functions:
 *
 *   GetParameterBuffer  takes a place in the pool of launches, and returns the address where the
 *                       launching thread will store the child's parameters, or NULL if the pool is
 *                       full
 *   LaunchDevice        if the stream is cudaStreamFireAndForget (4) or the block's own stream (0),
 *                       the child runs before the launching thread continues. If the stream is
 *                       cudaStreamTailLaunch (3), the child runs after the launching grid and all
 *                       its other children have ended; such children run in the order of their
 *                       launches
 *   GetLastError        returns 69 (cudaErrorLaunchPendingCountExceeded) if, since the thread's
 *                       last call of GetLastError, one of its launches found the pool full
 *
 * CUDA does not specify when a fire-and-forget child starts. The simulator starts it as early as
 * possible. The child may then read only what the launching thread has written, and what other
 * threads wrote before a barrier. If a kernel launches a child before its data has been written,
 * its result may be wrong on a GPU, and is wrong in the simulator.
 *
 * Source: CUDA C++ Programming Guide, Dynamic Parallelism (CDP2).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H

#include "devices/sim/sim_device.h"

/* Creates the pool of launches for one launch by the host and all kernels that it launches. */
bool runtime_open(struct device *d, const struct module *m, struct runtime **out, struct error *e);
void runtime_close(struct device *d, struct runtime *r); /* NULL is ignored */

/* Executes the runtime call in instruction `i` for each lane of `exec` in turn. Returns false after
 * a fault. */
bool runtime_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Runs the tail launches of grid `s`. */
bool runtime_run_tails(struct launch_state *s, int threads, struct counts *counts, struct error *e);

#endif
