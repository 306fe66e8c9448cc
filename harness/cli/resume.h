/*
 * Resumes a run, for the commands that can start or continue one.
 */
#ifndef REDSWEEP_CLI_RESUME_H
#define REDSWEEP_CLI_RESUME_H

#include "run/commands.h"

/* Measures the points of the run in `folder` that have no row. The caller has locked the folder.
 * The function uses the device of `request`, or else the run's own device. */
int resume_locked(const struct sweep_request *request, const char *folder, struct error *e);

#endif
