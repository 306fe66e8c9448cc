/* Resumes a run, for commands that start or continue one. */
#ifndef REDSWEEP_CLI_RESUME_H
#define REDSWEEP_CLI_RESUME_H

#include "run/commands.h"

/*
 * Measures the points without a row of the run in `folder`, which the caller has locked, on the
 * device of `request` or, by default, the run's own.
 */
int resume_locked(const struct sweep_request *request, const char *folder, struct error *e);

#endif
