/*
 * Whole messages over pipes: see protocol.h.
 */
#include "run/protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MOST = 64 << 20 }; /* bytes; a longer one cannot be ours */

/* The rest of a message follows its first byte at once, and who is asked reads at once. */
enum { REST_LIMIT_MS = 60 * 1000 };

struct header {
    uint32_t type, length;
};

static bool write_all(int fd, const void *bytes, size_t length, struct error *e)
{
    const char *p = bytes;
    while (length > 0) {
        ssize_t written = write(fd, p, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EAGAIN) { /* the parent's end does not block */
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            if (poll(&ready, 1, REST_LIMIT_MS) == 0)
                return FAIL(e, ERROR_SYSTEM, "the other process of this run has not read for %d s",
                            REST_LIMIT_MS / 1000);
            continue;
        }
        if (written <= 0)
            return FAIL(e, ERROR_SYSTEM, "the other process of this run is gone: %s",
                        strerror(errno));
        p += written;
        length -= (size_t)written;
    }
    return true;
}

bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e)
{
    struct header h = {(uint32_t)type, length};
    return write_all(fd, &h, sizeof h, e) && (length == 0 || write_all(fd, payload, length, e));
}

static bool read_all(int fd, void *bytes, size_t length)
{
    char *p = bytes;
    while (length > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, REST_LIMIT_MS) == 0)
            return false; /* it stopped in the middle of a message */
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

enum received message_receive(int fd, int timeout_ms, struct message *out)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = poll(&p, 1, timeout_ms);
    if (ready == 0)
        return RECEIVED_TIMEOUT;
    if (ready < 0)
        return errno == EINTR ? RECEIVED_INTERRUPT : RECEIVED_END;
    struct header h;
    if (!read_all(fd, &h, sizeof h) || h.type == 0 || h.type >= MESSAGE_TYPES ||
        h.length > MESSAGE_MOST)
        return RECEIVED_END;
    char *payload = malloc((size_t)h.length + 1);
    if (!payload)
        return RECEIVED_END;
    if (!read_all(fd, payload, h.length)) {
        free(payload);
        return RECEIVED_END;
    }
    payload[h.length] = '\0';
    *out = (struct message){(enum message_type)h.type, h.length, payload};
    return RECEIVED_MESSAGE;
}

void message_free(struct message *m)
{
    free(m->payload);
    memset(m, 0, sizeof *m);
}
