/*
 * Opens the output files that a user names (--csv, --out …). Never replaces a file of a run,
 * because a run may have taken hours to measure.
 */
#ifndef REDSWEEP_RECORD_OUTPUT_H
#define REDSWEEP_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Creates a file, or replaces an existing one. A link is replaced, and its target stays unchanged.
 * "-" is stdout; pipes and devices are written to directly. Returns ERROR_USAGE if the file has the
 * name of a run's file (results.csv, samples.csv, run.json, results.json, .lock) and either exists
 * or would be in a run's folder. This check resolves symbolic links.
 */
bool output_open(const char *path, FILE **out, struct error *e);

/* Creates a file that redsweep places in a folder. The file is always new: removes whatever has
 * this name first, even a pipe or a device. Returns ERROR_SYSTEM if a folder has this name. */
bool output_create(const char *path, FILE **out, struct error *e);

/* Flushes the file, and closes it unless it is stdout. Returns ERROR_SYSTEM if any write failed. */
bool output_close(FILE *to, const char *path, struct error *e);

#endif
