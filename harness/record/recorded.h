/*
 * Reads the files of an earlier run line by line, without holding whole files in memory. Private to
 * this folder; writer.h declares the public functions.
 */
#ifndef REDSWEEP_RECORD_RECORDED_H
#define REDSWEEP_RECORD_RECORDED_H

#include <sys/types.h>

#include "record/row.h"
#include "record/writer.h"

/* The lengths of the usable parts of results.csv and samples.csv. Up to there, all lines are
 * complete, and every row has its samples. */
struct recorded_lengths {
    off_t results, samples;
};

/*
 * Reads results.csv and samples.csv of an open folder. Messages call the folder `name`. Adds the
 * rows to `found` and sets `whole`. The caller zeroes `found` first, and frees it with
 * recorded_free() even after an error.
 */
bool recorded_read(int folder, const char *name, const struct columns *columns,
                   struct recorded *found, struct recorded_lengths *whole, struct error *e);

#endif
