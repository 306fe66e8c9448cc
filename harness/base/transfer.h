/*
 * Reads or writes a whole buffer, even if the system processes only a part of it at a time, or a
 * call is interrupted.
 */
#ifndef REDSWEEP_BASE_TRANSFER_H
#define REDSWEEP_BASE_TRANSFER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NO_DEADLINE HUGE_VAL

/*
 * Returns false on failure, for the reason in errno, which is ETIMEDOUT if the deadline passed.
 * read_exactly() also returns false if the data ended before `length` bytes. `deadline_s` is a time
 * of awake_now_s(). It ends a wait for the other side, but never refuses data that has arrived. A
 * write observes it only if the descriptor is nonblocking.
 */
bool read_exactly(int fd, void *bytes, size_t length, double deadline_s);
bool write_exactly(int fd, const void *bytes, size_t length, double deadline_s);

/*
 * write_exactly() for a socket. If the other side is gone, fails with EPIPE and does not raise
 * SIGPIPE.
 */
bool send_exactly(int socket, const void *bytes, size_t length, double deadline_s);

#endif
