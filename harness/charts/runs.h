/*
 * Joins several runs into one, so that charts of several runs can be made like those of one. The
 * rows of each run follow those of the run before. Two columns are added: `run` is the name of a
 * row's run, and `started` is when that run began.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Returns names for runs: the last components of the folder's path, as many as needed to tell the
 * runs apart. If runs differ in device, driver or redsweep version, the names say so in
 * parentheses. The caller frees the array and its strings.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. Cells of a column that a run lacks are missing or, for an axis, have the axis's
 * fallback. A simulator's times are times of the CPU, so they become missing. The caller must call
 * results_free() on `out`.
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
