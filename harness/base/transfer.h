/*
 * These functions read or write a complete buffer, even if the system processes only a part of it
 * at a time, or a call is interrupted.
 */
#ifndef REDSWEEP_BASE_TRANSFER_H
#define REDSWEEP_BASE_TRANSFER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NO_DEADLINE HUGE_VAL

/*
 * Both functions return false if they fail. errno then gives the reason, which is ETIMEDOUT if the
 * deadline passed. Reading also returns false if the data ended before `length` bytes. `deadline_s`
 * is a time of awake_now_s(). The deadline ends a wait for the other side, but never refuses data
 * that have already arrived. A write observes the deadline only if the descriptor is nonblocking.
 */
bool read_exactly(int fd, void *bytes, size_t length, double deadline_s);
bool write_exactly(int fd, const void *bytes, size_t length, double deadline_s);

/*
 * Does the same as write_exactly() for a socket. If the other side is gone, the function fails with
 * EPIPE and does not raise SIGPIPE.
 */
bool send_exactly(int socket, const void *bytes, size_t length, double deadline_s);

#endif
