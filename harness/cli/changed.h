/*
 * Finds the kernels of a run that have changed since they were measured.
 */
#ifndef REDSWEEP_CLI_CHANGED_H
#define REDSWEEP_CLI_CHANGED_H

#include "analyze/results.h"

/*
 * Stores the names of the changed kernels in runs[…].changed. The name of a kernel that is not
 * shipped with redsweep is never stored. If the shipped kernels cannot be read, nothing is stored.
 */
void changed_find(struct results *runs, size_t count);

#endif
