/*
 * Sweeps from their plans to their last rows: the parent's work.
 */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "run/sweep_options.h"

/*
 * Runs every point that has no row yet and records it: of several sweeps at the same time, each on
 * devices of its own. They go from stage to stage together (stages.c), so that none disturbs
 * another's ceilings. An error is that of a sweep for which nothing could be run (usage, config, no
 * device, no folder) or recorded any more (a full disk); the others go on. Points that fail are
 * rows, not errors.
 */
void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count);

/* The same of one sweep; false: `e` is its error. */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
