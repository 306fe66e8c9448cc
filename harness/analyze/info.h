/*
 * Prints the manifest of a run for scripts: a line "name<TAB>value" for each member that this
 * version of redsweep knows.
 */
#ifndef REDSWEEP_ANALYZE_INFO_H
#define REDSWEEP_ANALYZE_INFO_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Prints the manifest of a run; `path` is its folder or its results.csv. Names are dotted
 * ("provenance.device.name", "sessions.0.since"). Tabs, line feeds and backslashes in values are
 * printed as \t, \n and \\. Returns false if the run has none.
 */
bool info_print(const char *path, FILE *out, struct error *e);

#endif
