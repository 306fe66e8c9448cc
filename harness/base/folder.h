/*
 * Folders: made and opened in one place, with one message each.
 */
#ifndef REDSWEEP_BASE_FOLDER_H
#define REDSWEEP_BASE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Makes a folder and its parents where they are missing, as mkdir -p does. `mode` is that of the
 * last; parents have 0777. ERROR_SYSTEM.
 */
bool folder_create(const char *path, mode_t mode, struct error *e);

/*
 * Makes a folder that redsweep places in another one, which is there: what else has its name, a link to
 * a folder included, is removed. ERROR_SYSTEM.
 */
bool folder_place(const char *path, struct error *e);

/* As folder_create(); ERROR_USAGE, which names the option --out, when something is in the folder. */
bool folder_create_empty(const char *path, struct error *e);

/* Whether a folder of this path is there. */
bool folder_exists(const char *path);

/* Opens a folder for openat() and its kin; the descriptor is the caller's. ERROR_SYSTEM. */
bool folder_open(const char *path, int *fd, struct error *e);

#endif
