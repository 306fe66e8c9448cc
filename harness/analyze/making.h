/*
 * Makes a run's folder atomically: completely or not at all, even if the process that makes it (the
 * maker) is killed.
 *
 * The maker writes the files into RUN.part and renames it to RUN when all of them are complete, so
 * no one reads half a run. The file .merge in the folder marks it until after the renaming. If the
 * maker is killed before it removes this mark, the next maker removes the folder. A folder without
 * the mark is never removed. RUN.part is locked (record/lock.h), so only one process makes a run at
 * a time.
 */
#ifndef REDSWEEP_ANALYZE_MAKING_H
#define REDSWEEP_ANALYZE_MAKING_H

#include <stdbool.h>

#include "base/error.h"

struct making {
    char *run, *part; /* the folders' paths, owned */
    int fd;           /* the folder in which files are written */
    int lock;
};

/*
 * Makes an empty RUN.part and locks it. Fails with ERROR_USAGE if RUN exists and is not empty, or
 * if RUN.part exists without the mark; with ERROR_BUSY if another process is making the run; and
 * otherwise with ERROR_SYSTEM. After success, the caller must call making_end().
 */
bool making_begin(struct making *out, const char *run, struct error *e);

/*
 * Renames RUN.part to RUN if `ok` is true; otherwise removes it. Returns false if `ok` is false or
 * if renaming fails (ERROR_SYSTEM).
 */
bool making_end(struct making *m, bool ok, struct error *e);

#endif
