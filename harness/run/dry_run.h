/*
 * redsweep run --dry-run: what would be run, without running it.
 */
#ifndef REDSWEEP_RUN_DRY_RUN_H
#define REDSWEEP_RUN_DRY_RUN_H

#include "run/time_left.h"
#include "run/worker.h"

/*
 * Prints points, skips with their reasons, variants, passes and an estimate of the time. Where no
 * device opens (ERROR_DEVICE) the plan is printed without any device's limits, and says so.
 */
bool dry_run(const struct run_setup *setup, struct error *e);

/* plan_build() of the setup's config, with a progress line where it takes more than a second. */
bool plan_build_shown(const struct run_setup *setup, const struct device_limits *limits, bool quiet,
                      struct plan **out, struct error *e);

/* What a point costs on a device, at least as a guess: see dry_run.c. `passes`: of counting it. */
struct point_cost plan_point_cost(const struct config_timing *timing,
                                  const struct device_info *info, int passes);

/*
 * About how long a plan takes on a device, in seconds: see dry_run.c. `passes`: of counting each
 * point. `threads` compile.
 */
double plan_estimate_s(const struct plan *plan, const struct device_info *info, int passes,
                       int threads);

#endif
