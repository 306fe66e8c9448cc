/*
 * The device runtime. The compiler inserts calls to three of its functions into kernels that launch
 * kernels:
 *
 *   GetParameterBuffer  takes a place in the pool of launches, and returns the address to which the
 *                       launching thread writes the child's parameters, or NULL if the pool is full
 *   LaunchDevice        if the stream is cudaStreamFireAndForget (4) or the block's own stream (0),
 *                       runs the child at once, before the launching thread continues. If the
 *                       stream is cudaStreamTailLaunch (3), children run in the order of their
 *                       launches, after the launching grid and all its other children have ended
 *   GetLastError        returns 69 (cudaErrorLaunchPendingCountExceeded) if, since the thread's
 *                       last call of GetLastError, one of its launches found the pool full
 *
 * CUDA does not specify when a fire-and-forget child starts. The simulator starts it as early as
 * possible, so the child sees only what the launching thread has written and what other threads
 * wrote before a barrier. A kernel that launches a child too early, which may fail on a GPU,
 * therefore does fail in the simulator.
 *
 * Source: CUDA C++ Programming Guide, Dynamic Parallelism (CDP2).
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H
#define REDSWEEP_DEVICES_SIM_MACHINE_DEVICE_RUNTIME_H

#include "devices/sim/sim_device.h"

/* Creates the launch pool for one host launch and everything launched from it. */
bool runtime_open(struct device *d, const struct module *m, struct runtime **out, struct error *e);
void runtime_close(struct device *d, struct runtime *r); /* NULL is ignored */

/* Executes the runtime call in instruction `i` for each lane of `exec` in turn. Returns false after
 * a fault. */
bool runtime_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Runs the tail launches of grid `s`. */
bool runtime_run_tails(struct launch_state *s, int threads, struct counts *counts, struct error *e);

#endif
