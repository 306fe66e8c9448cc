/* Sends and receives whole messages over pipes; see protocol.h. */
#include "run/protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/awake.h"
#include "base/memory.h"
#include "base/transfer.h"
#include "record/flags.h"

enum { PRINTED_MOST = 4096 };    /* the longest line that a kernel may print, in bytes */
enum { MESSAGE_MAX = 64 << 20 }; /* the longest message of the protocol, in bytes */

/*
 * How long the rest of a message may take to arrive after the first byte. Normally, the whole
 * message arrives at once.
 */
enum { REST_LIMIT_S = 60 };

struct header {
    uint32_t type, length;
};

static bool write_all(int fd, const void *bytes, size_t length, struct error *e)
{
    return write_exactly(fd, bytes, length, NO_DEADLINE) ||
           FAIL(e, ERROR_SYSTEM, "the other process of this run has ended: %s", strerror(errno));
}

bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e)
{
    struct header h = {(uint32_t)type, length};
    return write_all(fd, &h, sizeof h, e) && (length == 0 || write_all(fd, payload, length, e));
}

void message_append(struct text *out, enum message_type type, const void *payload, uint32_t length)
{
    struct header h = {(uint32_t)type, length};
    text_append_bytes(out, &h, sizeof h);
    text_append_bytes(out, payload, length);
}

bool message_send_report(void *pipe, const struct report *r, struct error *e)
{
    const int *fd = pipe;
    struct report_header h = {.type = r->type, .point = r->point, .count = r->count};
    const void *rest = r->type == REPORT_DONE ? (const void *)r->outcome : r->values;
    size_t length = r->type == REPORT_DONE ? sizeof *r->outcome : r->count * sizeof *r->values;
    struct header outer = {MESSAGE_REPORT, (uint32_t)(sizeof h + length)};
    return write_all(*fd, &outer, sizeof outer, e) && write_all(*fd, &h, sizeof h, e) &&
           write_all(*fd, rest, length, e);
}

struct report message_report(const struct message *m)
{
    struct report_header h;
    memcpy(&h, m->payload, sizeof h);
    const void *rest = m->payload + sizeof h;
    struct report r = {.type = h.type, .point = h.point, .count = h.count};
    if (h.type == REPORT_DONE)
        r.outcome = rest;
    else
        r.values = rest;
    return r;
}

/*
 * Returns where to store the next bytes of the message, and sets *left to the number of bytes that
 * complete the header or, if it is complete, the payload.
 */
static char *next_bytes(struct incoming *in, size_t *left)
{
    size_t head = sizeof in->head;
    if (in->got < head) {
        *left = head - in->got;
        return (char *)in->head + in->got;
    }
    *left = head + in->head[1] - in->got;
    return in->payload + (in->got - head);
}

/*
 * Allocates the payload of a message whose header is complete. Returns false if the header is
 * invalid.
 */
static bool begin_payload(struct incoming *in)
{
    uint32_t type = in->head[0], length = in->head[1];
    if (type == 0 || type >= MESSAGE_TYPES || length > MESSAGE_MAX)
        return false;
    in->payload = xmalloc((size_t)length + 1);
    in->payload[length] = '\0';
    return true;
}

static bool has_more(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* Reads the bytes that are available now. */
static enum received read_part(int fd, struct incoming *in, struct message *out)
{
    do {
        size_t left;
        char *to = next_bytes(in, &left);
        ssize_t got = left ? read(fd, to, left) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || (got == 0 && left > 0))
            return RECEIVED_END;
        in->got += (size_t)got;
        if (in->got >= sizeof in->head && !in->payload && !begin_payload(in))
            return RECEIVED_END;
        if (in->payload && in->got == sizeof in->head + in->head[1]) {
            *out = (struct message){(enum message_type)in->head[0], in->head[1], in->payload};
            memset(in, 0, sizeof *in);
            return RECEIVED_MESSAGE;
        }
    } while (has_more(fd));
    return RECEIVED_TIMEOUT;
}

enum received message_receive_part(int fd, int timeout_ms, struct incoming *in, struct message *out)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = poll(&p, 1, timeout_ms);
    if (ready < 0 && errno == EINTR)
        return RECEIVED_INTERRUPT;
    if (ready > 0 && in->got == 0)
        in->since_s = awake_now_s();
    enum received received = ready > 0   ? read_part(fd, in, out)
                             : ready < 0 ? RECEIVED_END
                                         : RECEIVED_TIMEOUT;
    if (received == RECEIVED_TIMEOUT && in->got && awake_now_s() - in->since_s > REST_LIMIT_S)
        received = RECEIVED_END;
    if (received == RECEIVED_END)
        incoming_free(in);
    return received;
}

