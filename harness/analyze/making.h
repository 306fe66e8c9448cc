/*
 * Makes a run's folder completely or not at all, although the process that makes it (the maker) may
 * be killed at any moment.
 *
 * The files are written in RUN.part, which is renamed to RUN when all of them are complete, so
 * nobody reads half a run. A file .merge marks the folder from before the first file is written
 * until after the renaming. If a process is killed in between, the next process removes a folder
 * with that mark, and no other folder. Only one process makes a run at a time, because RUN.part is
 * locked (record/lock.h).
 */
#ifndef REDSWEEP_ANALYZE_MAKING_H
#define REDSWEEP_ANALYZE_MAKING_H

#include <stdbool.h>

#include "base/error.h"

struct making {
    char *run, *part; /* the folders' paths, which the struct owns */
    int fd;           /* the descriptor of the folder in which files are written */
    int lock;
};

/*
 * Makes RUN.part, which is empty, and locks it. The error is ERROR_USAGE if RUN exists and is not
 * empty, or if RUN.part exists without the mark. It is ERROR_BUSY if another process is making the
 * run, and otherwise ERROR_SYSTEM. After success, the caller must call making_end().
 */
bool making_begin(struct making *out, const char *run, struct error *e);

/*
 * Renames RUN.part to RUN if `ok` is true; otherwise removes RUN.part. Returns false if `ok` is
 * false, or after ERROR_SYSTEM.
 */
bool making_end(struct making *m, bool ok, struct error *e);

#endif
