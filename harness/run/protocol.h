/*
 * What passes between the parent and its worker, over two pipes.
 *
 * The parent plans, supervises and records; the worker alone touches the device. The worker is a
 * fork of the parent, so both are the same program and share the config and the catalogue, and
 * messages are plain structs. A message is a header and `length` bytes; a short read or an
 * impossible header means that the other side is gone.
 *
 *   parent → worker   ASK_COUNTER name        → ANSWER
 *                     ASK_PASSES names        → ANSWER
 *                     COMPILE                 → PROGRESS …, COMPILED
 *                     CEILINGS with_checks    → CEILINGS report
 *                     GROUP points            → BEGIN, CHECKED, SAMPLES, METRICS, DONE …, PHASES,
 *                                               GROUP_END
 *                     QUIT
 *   worker → parent   HELLO device_info, or REFUSED error, first of all
 */
#ifndef REDSWEEP_RUN_PROTOCOL_H
#define REDSWEEP_RUN_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/group.h"
#include "record/record.h"

enum message_type {
    MESSAGE_HELLO = 1,
    MESSAGE_REFUSED,
    MESSAGE_ANSWER,
    MESSAGE_PROGRESS,
    MESSAGE_COMPILED,
    MESSAGE_BEGIN,
    MESSAGE_CHECKED,
    MESSAGE_SAMPLES,
    MESSAGE_METRICS,
    MESSAGE_DONE,
    MESSAGE_PHASES,
    MESSAGE_GROUP_END,
    MESSAGE_CEILINGS,
    MESSAGE_ASK_COUNTER,
    MESSAGE_ASK_PASSES,
    MESSAGE_COMPILE,
    MESSAGE_GROUP,
    MESSAGE_QUIT,
    MESSAGE_TYPES
};

struct message {
    enum message_type type;
    uint32_t length;
    char *payload; /* NUL-terminated beyond its length; owned by the message */
};

/* Payloads; arrays follow their struct directly. */
struct hello {
    struct device_info info;
    struct device_info cpu; /* what runs the CPU's functions; backend "" when nothing does */
    char compiler[64];
};
struct refusal { /* also GROUP_END: kind ERROR_NONE means that all went well */
    enum error_kind kind;
    bool device_lost;
    char text[4096];
};
struct answer {
    int64_t value; /* a truth or a number */
    char why[256];
};
struct progress_report {
    uint32_t done, total;
};
struct point_values { /* BEGIN and CHECKED (count 0), SAMPLES, METRICS. SAMPLES without any: what
                         came before is measured again */
    uint32_t point;
    uint32_t count;
    double values[];
};
struct point_done {
    uint32_t point;
    struct outcome outcome; /* its pointers mean nothing on the other side */
};
struct ceilings_request {
    bool with_checks;
};
struct ceilings_report {
    struct ceilings ceilings;
    struct self_check checks[SELF_CHECKS_MOST];
    int check_count;
};
/* PHASES carries a struct phase_times: what the group took. */
struct group_request {
    bool solo;
    uint32_t count;
    uint32_t points[];
};

/*
 * Writes a whole message; ERROR_SYSTEM when the other side is gone, or `fd` does not block and
 * nobody has read from it for a minute.
 */
bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e);

/* What message_receive() met. */
enum received { RECEIVED_MESSAGE, RECEIVED_TIMEOUT, RECEIVED_END, RECEIVED_INTERRUPT };

/*
 * Waits up to `timeout_ms` (−1: for ever) for a message. The payload is the caller's:
 * message_free(). RECEIVED_END also stands for a broken message, and one that does not end within a
 * minute. RECEIVED_INTERRUPT: a signal came.
 */
enum received message_receive(int fd, int timeout_ms, struct message *out);
void message_free(struct message *m);

#endif
