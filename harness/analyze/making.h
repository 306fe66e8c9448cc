/*
 * Makes a run's folder whole or not at all, though its maker may be killed at any moment.
 *
 * The files are written in RUN.part, which is renamed to RUN when all of them are complete, so
 * nobody reads half a run. A file .merge marks the folder from before the first file until after the
 * renaming. If a process is killed in between, the next one removes a folder with that mark, and
 * nothing else. Only one process makes a run at a time: RUN.part is locked (record/lock.h).
 */
#ifndef REDSWEEP_ANALYZE_MAKING_H
#define REDSWEEP_ANALYZE_MAKING_H

#include <stdbool.h>

#include "base/error.h"

struct making {
    char *run, *part; /* the folders' paths; owned */
    int fd;           /* descriptor of the folder that files are written in */
    int lock;
};

/*
 * Makes and locks RUN.part, empty. ERROR_USAGE if RUN exists and is not empty, or if RUN.part exists
 * without the mark; ERROR_BUSY if another process is making the run; ERROR_SYSTEM. If it succeeds,
 * the caller must call making_end().
 */
bool making_begin(struct making *out, const char *run, struct error *e);

/* Renames RUN.part to RUN if `ok`, else removes it. Returns false if not `ok`, or with
 * ERROR_SYSTEM. */
bool making_end(struct making *m, bool ok, struct error *e);

#endif
