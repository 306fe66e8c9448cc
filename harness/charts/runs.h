/*
 * Joins several runs into one, so that a chart of several runs can be made like a chart of one run.
 * The joined run contains the rows of the first run, then those of the second, and so on. Two
 * columns are added: `run` is the name of a row's run, and `started` is when that run began.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Returns a name for each run: the last components of its folder's path, as many as are needed to
 * tell the runs apart. If the runs differ in device, driver or redsweep version, the names contain
 * these in parentheses. The caller frees the array and its strings.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. If a run lacks a column, the column's cells in its rows are missing values; if the
 * column is an axis, they have the axis's default. Times in runs of the simulator are removed,
 * because they are those of CPU functions. The caller must call results_free() on `out`.
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
