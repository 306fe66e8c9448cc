/*
 * Makes the folder for the results of a run, usually results/<name>-<device>-<UTC time>/. The link
 * results/latest points to the folder of the latest run.
 */
#ifndef REDSWEEP_RUN_FOLDER_H
#define REDSWEEP_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Makes the folder of a new run and writes its path to `path`. The folder is `wanted`, which must
 * be empty or not exist yet. If `wanted` is NULL, it is a new folder under results/.
 */
bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e);

/*
 * Clears a folder in which a run was killed before it wrote run.json: removes results.csv,
 * samples.csv and run.json.part. The caller has locked the folder. Fails with ERROR_CONFIG if one
 * of the CSV files has rows.
 */
bool run_folder_clear_unbegun(const char *path, struct error *e);

/*
 * Makes the link results/latest point to `path`. Does nothing if `path` is not directly under
 * results/.
 */
bool run_folder_set_latest(const char *path, struct error *e);

#endif
