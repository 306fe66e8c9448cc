/* Implements file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/*
 * Reads until the end of the file, or until `max` bytes if the file grows while it is read. Returns
 * the number of bytes, or −1 with the cause in errno.
 */
static ssize_t read_until_end(int fd, char *bytes, size_t max)
{
    size_t length = 0;
    while (length < max) {
        ssize_t got = read(fd, bytes + length, max - length);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)length;
}

bool file_open(const char *path, size_t max_bytes, int *fd, size_t *bytes, struct error *e)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return FAIL(e, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    struct stat st;
    bool ok = fstat(*fd, &st) == 0 || FAIL(e, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    if (ok && !S_ISREG(st.st_mode))
        ok = FAIL(e, ERROR_SYSTEM, "%s is not a regular file", path);
    if (ok && (uintmax_t)st.st_size > max_bytes)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s has %jd bytes, but redsweep reads at most %zu; is this the right file?", path,
                  (intmax_t)st.st_size, max_bytes);
    if (ok && bytes)
        *bytes = (size_t)st.st_size;
    if (!ok)
        close(*fd);
    return ok;
}

bool file_read(const char *path, size_t max_bytes, char **bytes, size_t *length, struct error *e)
{
    int fd;
    size_t size = 0;
    if (!file_open(path, max_bytes, &fd, &size, e))
        return false;
    char *all = xmalloc(size + 1);
    ssize_t got = read_until_end(fd, all, size);
    bool ok = got >= 0 || FAIL(e, ERROR_SYSTEM, "%s cannot be read: %s", path, strerror(errno));
    if (ok) {
        all[got] = '\0';
        *bytes = all;
        if (length)
            *length = (size_t)got;
    } else {
        free(all);
    }
    close(fd);
    return ok;
}
