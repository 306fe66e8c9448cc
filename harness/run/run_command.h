/*
 * The end of a run, for a person: see run_command.c.
 */
#ifndef REDSWEEP_RUN_RUN_COMMAND_H
#define REDSWEEP_RUN_RUN_COMMAND_H

#include "run/commands.h"
#include "run/sweep.h"

/* Prints what came of a run, and how to resume it; its exit code. Its error is the caller's to
 * print. */
int run_report(const struct sweep_options *options, const struct sweep_request *request,
               const struct sweep_result *r);

#endif
