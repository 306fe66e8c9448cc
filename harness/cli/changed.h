/* Finds the kernels of a run that have changed since they were measured. */
#ifndef REDSWEEP_CLI_CHANGED_H
#define REDSWEEP_CLI_CHANGED_H

#include "analyze/results.h"

/*
 * Stores the names of the changed kernels in runs[…].changed, but only of kernels that ship with
 * redsweep. Stores nothing if these cannot be read.
 */
void changed_find(struct results *runs, size_t count);

#endif
