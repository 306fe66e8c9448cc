/*
 * The folder of a run's results: results/<name>-<device>-<UTC time>/. The link results/latest leads
 * to it.
 */
#ifndef REDSWEEP_RUN_FOLDER_H
#define REDSWEEP_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Makes the folder of a new run and writes its path. If `wanted` is not NULL, makes exactly that
 * folder, which must be empty or not exist; otherwise a new one under results/.
 */
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/*
 * Removes, from a locked folder without run.json, the files without rows that a run may have left
 * if it was killed at its beginning. Returns ERROR_CONFIG if the folder has anything else.
 */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/* Makes results/latest point at a folder under results/; does nothing for any other folder. */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
