/*
 * Where a run's results lie: results/<name>-<device>-<UTC time>/, with results/latest beside it.
 */
#ifndef REDSWEEP_RUN_FOLDER_H
#define REDSWEEP_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Makes the folder of a new run and writes its path. `wanted` not NULL: exactly that folder, which
 * must be empty or not exist. Otherwise one under results/, never one that is there already.
 */
bool folder_make(const char *wanted, const char *name, const char *slug, char *path, size_t size,
                 struct error *e);

/*
 * Takes the folder's lock (a record lock on DIR/.lock) for this process: it ends with the process,
 * however that ends, and no child inherits it. A second run is refused with ERROR_BUSY and the
 * other's process number. A lock file that a killed process left behind is taken over.
 */
bool folder_lock(const char *path, int *lock, struct error *e);

/* Gives the lock back and removes its file. */
void folder_unlock(const char *path, int lock);

/* The same, and waits up to `wait_s` seconds for another process to end; says so on stderr. */
bool folder_lock_wait(const char *path, int wait_s, int *lock, struct error *e);

/* Makes a folder and its parents where they are missing. */
bool folder_make_missing(const char *path, struct error *e);

/*
 * Of a locked folder without run.json: removes the files without rows that a run which was killed
 * while it began may have left. ERROR_CONFIG for anything else.
 */
bool folder_clear_unbegun(const char *path, struct error *e);

/* Lets results/latest point at a folder under results/; does nothing for any other folder. */
bool folder_set_latest(const char *path, struct error *e);

#endif
