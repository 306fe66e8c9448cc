/*
 * Several runs as one: their rows one after another, with the columns `run`, the run's name, and
 * `started`, its beginning. The charts of several runs are therefore made from rows in the same way
 * as those of one run.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Names of runs: their folders with as much of the path as makes them different, and in brackets
 * the differences in device, driver and redsweep's version. `count` texts, the caller's.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. A column that a run lacks is missing in its rows, an axis has its fallback; times of a
 * simulator's run, which are those of the CPU, are missing. `out` owns what it holds:
 * results_free().
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
