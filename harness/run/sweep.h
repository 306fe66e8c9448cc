/*
 * Runs sweeps from their plans to their last rows. This is the parent's work.
 */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "run/sweep_options.h"

/*
 * Runs and records every point that has no row yet. Several sweeps run at the same time, each on
 * its own devices. All sweeps begin each stage together (stages.c), so that no sweep disturbs
 * another sweep's ceilings.
 *
 * A sweep has an error in two cases: nothing could be run (usage, config, no device, no folder), or
 * rows could no longer be recorded (a full disk). The other sweeps continue. A failed point is
 * recorded as a row and is not an error.
 */
void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count);

/* Runs one sweep in the same way. If the function returns false, `e` is the sweep's error. */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
