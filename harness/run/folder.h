/*
 * The folder of a run's results: results/<name>-<device>-<UTC time>/, with results/latest beside
 * it.
 */
#ifndef REDSWEEP_RUN_FOLDER_H
#define REDSWEEP_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Makes the folder of a new run and writes its path. `wanted` not NULL: exactly that folder, which
 * must be empty or not exist. Otherwise a new one under results/, never an existing one.
 */
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/*
 * In a locked folder without run.json: removes the files without rows that a run may have left if
 * it was killed at its beginning. ERROR_CONFIG for anything else.
 */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/* Lets results/latest point at a folder under results/; does nothing for any other folder. */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
