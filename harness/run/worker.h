/*
 * The worker is the one process that owns the device.
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

/* Contains what the parent and the worker share after the fork. All members are borrowed. */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own kernels */
    const char *device_name;           /* the argument of --device */
    const char *kernel_folder;         /* the folder from which kernels include files */
    const char *cache_folder;          /* the folder of the compile cache; NULL: there is none */
    int threads;                       /* the number of threads for compilation and references */
    int lanes;                         /* the number of workers that share the threads while they
                                          measure; 0: one worker */
    struct shard shard;                /* the part of the sweep that is run; count 0: the whole
                                          sweep */
};

/* Memory that a worker writes and its parent may read at any time. It is zero at first. */
struct worker_shared {
    uint64_t wanted_bytes; /* the size of the allocation that failed */
    struct phase phase;    /* the worker's current phase */
};

/* The signal that asks a worker to end the timing of its group early (`stop` in struct bench). */
#define WORKER_STOP_SIGNAL SIGUSR1

/*
 * Opens the device, says hello and serves requests until QUIT or the end of the parent. The
 * function never returns. The process exits with 0, or with 1 after an error such as the loss of
 * the device. If memory is exhausted, it writes the number of bytes that were requested to
 * `*shared` (which may be NULL) and ends with EXIT_OUT_OF_MEMORY.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared);

#endif
