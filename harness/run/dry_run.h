/*
 * Describes what a sweep would run, for `redsweep run --dry-run`.
 */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/sweep_state.h"

/* Prints the plan of a sweep and an estimate of the sweep's duration. If no device opens
 * (s->no_device), the plan is made without the limits of a device, and the output says so. */
bool dry_run(const struct sweep *s, struct error *e);

/* Estimates how many seconds a plan takes on a device. `passes` is the number of passes that
 * counting a point takes, and `threads` is the number of threads that compile. */
double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads);

#endif
