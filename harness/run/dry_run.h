/* Describes what a sweep would run, for `redsweep run --dry-run`. */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/sweep_state.h"

/*
 * Prints the sweep's plan and an estimate of its duration. If no device could be opened
 * (s->no_device), the plan ignores device limits, and the output says so and contains no estimate.
 */
bool dry_run(const struct sweep *s, struct error *e);

/*
 * Estimates how many seconds a plan takes on a device. `passes` is the number of times that each
 * point's launch is replayed to read all counters, and `threads` the number of threads that
 * compile.
 */
double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads);

#endif
