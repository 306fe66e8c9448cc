/* Runs sweeps from their plans to their last rows, in the parent. */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "run/sweep_options.h"

/*
 * Runs and records every point that has no row yet. Several sweeps run at the same time, each on
 * its own devices, and begin each stage together (stages.c), so that none disturbs another's
 * ceilings.
 *
 * A sweep fails if nothing could be run (usage, config, no device, no folder), or if rows could no
 * longer be recorded (a full disk). Other sweeps continue. A failed point is a row, not an error.
 */
void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count);

/* Runs one sweep in the same way. If it returns false, `e` is the sweep's error. */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
