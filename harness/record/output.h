/*
 * Opens files that the user requested (--csv, --out …). These functions never replace a file of a
 * run, because results that took hours to measure would be lost without a warning.
 */
#ifndef REDSWEEP_RECORD_OUTPUT_H
#define REDSWEEP_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Creates a file for writing and replaces an existing one. A link is replaced, and its target stays
 * unchanged. "-" is stdout, and pipes and devices are written directly. Returns ERROR_USAGE if the
 * file has the name of a run's file (results.csv, samples.csv, run.json, results.json, .lock) and
 * either exists or would be in a run's folder. Symbolic links are resolved for this check.
 */
bool output_open(const char *path, FILE **out, struct error *e);

/* Creates a file that redsweep places in a folder. It is always a new file: whatever has this name
 * is removed first, even a pipe or a device. Returns ERROR_SYSTEM if a folder has this name. */
bool output_create(const char *path, FILE **out, struct error *e);

/* Flushes the file, and closes it unless it is stdout. Returns ERROR_SYSTEM if this or an earlier
 * write failed. */
bool output_close(FILE *to, const char *path, struct error *e);

#endif
