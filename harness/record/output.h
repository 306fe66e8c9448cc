/*
 * Files that the user requested (--csv, --out …). They never replace a file of a run, because
 * results that took hours would be lost without a question.
 */
#ifndef REDSWEEP_RECORD_OUTPUT_H
#define REDSWEEP_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Creates a file for writing in place of an existing one; it replaces links, whose target stays
 * unchanged; "-" is stdout, and pipes and devices are written directly. ERROR_USAGE if it has the
 * name of a run's file (results.csv, samples.csv, run.json, results.json, .lock) and exists or would
 * be in a run's folder, even through a symbolic link.
 */
bool output_open(const char *path, FILE **out, struct error *e);

/*
 * The same for a file that redsweep places in a folder: always a new one, whatever exists there,
 * even a pipe or a device. ERROR_SYSTEM, where it is a folder as well.
 */
bool output_create(const char *path, FILE **out, struct error *e);

/* Flushes the file, and closes it unless it is stdout. ERROR_SYSTEM also for earlier failures. */
bool output_close(FILE *to, const char *path, struct error *e);

#endif
