/*
 * Makes a run's folder completely or not at all, even if the process that makes it (the maker) is
 * killed at any moment.
 *
 * The maker writes the files in RUN.part and renames it to RUN when all of them are complete, so no
 * one reads half a run. The file .merge marks the folder from before the first file is written
 * until after the renaming. If the maker is killed in between, the next maker removes the folder. A
 * folder without this mark is never removed. Only one process makes a run at a time, because
 * RUN.part is locked (record/lock.h).
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
 * Makes an empty RUN.part and locks it. The error is ERROR_USAGE if RUN exists and is not empty, or
 * if RUN.part exists without the mark. It is ERROR_BUSY if another process is making the run, and
 * otherwise ERROR_SYSTEM. After success, the caller must call making_end().
 */
bool making_begin(struct making *out, const char *run, struct error *e);

/*
 * If `ok` is true, renames RUN.part to RUN; otherwise removes RUN.part. Returns false if `ok` is
 * false or if the renaming fails with ERROR_SYSTEM.
 */
bool making_end(struct making *m, bool ok, struct error *e);

#endif
