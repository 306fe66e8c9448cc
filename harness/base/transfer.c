/* Implements transfer.h. */
#include "base/transfer.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/awake.h"

/*
 * Waits until `fd` is ready. Returns false with the cause in errno if the deadline passes
 * (ETIMEDOUT) or if poll() fails.
 */
static bool wait_for(int fd, short events, double deadline_s)
{
    struct pollfd p = {.fd = fd, .events = events};
    for (;;) {
        double left_ms = (deadline_s - awake_now_s()) * 1e3;
        int ready = poll(&p, 1,
                         left_ms > AWAKE_STEP_MS ? AWAKE_STEP_MS
                         : left_ms > 0           ? (int)left_ms + 1
                                                 : 0);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready == 0 && left_ms <= 0) {
            errno = ETIMEDOUT;
            return false;
        }
    }
}

bool read_exactly(int fd, void *bytes, size_t length, double deadline_s)
{
    char *p = bytes;
    while (length) {
        if (deadline_s != NO_DEADLINE && !wait_for(fd, POLLIN, deadline_s))
            return false;
        ssize_t got = read(fd, p, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        length -= (size_t)got;
    }
    return true;
}

static bool put_exactly(int fd, bool is_socket, const void *bytes, size_t length, double deadline_s)
{
    const char *p = bytes;
    while (length) {
        ssize_t put = is_socket ? send(fd, p, length, MSG_NOSIGNAL) : write(fd, p, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN && wait_for(fd, POLLOUT, deadline_s))
            continue;
        if (put <= 0)
            return false;
        p += put;
        length -= (size_t)put;
    }
    return true;
}

bool write_exactly(int fd, const void *bytes, size_t length, double deadline_s)
{
    return put_exactly(fd, false, bytes, length, deadline_s);
}

bool send_exactly(int socket, const void *bytes, size_t length, double deadline_s)
{
    return put_exactly(socket, true, bytes, length, deadline_s);
}
