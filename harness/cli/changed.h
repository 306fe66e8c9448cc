/*
 * Which kernels of a run are no longer what was measured.
 */
#ifndef REDSWEEP_CLI_CHANGED_H
#define REDSWEEP_CLI_CHANGED_H

#include "analyze/results.h"

/* Notes them in runs[…].changed. Kernels that are not among the shipped ones, or where these cannot be read: nothing is
 * known, and nothing noted. */
void changed_find(struct results *runs, size_t count);

#endif
