/*
 * The worker: the one process that owns the device.
 */
#ifndef REDSWEEP_RUN_WORKER_H
#define REDSWEEP_RUN_WORKER_H

#include <stdbool.h>

#include "base/error.h"
#include "config/config.h"
#include "plan/kernel.h"

/* What parent and worker both know before the worker is forked. All borrowed. */
struct run_setup {
    const struct config *config;
    const struct catalogue *catalogue; /* the kernels under test */
    const struct catalogue *support;   /* the harness's own */
    const char *device_name;           /* as --device gave it */
    const char *kernel_folder;         /* what kernels include from */
    const char *cache_folder;
    int threads; /* for compilation and references */
};

/*
 * Opens the device, says hello and serves requests until QUIT or the parent's end. Never returns:
 * ends the process with 0, or 1 when the device is lost.
 */
_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent);

#endif
