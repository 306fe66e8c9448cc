/*
 * Makes and opens folders in one place, with one message for each error.
 */
#ifndef REDSWEEP_BASE_FOLDER_H
#define REDSWEEP_BASE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Makes a folder and its missing parents, as mkdir -p does. `mode` is the mode of the last one;
 * parents have 0777. ERROR_SYSTEM.
 */
bool folder_create(const char *path, mode_t mode, struct error *e);

/*
 * Makes a folder that redsweep places inside another, existing one; anything else of that name,
 * including a link to a folder, is removed. ERROR_SYSTEM.
 */
bool folder_place(const char *path, struct error *e);

/* Does what folder_create() does; ERROR_USAGE, which names the option --out, if the folder is not empty. */
bool folder_create_empty(const char *path, struct error *e);

/* Whether a folder with this path exists. */
bool folder_exists(const char *path);

/* Opens a folder for openat() and its kin; the descriptor is the caller's. ERROR_SYSTEM. */
bool folder_open(const char *path, int *fd, struct error *e);

#endif
