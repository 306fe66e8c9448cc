/*
 * redsweep run --dry-run: what would be run, without running it.
 */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/worker.h"

/* Prints points, skips with their reasons, variants, passes and an estimate of the time. */
bool dry_run(const struct run_setup *setup, struct error *e);

#endif
