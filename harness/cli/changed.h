/* Finds the kernels of a run whose code has changed since they were measured. */
#ifndef REDSWEEP_CLI_CHANGED_H
#define REDSWEEP_CLI_CHANGED_H

#include "analyze/results.h"

/*
 * Stores in the member `changed` of each run the names of the kernels that have changed since the
 * run was measured. Only kernels that ship with redsweep are checked. If they cannot be read,
 * nothing is stored.
 */
void changed_find(struct results *runs, size_t count);

#endif
