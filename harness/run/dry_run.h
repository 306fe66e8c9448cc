/*
 * redsweep run --dry-run: what would be run, without running it.
 */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/worker.h"

/*
 * Prints points, skips with their reasons, variants, passes and an estimate of the time. Where no
 * device opens (ERROR_DEVICE) the plan is printed without any device's limits, and says so.
 */
bool dry_run(const struct run_setup *setup, struct error *e);

#endif
