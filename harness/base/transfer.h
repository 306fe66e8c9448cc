/*
 * Reading and writing all of something: the system may do a part, or be interrupted.
 */
#ifndef REDSWEEP_BASE_TRANSFER_H
#define REDSWEEP_BASE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

/* False when it failed (errno says why) or, for reading, ended before `length` bytes. */
bool read_exactly(int fd, void *bytes, size_t length);
bool write_exactly(int fd, const void *bytes, size_t length);

#endif