void incoming_free(struct incoming *in)
{
    free(in->payload);
    memset(in, 0, sizeof *in);
}

enum received message_receive(int fd, int timeout_ms, struct message *out)
{
    struct incoming in = {0};
    enum received received = message_receive_part(fd, timeout_ms, &in, out);
    while (in.got > 0 && (received == RECEIVED_TIMEOUT || received == RECEIVED_INTERRUPT))
        received = message_receive_part(fd, AWAKE_STEP_MS, &in, out);
    return received;
}

void message_free(struct message *m)
{
    free(m->payload);
    memset(m, 0, sizeof *m);
}

static bool text_ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool outcome_valid(const struct outcome *o)
{
    return (unsigned)o->status < STATUS_COUNT && text_ends(o->reason, sizeof o->reason) &&
           text_ends(o->result, sizeof o->result) && o->flags < FLAGS_END &&
           text_ends(o->stopped_by, sizeof o->stopped_by) && o->placements >= -1 &&
           o->placements <= PLACEMENTS_MAX;
}

static bool report_valid(const struct message *m, const struct asked *asked)
{
    if (m->length < sizeof(struct report_header))
        return false;
    struct report r = message_report(m);
    size_t length = r.type == REPORT_DONE ? sizeof *r.outcome : (size_t)r.count * sizeof *r.values;
    if (r.type < REPORT_BEGIN || r.type >= REPORT_TYPES ||
        m->length != sizeof(struct report_header) + length)
        return false;
    if (r.type == REPORT_BEGIN && r.point == POINT_BATCH)
        return true;
    if (r.point < asked->first || r.point - asked->first >= asked->count ||
        asked->done[r.point - asked->first])
        return false;
    return (r.type != REPORT_COUNTS || r.count == (uint32_t)asked->counter_count) &&
           (r.type != REPORT_DONE || outcome_valid(r.outcome));
}

static bool ceilings_valid(const struct ceilings_report *r)
{
    return r->check_count >= 0 && r->check_count <= SELF_CHECKS_MOST &&
           text_ends(r->ceilings.missing, sizeof r->ceilings.missing) &&
           text_ends(r->card.pci, sizeof r->card.pci) &&
           text_ends(r->card.vbios, sizeof r->card.vbios);
}

static bool refusal_valid(const struct message *m)
{
    const struct refusal *r = (const struct refusal *)m->payload;
    return m->length == sizeof *r && text_ends(r->text, sizeof r->text);
}

bool message_valid(const struct message *m, const struct asked *asked)
{
    const void *p = m->payload;
    const struct answer *a = p;
    switch (m->type) {
    case MESSAGE_REFUSED: /* a refusal answers any request */
        return refusal_valid(m);
    case MESSAGE_LIMITS:
        return asked->type == 0 && m->length == sizeof(struct device_limits) &&
               text_ends(((const struct device_limits *)p)->backend,
                         sizeof((struct device_limits *)0)->backend);
    case MESSAGE_HELLO:
        return asked->type == 0 && m->length == sizeof(struct hello) &&
               text_ends(((const struct hello *)p)->passed_over,
                         sizeof((struct hello *)0)->passed_over);
    case MESSAGE_ANSWER:
        return (asked->type == MESSAGE_ASK_COUNTER || asked->type == MESSAGE_ASK_PASSES) &&
               m->length == sizeof *a && text_ends(a->why, sizeof a->why);
    case MESSAGE_PROGRESS:
        return asked->type == MESSAGE_COMPILE && m->length == sizeof(struct progress_report);
    case MESSAGE_UNCOMPILED: {
        const struct uncompiled *u = p;
        return asked->type == MESSAGE_COMPILE && m->length == sizeof *u &&
               u->variant < asked->count && text_ends(u->why, sizeof u->why);
    }
    case MESSAGE_COMPILED:
        return asked->type == MESSAGE_COMPILE && m->length == 0;
    case MESSAGE_CEILINGS:
        return asked->type == MESSAGE_CEILINGS && m->length == sizeof(struct ceilings_report) &&
               ceilings_valid(p);
    case MESSAGE_REPORT:
        return asked->type == MESSAGE_GROUP && report_valid(m, asked);
    case MESSAGE_PRINTED:
        return asked->type == MESSAGE_GROUP && m->length <= PRINTED_MOST;
    case MESSAGE_PHASES:
        return asked->type == MESSAGE_GROUP && m->length == sizeof(struct phase_times);
    case MESSAGE_GROUP_END:
        return asked->type == MESSAGE_GROUP && refusal_valid(m);
    default: /* a worker never sends a request */
        return false;
    }
}
