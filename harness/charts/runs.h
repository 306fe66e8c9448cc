/*
 * Joins several runs into one. It puts their rows one after another and adds the columns `run`, the
 * name of a row's run, and `started`, the time at which that run began. Charts of several runs can
 * therefore be made in the same way as those of one run.
 */
#ifndef REDSWEEP_CHARTS_RUNS_H
#define REDSWEEP_CHARTS_RUNS_H

#include <stddef.h>

#include "analyze/results.h"

/*
 * Returns the names of runs. A name consists of the last parts of the folder's path, as many as
 * make the names different. In parentheses, it states the differences in device, driver and version
 * of redsweep. The caller frees the `count` texts.
 */
char **runs_names(const struct results *runs, size_t count);

/*
 * Joins runs. If a run lacks a column, the cells of its rows are missing; an axis gets its fallback
 * value instead. The times of a simulator's run, which are those of the CPU, become missing cells.
 * The caller must call results_free() on `out`.
 */
void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out);

#endif
