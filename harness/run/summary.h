/* Prints the summary of a run for the person who started it. */
#ifndef REDSWEEP_RUN_SUMMARY_H
#define REDSWEEP_RUN_SUMMARY_H

#include "run/commands.h"
#include "run/sweep_options.h"

/*
 * Prints the summary of a run. If the run ended early, also prints how to resume it. Returns the
 * exit code for the run. The caller prints the run's error, if there is one.
 */
int summary_print(const struct sweep_options *options, const struct sweep_request *request,
                  const struct sweep_result *r);

#endif
