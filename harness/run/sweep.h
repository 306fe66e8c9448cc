/*
 * Sweeps from their plans to their last rows: the parent's work.
 */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "run/sweep_options.h"

/*
 * Runs and records every point that has no row yet: for several sweeps at the same time, each on
 * its own devices. They go from stage to stage together (stages.c), so that none disturbs another's
 * ceilings. An error belongs to a sweep for which nothing could be run (usage, config, no device,
 * no folder) or no longer be recorded (a full disk); the others continue. Points that fail are
 * rows, not errors.
 */
void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count);

/* The same for one sweep; if it returns false, `e` is its error. */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
