/*
 * Whole reads and writes: see transfer.h.
 */
#include "base/transfer.h"

#include <errno.h>
#include <unistd.h>

bool read_exactly(int fd, void *bytes, size_t length)
{
    char *p = bytes;
    while (length) {
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

bool write_exactly(int fd, const void *bytes, size_t length)
{
    const char *p = bytes;
    while (length) {
        ssize_t put = write(fd, p, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        p += put;
        length -= (size_t)put;
    }
    return true;
}
