/* Reads whole files. */
#ifndef REDSWEEP_BASE_FILE_H
#define REDSWEEP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Opens a regular file of at most `max_bytes` bytes for reading. The caller owns the descriptor.
 * `*bytes` (which may be NULL) receives the file's length. Fails with the same errors as
 * file_read().
 */
bool file_open(const char *path, size_t max_bytes, int *fd, size_t *bytes, struct error *e);

/*
 * Reads a regular file of at most `max_bytes` bytes. The caller frees the bytes with free(). They
 * are followed by a NUL, which `*length` does not count; `length` may be NULL. Fails with
 * ERROR_SYSTEM if the file cannot be opened or read to its end. Also fails with ERROR_SYSTEM if it
 * is not a regular file: reading a FIFO could block forever. Fails with ERROR_CONFIG if the file is
 * larger than `max_bytes`.
 */
bool file_read(const char *path, size_t max_bytes, char **bytes, size_t *length, struct error *e);

#endif
