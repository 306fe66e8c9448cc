/* Runs sweeps. This is the work of the parent process; its workers use the devices. */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "run/sweep_options.h"

/*
 * Measures and records all points of `count` sweeps that have no row yet. The sweeps run at the
 * same time, each on its own devices. They begin each stage together (stages.c), so that no device
 * works while another measures its ceilings.
 *
 * A sweep fails if it cannot begin (because of a wrong option or config, or because there is no
 * device or folder), or if rows can no longer be recorded, for example because the disk is full.
 * The other sweeps continue. If a point fails, its row says so, and the sweep does not fail.
 */
void sweeps_run(const struct sweep_options *options, struct sweep_result *results, int count);

/* Like sweeps_run(), for one sweep. Returns false if the sweep failed; `e` is then its error. */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
