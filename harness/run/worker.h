/* The worker is the only process that uses the device. */
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

/*
 * What both the parent and the worker need to know; the worker gets a copy when it is forked. All
 * members are borrowed.
 */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own kernels */
    const char *device_name;           /* the argument of --device */
    const char *kernel_folder;         /* the folder from which kernels include files */
    const char *cache_folder;          /* the folder of the compile cache; NULL: no cache */
    int threads;                       /* threads for compiling and computing references */
    int lanes;                         /* how many workers share the threads while they measure; 0:
                                          one */
    struct shard shard;                /* the part of the sweep to run; count 0: the whole sweep */
};

/* Memory that a worker writes and its parent may read at any time. Zero at first. */
struct worker_shared {
    uint64_t wanted_bytes; /* the size of the allocation that failed */
    struct phase phase;    /* the worker's current phase */
};

/*
 * The signal with which the parent asks a worker to stop timing its group and to complete it
 * (`stop` in struct bench).
 */
#define WORKER_STOP_SIGNAL SIGUSR1

/*
 * Opens the device, sends HELLO and serves requests until QUIT arrives or the parent ends. The
 * process exits with 0, or with 1 after an error, for example if the device was lost. If it runs
 * out of memory, it exits with EXIT_OUT_OF_MEMORY and stores in `*shared` how many bytes were
 * requested, unless `shared` is NULL.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared);

#endif
