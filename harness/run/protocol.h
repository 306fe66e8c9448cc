/*
 * Defines the messages that the parent and its worker exchange over two pipes.
 *
 * The parent plans, supervises and records; only the worker uses the device. The worker is a fork
 * of the parent, so both run the same program and share the catalogue, and messages are plain
 * structs. The worker has no plan, so a request states everything that must be measured. A message
 * is a header and `length` bytes. After a short read or an invalid header, the other process counts
 * as ended.
 *
 * The parent's request        The worker's messages
 *    ASK_COUNTER name            ANSWER
 *    ASK_PASSES names            ANSWER
 *    COMPILE variants            PROGRESS …, UNCOMPILED …, COMPILED
 *    CEILINGS with_checks        CEILINGS report
 *    GROUP points, counters      REPORT …, PRINTED …, PHASES, GROUP_END
 *    QUIT                        (none)
 *
 * Before any request, the worker sends HELLO device_info or REFUSED error. If it knows the device's
 * limits before the device is ready, it sends LIMITS first.
 *
 * A process that only lists devices (run/device_names.c) sends DEVICES names or REFUSED error.
 */
#ifndef REDSWEEP_RUN_PROTOCOL_H
#define REDSWEEP_RUN_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "measure/group.h"
#include "record/conditions.h"
#include "record/outcome.h"

enum message_type {
    MESSAGE_LIMITS = 1,
    MESSAGE_HELLO,
    MESSAGE_DEVICES,
    MESSAGE_REFUSED,
    MESSAGE_ANSWER,
    MESSAGE_PROGRESS,
    MESSAGE_UNCOMPILED,
    MESSAGE_COMPILED,
    MESSAGE_REPORT,
    MESSAGE_PRINTED,
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
    char *payload; /* owned, followed by a NUL */
};

/*
 * The following structs, and struct device_limits, are the payloads. Arrays directly follow their
 * struct.
 */
struct hello {
    struct device_info info;
    struct device_info cpu; /* runs CPU functions; its backend is "" if there is none */
    char compiler[64];
    char passed_over[1024]; /* why `auto` did not choose the devices before this one; "" if it
                               chose the first */
};
/* The payload of REFUSED and GROUP_END. In GROUP_END, ERROR_NONE means success. */
struct refusal {
    enum error_kind kind;
    bool device_lost;
    char text[4096];
};
struct answer {
    int64_t value; /* a number, or 1 for yes and 0 for no */
    char why[256];
};
struct progress_report {
    uint32_t done, total;
};
/* A variant that does not compile or that exceeds a limit. */
struct uncompiled {
    uint32_t variant; /* its place in the request */
    char why[1024];
};
/* The start of REPORT, followed by the values or the outcome. */
struct report_header {
    enum report_type type;
    uint32_t point, count, zero;
};
struct ceilings_request {
    bool with_checks, with_counts; /* with_counts: include the checks that use counters */
};
struct ceilings_report {
    struct ceilings ceilings;
    struct launch_position position; /* the launch position after the ceilings were measured */
    struct card_state card;          /* the card's state after the ceilings were measured */
    struct self_check checks[SELF_CHECKS_MOST];
    int check_count;
};
/*
 * PRINTED carries a line that a kernel printed, PHASES a struct phase_times for the group, and
 * COMPILE an array of struct variant.
 */
struct group_request {
    struct input input;
    uint32_t count; /* of points; they are followed by the counters' names, each with a NUL */
    bool solo;
    bool compile;
    bool energy;
    struct sampling sampling;
    struct task_point points[];
};

/* Writes a whole message. Fails with ERROR_SYSTEM if the other process has ended. */
bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e);

/* Appends the bytes of a message, for a pipe that must not block. */
void message_append(struct text *out, enum message_type type, const void *payload, uint32_t length);

/* Writes a report as a message. An emit_report callback; `pipe` points to the pipe's descriptor. */
bool message_send_report(void *pipe, const struct report *r, struct error *e);

/* Returns the report in a valid REPORT. It points into the message. */
struct report message_report(const struct message *m);

/* The result of waiting for a message. */
enum received {
    RECEIVED_MESSAGE,
    RECEIVED_TIMEOUT,
    RECEIVED_END,       /* the other process has ended */
    RECEIVED_INTERRUPT, /* a signal arrived */
    RECEIVED_MALFORMED  /* only supervisor_receive() returns it */
};

/*
 * Waits up to `timeout_ms` for a message; −1 waits forever. The caller owns the payload, which
 * message_free() frees. An invalid header, or a message that is incomplete after a minute, also
 * gives RECEIVED_END.
 */
enum received message_receive(int fd, int timeout_ms, struct message *out);
void message_free(struct message *m);

/* The received part of an incomplete message, all zero if nothing has arrived. */
struct incoming {
    uint32_t head[2]; /* the header: type and length */
    size_t got;       /* bytes so far, including the header */
    char *payload;
    double since_s; /* when the first byte arrived (awake_now_s()) */
};

/*
 * Like message_receive(), but does not wait for the rest of an incomplete message: stores what has
 * arrived in `in` for the next call and returns RECEIVED_TIMEOUT. The caller owns `in`, and frees
 * it with incoming_free() if there is no further call.
 */
enum received message_receive_part(int fd, int timeout_ms, struct incoming *in,
                                   struct message *out);
void incoming_free(struct incoming *in);

/* The latest request, against which the worker's messages are checked. */
struct asked {
    enum message_type type; /* of the request; 0: none yet, the worker has just started */
    int counter_count;      /* for GROUP: values in each REPORT_COUNTS */
    uint32_t first, count;  /* the range of points that may be reported (for COMPILE: of
                               variants) */
    const bool *done;       /* whether each point in the range has an outcome and may not be
                               reported again */
};

/*
 * Returns whether an intact worker could have sent this message now: its type answers the request,
 * its length is right, its strings are terminated, and its points were requested. A worker with
 * corrupted memory may send anything.
 */
bool message_valid(const struct message *m, const struct asked *asked);

#endif
