/*
 * Ensures that only one process at a time writes into a run's folder.
 */
#ifndef REDSWEEP_RECORD_LOCK_H
#define REDSWEEP_RECORD_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Takes the folder's lock (a record lock on DIR/.lock) for this process: it ends with the process,
 * however that ends, and no child inherits it. A second run is refused with ERROR_BUSY and the
 * other's process number. A lock file that a killed process left behind is taken over.
 */
bool folder_lock(const char *path, int *lock, struct error *e);

/* The same, but waits up to `wait_s` seconds for another process to end, and says so on stderr. */
bool folder_lock_wait(const char *path, int wait_s, int *lock, struct error *e);

/* Releases the lock and removes its file. */
void folder_unlock(const char *path, int lock);

/* ERROR_BUSY when a process has the folder's lock. It writes nothing, so the folder may be
 * read-only. */
bool folder_is_idle(const char *path, struct error *e);

#endif
