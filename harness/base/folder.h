/* Functions that make and open folders. Their error messages name the folder and the cause. */
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
 * Makes a folder inside an existing folder. If `path` is something else, such as a file or a link
 * to a folder, removes that first. The error is ERROR_SYSTEM.
 */
bool folder_place(const char *path, struct error *e);

/*
 * Like folder_create(), but if the folder already exists and is not empty, fails with ERROR_USAGE
 * and a message about the option --out.
 */
bool folder_create_empty(const char *path, struct error *e);

/* Returns whether there is a folder at this path. */
bool folder_exists(const char *path);

/*
 * Opens a folder for openat() and similar functions. The caller owns the descriptor. The error is
 * ERROR_SYSTEM.
 */
bool folder_open(const char *path, int *fd, struct error *e);

#endif
