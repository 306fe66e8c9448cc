/* Prints the summary of a run for the person who started it. */
#ifndef REDSWEEP_RUN_SUMMARY_H
#define REDSWEEP_RUN_SUMMARY_H

#include "run/commands.h"
#include "run/sweep_options.h"

/*
 * Prints the summary of a run and how to resume it. Returns the run's exit code. The caller prints
 * the run's error.
 */
int summary_print(const struct sweep_options *options, const struct sweep_request *request,
                  const struct sweep_result *r);

#endif
