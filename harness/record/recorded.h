/*
 * Reads the files of an earlier run. The files are read line by line, so that the memory use does
 * not grow with their size. This header is private to the folder, and writer.h declares the public
 * functions.
 */
#ifndef REDSWEEP_RECORD_RECORDED_H
#define REDSWEEP_RECORD_RECORDED_H

#include <sys/types.h>

#include "record/row.h"
#include "record/writer.h"

/*
 * Up to these lengths in bytes, the two files contain complete lines, and all rows have their
 * samples.
 */
struct recorded_lengths {
    off_t results, samples;
};

/*
 * Reads results.csv and samples.csv of an open folder. Messages call the folder `name`. The caller
 * zeroes `found` first and frees it with recorded_free(), even after an error.
 */
bool recorded_read(int folder, const char *name, const struct columns *columns,
                   struct recorded *found, struct recorded_lengths *whole, struct error *e);

#endif
