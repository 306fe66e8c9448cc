/*
 * Resumes a run, for `redsweep resume`, and for `redsweep run --shard` if the shard was begun
 * before.
 */
#ifndef REDSWEEP_CLI_RESUME_H
#define REDSWEEP_CLI_RESUME_H

#include "run/commands.h"

/*
 * Measures the points that have no row yet in the run in `folder`. The caller must have locked the
 * folder. Uses the device that `request` names or, if it names none, the device of the run. Returns
 * the exit code.
 */
int resume_locked(const struct sweep_request *request, const char *folder, struct error *e);

#endif
