/*
 * The files of an earlier run in its folder, read line by line so that memory does not grow with
 * their size. Private to this room; see writer.h for the rest.
 */
#ifndef REDSWEEP_RECORD_RECORDED_H
#define REDSWEEP_RECORD_RECORDED_H

#include <sys/types.h>

#include "record/row.h"
#include "record/writer.h"

/* Bytes up to which the files hold whole lines that belong together. */
struct recorded_lengths {
    off_t results, samples;
};

/*
 * Reads results.csv and samples.csv of an open folder; `name` is the folder's name for messages.
 * `found` starts zeroed; free it with recorded_free(), even if this fails.
 */
bool recorded_read(int folder, const char *name, const struct columns *columns,
                   struct recorded *found, struct recorded_lengths *whole, struct error *e);

#endif
