/*
 * The worker: the one process that owns the device.
 */
#ifndef REDSWEEP_RUN_WORKER_H
#define REDSWEEP_RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/phase.h"
#include "devices/device.h"
#include "plan/shards.h"
#include "spec/config.h"
#include "spec/kernel.h"

/* What parent and worker both know before the worker is forked. All borrowed. */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own */
    const char *device_name;           /* as --device gave it */
    const char *kernel_folder;         /* what kernels include from */
    const char *cache_folder;          /* of images; NULL: none */
    int threads;                       /* for compilation and references */
    int lanes;                         /* workers that share them while they measure; 0: one */
    struct shard shard;                /* the part of the sweep to run; count 0: all of it */
};

/* What a worker writes and its parent reads at any time, zero at first. */
struct worker_shared {
    uint64_t wanted_bytes; /* what it could not allocate */
    struct phase phase;    /* what it is at */
};

/* Asks a worker that measures a group to end its timing: see struct bench, stop. */
#define WORKER_STOP_SIGNAL SIGUSR1

/*
 * Opens the device, says hello and serves requests until QUIT or the parent's end. Never returns:
 * ends the process with 0, with 1 when the device is lost, or, where memory runs out, with
 * EXIT_OUT_OF_MEMORY after writing to `*shared` (may be NULL) how many bytes were wanted.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared);

#endif
