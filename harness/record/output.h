/*
 * Files that the user asked for (--csv, --out …). They never replace a file that a run is made of:
 * results that took hours would be gone without a question.
 */
#ifndef REDSWEEP_RECORD_OUTPUT_H
#define REDSWEEP_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Creates a file for writing in the place of what is there, links included, whose target stays as it
 * is; "-" is stdout, and pipes and devices are written as they are. ERROR_USAGE when it has the name
 * of a run's file (results.csv, samples.csv, run.json, results.json, .lock) and exists or would be
 * in a run's folder, also through a symbolic link.
 */
bool output_open(const char *path, FILE **out, struct error *e);

/*
 * The same for a file that redsweep places in a folder: a new one whatever lies there, also a pipe
 * or a device. ERROR_SYSTEM, where it is a folder as well.
 */
bool output_create(const char *path, FILE **out, struct error *e);

/* Writes out what is left, and closes it unless it is stdout. ERROR_SYSTEM also for what failed
 * before. */
bool output_close(FILE *to, const char *path, struct error *e);

#endif
