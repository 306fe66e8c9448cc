/* All folders are made and opened here, so that each error always has the same message. */
#ifndef REDSWEEP_BASE_FOLDER_H
#define REDSWEEP_BASE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Makes a folder and its missing parents, as mkdir -p does. `mode` is the mode of the folder
 * itself; parents have 0777. The error is ERROR_SYSTEM.
 */
bool folder_create(const char *path, mode_t mode, struct error *e);

/*
 * Makes a folder that redsweep places inside another, existing folder. Anything else with that name
 * is removed, including a link to a folder. The error is ERROR_SYSTEM.
 */
bool folder_place(const char *path, struct error *e);

/*
 * Does what folder_create() does. If the folder is not empty, the error is ERROR_USAGE, and its
 * message names the option --out.
 */
bool folder_create_empty(const char *path, struct error *e);

/* Returns whether a folder with this path exists. */
bool folder_exists(const char *path);

/*
 * Opens a folder for openat() and similar calls. The caller owns the descriptor. The error is
 * ERROR_SYSTEM.
 */
bool folder_open(const char *path, int *fd, struct error *e);

#endif
