/*
 * Makes the folder of a run's results, results/<name>-<device>-<UTC time>/. The link results/latest
 * points to the latest folder.
 */
#ifndef REDSWEEP_RUN_FOLDER_H
#define REDSWEEP_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Makes the folder of a new run and writes its path to `path`: `wanted`, which must be empty or not
 * exist, or a new folder under results/ if `wanted` is NULL.
 */
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/*
 * Removes files without rows, as a run that was killed early leaves them, from a locked folder
 * without run.json. Fails with ERROR_CONFIG if a file has rows.
 */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/* Points results/latest to a folder under results/. Does nothing if the folder is elsewhere. */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
