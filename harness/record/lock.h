/*
 * Ensures that only one process at a time writes into a run's folder.
 */
#ifndef REDSWEEP_RECORD_LOCK_H
#define REDSWEEP_RECORD_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Takes the lock of a folder (a record lock on DIR/.lock) for this process. The lock ends when the
 * process ends, even if it is killed, and children do not inherit it. If another process has the
 * lock, the result is ERROR_BUSY with the ID of that process. If a killed process has left its lock
 * file, the file is used again.
 */
bool folder_lock(const char *path, int *lock, struct error *e);

/*
 * Takes the lock as folder_lock() does, but waits up to `wait_s` seconds for another process to
 * release it. A message on stderr says that the process is waiting.
 */
bool folder_lock_wait(const char *path, int wait_s, int *lock, struct error *e);

/* Releases the lock and removes its file. */
void folder_unlock(const char *path, int lock);

/* Returns ERROR_BUSY if a process has the lock of the folder. The folder may be read-only, because
 * nothing is written. */
bool folder_is_idle(const char *path, struct error *e);

#endif
