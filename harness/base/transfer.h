/*
 * Reading and writing all of something: the system may do a part, or be interrupted.
 */
#ifndef REDSWEEP_BASE_TRANSFER_H
#define REDSWEEP_BASE_TRANSFER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NO_DEADLINE HUGE_VAL

/*
 * False when it failed (errno says why; ETIMEDOUT: the deadline passed) or, for reading, ended
 * before `length` bytes. `deadline_s` is a time of awake_now_s(). It ends a wait for the other side
 * and never refuses what is there already; a write has it only where the descriptor does not block.
 */
bool read_exactly(int fd, void *bytes, size_t length, double deadline_s);
bool write_exactly(int fd, const void *bytes, size_t length, double deadline_s);

/* write_exactly() into a socket, without SIGPIPE where the other side is gone (EPIPE). */
bool send_exactly(int socket, const void *bytes, size_t length, double deadline_s);

#endif
