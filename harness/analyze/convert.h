/*
 * Runs of schema 1 rewritten as this version records them.
 */
#ifndef REDSWEEP_ANALYZE_CONVERT_H
#define REDSWEEP_ANALYZE_CONVERT_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Replaces the results.json of a run's folder by a run.json of the same values, and takes columns
 * that are no longer recorded out of results.csv. *converted is false when it is of this version
 * already. Whatever goes wrong, the folder can still be read, and converted.
 */
bool convert_run(const char *folder, bool *converted, struct error *e);

#endif
