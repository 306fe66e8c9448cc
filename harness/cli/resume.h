/*
 * Resuming a run, for the commands that may begin or continue one.
 */
#ifndef REDSWEEP_CLI_RESUME_H
#define REDSWEEP_CLI_RESUME_H

#include "run/commands.h"

/*
 * Measures the points that the run in `folder`, which the caller has locked, has no row of. Uses
 * the device of `request`, or else the run's own.
 */
int resume_locked(const struct sweep_request *request, const char *folder, struct error *e);

#endif
