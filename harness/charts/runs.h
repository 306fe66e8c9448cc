/*
 * Joins several runs into one. The rows of each run follow those of the run before it. Two columns
 * are added: `run` contains the name of a row's run, and `started` contains the time at which that
 * run began. Charts of several runs can therefore be made in the same way as those of one run.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Returns names for runs. A name consists of the last components of the folder's path, as many as
 * are needed to make the names different. If runs differ in device, driver or version of redsweep,
 * the names state this in parentheses. The caller frees the array and its strings.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. If a run lacks a column, the cells of its rows are missing. If the column is an axis,
 * they contain the axis's fallback value instead. In rows of a simulator's run, the times become
 * missing cells, because they are times of the CPU. The caller must call results_free() on `out`.
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
