/*
 * Where a run's results are: results/<name>-<device>-<UTC time>/, with results/latest beside it.
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
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/*
 * Of a locked folder without run.json: removes the files without rows that a run which was killed
 * while it began may have left. ERROR_CONFIG for anything else.
 */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/* Lets results/latest point at a folder under results/; does nothing for any other folder. */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
