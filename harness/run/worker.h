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

/* The knowledge that parent and worker share before the fork. All borrowed. */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own */
    const char *device_name;           /* the argument of --device */
    const char *kernel_folder;         /* what kernels include from */
    const char *cache_folder;          /* of images; NULL: none */
    int threads;                       /* for compilation and references */
    int lanes;                         /* workers that share them while they measure; 0: one */
    struct shard shard;                /* the part of the sweep to run; count 0: all of it */
};

/* Memory that a worker writes and its parent reads at any time; zero at first. */
struct worker_shared {
    uint64_t wanted_bytes; /* size of the allocation that failed */
    struct phase phase;    /* its current phase */
};

/* Asks a worker that measures a group to end its timing: see struct bench, stop. */
#define WORKER_STOP_SIGNAL SIGUSR1

/*
 * Opens the device, says hello and serves requests until QUIT or the end of the parent. Never
 * returns: ends the process with 0, with 1 if the device is lost, or, if memory runs out, with
 * EXIT_OUT_OF_MEMORY after writing to `*shared` (may be NULL) how many bytes were requested.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared);

#endif
