/*
 * redsweep run --dry-run: describes what would be run, without running it.
 */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/sweep_state.h"

/*
 * Prints points, skips with their reasons, variants, passes and an estimate of the time. If no
 * device opens (s->no_device), the plan does not use any device's limits, and says so.
 */
bool dry_run(const struct sweep *s, struct error *e);

/*
 * Estimates the duration of a plan on a device, in seconds: see dry_run.c. `passes`: number of
 * passes for counting each point. `threads`: number of threads that compile.
 */
double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads);

#endif
