/*
 * Several runs as one: their rows one run after another, with columns that name it, `run`, and
 * say when it began, `started`. So the charts of several runs are made of rows as those of one
 * are.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Names of runs: of their folders with as much of the path as makes them different, and in brackets
 * of the device, the driver and redsweep's version what differs. `count` texts, the caller's.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. A column that a run lacks is missing in its rows, an axis has its fallback; times of a
 * simulator's run, which are the CPU's, are missing. `out` owns what it holds: results_free().
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
