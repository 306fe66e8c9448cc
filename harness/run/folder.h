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
 * Makes the folder of a new run and writes its path to `path`. If `wanted` is not NULL, it is the
 * path of the folder, which must be empty or not exist. Otherwise the function makes a new folder
 * under results/.
 */
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/* Removes files without rows from a locked folder without run.json. A run that was killed at its
 * beginning may have left such files. If a file has rows, the function fails with ERROR_CONFIG. */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/*
 * Makes results/latest point to a folder under results/. Does nothing if the folder is elsewhere.
 */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
