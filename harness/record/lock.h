/* Ensures that only one process at a time writes to a run's folder. */
#ifndef REDSWEEP_RECORD_LOCK_H
#define REDSWEEP_RECORD_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Locks a folder for this process, with a record lock (fcntl) on the file .lock in it. The lock
 * ends with the process, even if the process is killed, and children do not inherit it. If another
 * process holds the lock, fails with ERROR_BUSY and a message with its process ID. Reuses a lock
 * file that a killed process left behind.
 */
bool folder_lock(const char *path, int *lock, struct error *e);

/*
 * Like folder_lock(), but waits up to `wait_s` seconds for another process to release the lock.
 * Prints a message to stderr while it waits.
 */
bool folder_lock_wait(const char *path, int wait_s, int *lock, struct error *e);

/* Releases the lock and removes its file. */
void folder_unlock(const char *path, int lock);

/* Returns ERROR_BUSY if a process holds the folder's lock. Writes nothing, so the folder may be
 * read-only. */
bool folder_is_idle(const char *path, struct error *e);

#endif
