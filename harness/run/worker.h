/* The worker is the one process that owns the device. */
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

/* What the parent and the worker share after the fork. All members are borrowed. */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own kernels */
    const char *device_name;           /* the argument of --device */
    const char *kernel_folder;         /* where kernels include files from */
    const char *cache_folder;          /* of the compile cache; NULL: none */
    int threads;                       /* threads for compiling and computing references */
    int lanes;                         /* workers that share the threads while measuring; 0: one */
    struct shard shard;                /* the part of the sweep to run; count 0: the whole sweep */
};

/* Memory that a worker writes and its parent may read at any time. Zero at first. */
struct worker_shared {
    uint64_t wanted_bytes; /* the size of the allocation that failed */
    struct phase phase;    /* the worker's current phase */
};

/* The signal that asks a worker to end the timing of its group early (`stop` in struct bench). */
#define WORKER_STOP_SIGNAL SIGUSR1

/*
 * Opens the device, says hello and serves requests until QUIT or the end of the parent. The process
 * exits with 0, or with 1 after an error such as losing the device. If it runs out of memory, it
 * stores how many bytes were requested in `*shared` (which may be NULL) and exits with
 * EXIT_OUT_OF_MEMORY.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared);

#endif
