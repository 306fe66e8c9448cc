/*
 * The kernels of a run that have changed since they were measured.
 */
#ifndef REDSWEEP_CLI_CHANGED_H
#define REDSWEEP_CLI_CHANGED_H

#include "analyze/results.h"

/* Notes them in runs[…].changed. If kernels are not among the shipped ones, or these cannot be read, nothing is known
 * and nothing is noted. */
void changed_find(struct results *runs, size_t count);

#endif
