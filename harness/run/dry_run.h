/* Describes what a sweep would run, for `redsweep run --dry-run`. */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/sweep_state.h"

/*
 * Prints a sweep's plan and how long it should take. If no device opens (s->no_device), the plan
 * ignores device limits, and the output says so.
 */
bool dry_run(const struct sweep *s, struct error *e);

/*
 * Estimates how many seconds a plan takes on a device. `passes` is the number of counting passes
 * per point, and `threads` the number of compile threads.
 */
double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads);

#endif
