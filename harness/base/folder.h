/* Makes and opens all folders, so that errors always have the same message. */
#ifndef REDSWEEP_BASE_FOLDER_H
#define REDSWEEP_BASE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Makes a folder and its missing parents, like mkdir -p. `mode` applies to the folder itself;
 * parents have 0777. The error is ERROR_SYSTEM.
 */
bool folder_create(const char *path, mode_t mode, struct error *e);

/*
 * Makes a folder that redsweep places inside an existing one. Removes anything else with that name,
 * including a link to a folder. The error is ERROR_SYSTEM.
 */
bool folder_place(const char *path, struct error *e);

/*
 * Like folder_create(). If the folder is not empty, the error is ERROR_USAGE and names the option
 * --out.
 */
bool folder_create_empty(const char *path, struct error *e);

/* Returns whether this path is a folder. */
bool folder_exists(const char *path);

/*
 * Opens a folder for openat() and the like. The caller owns the descriptor. The error is
 * ERROR_SYSTEM.
 */
bool folder_open(const char *path, int *fd, struct error *e);

#endif
