/*
 * Functions that read or write a whole buffer, even if the system transfers only a part of it at a
 * time, or if a signal interrupts a call.
 */
#ifndef REDSWEEP_BASE_TRANSFER_H
#define REDSWEEP_BASE_TRANSFER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NO_DEADLINE HUGE_VAL

/*
 * Return false on failure, with the reason in errno, which is ETIMEDOUT if the deadline passed.
 * read_exactly() also returns false if the data ends before `length` bytes. `deadline_s` is a time
 * of awake_now_s() at which waiting for the other side ends; data that has already arrived is read
 * even after it. A write has a deadline only if the descriptor is nonblocking.
 */
bool read_exactly(int fd, void *bytes, size_t length, double deadline_s);
bool write_exactly(int fd, const void *bytes, size_t length, double deadline_s);

/*
 * Like write_exactly(), but for a socket. If the other side has closed it, fails with EPIPE and
 * does not raise SIGPIPE.
 */
bool send_exactly(int socket, const void *bytes, size_t length, double deadline_s);

#endif
