/*
 * Making a run's folder whole or not at all, though its maker may be killed at any moment.
 *
 * The files are written in RUN.part, which is renamed to RUN when they are all there: nobody reads
 * half a run. A file .merge marks the folder from before the first file until after the renaming:
 * what a killed maker has left with that mark the next one removes, and nothing else. One maker at a
 * time: RUN.part is locked (record/lock.h).
 */
#ifndef REDSWEEP_ANALYZE_MAKING_H
#define REDSWEEP_ANALYZE_MAKING_H

#include <stdbool.h>

#include "base/error.h"

struct making {
    char *run, *part; /* the folders' paths; owned */
    int fd;           /* of the folder that files are written in */
    int lock;
};

/*
 * Makes and locks RUN.part, empty. ERROR_USAGE when RUN is there and not empty, or RUN.part is there
 * without the mark; ERROR_BUSY when another process is at it; ERROR_SYSTEM. To be ended by
 * making_end() when it succeeds.
 */
bool making_begin(struct making *out, const char *run, struct error *e);

/* Renames RUN.part to RUN (`ok`), or removes it. False if not `ok`, or ERROR_SYSTEM. */
bool making_end(struct making *m, bool ok, struct error *e);

#endif
