/*
 * Reads a whole file.
 */
#ifndef REDSWEEP_BASE_FILE_H
#define REDSWEEP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Opens a regular file of at most `max_bytes` bytes for reading. The descriptor is the caller's;
 * `*bytes` (may be NULL) is the file's length. The errors are those of file_read().
 */
bool file_open(const char *path, size_t max_bytes, int *fd, size_t *bytes, struct error *e);

/*
 * Reads a regular file of at most `max_bytes` bytes. The bytes are the caller's (free()) and end
 * with a NUL that `*length` (may be NULL) does not count. ERROR_SYSTEM with the path if it cannot
 * be opened or read to its end, or is not a regular file (a FIFO would block for ever);
 * ERROR_CONFIG if it is larger.
 */
bool file_read(const char *path, size_t max_bytes, char **bytes, size_t *length, struct error *e);

#endif
