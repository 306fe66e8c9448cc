/*
 * Defines the messages that the parent and its worker exchange over two pipes.
 *
 * The parent plans, supervises and records; only the worker uses the device. The worker is a fork
 * of the parent. Therefore, both processes run the same program and share the catalogue, and
 * messages can be plain structs. The worker has no plan, so a request states everything that must
 * be measured. A message consists of a header and a payload of `length` bytes. If a read ends too
 * early or a header is invalid, the process at the other end of the pipe is treated as ended.
 *
 * The parent's request        The worker's messages
 *    ASK_COUNTER name            ANSWER
 *    ASK_PASSES names            ANSWER
 *    COMPILE variants            PROGRESS …, UNCOMPILED …, COMPILED
 *    CEILINGS with_checks        CEILINGS report
 *    GROUP points, counters      REPORT …, PRINTED …, PHASES, GROUP_END
 *    QUIT                        (none)
 *
 * Before the first request, the worker sends HELLO device_info if it could open the device, and
 * otherwise REFUSED error. If it knows the device's limits before the device is ready, it sends
 * LIMITS before HELLO.
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
 * The following structs, and struct device_limits, are the payloads of messages. An array in a
 * payload directly follows its struct.
 */
struct hello {
    struct device_info info;
    struct device_info cpu; /* the device that runs CPU functions; backend "": there is none */
    char compiler[64];
    char passed_over[1024]; /* why `auto` rejected the devices that it tried before; "" if it
                               rejected none */
};
/* The payload of REFUSED and GROUP_END. In GROUP_END, the kind ERROR_NONE means success. */
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
/*
 * The payload of UNCOMPILED: a variant that does not compile, or whose compilation exceeds a limit.
 */
struct uncompiled {
    uint32_t variant; /* the variant's index in the request */
    char why[1024];
};
/* The start of a REPORT. The report's values or its outcome follow. */
struct report_header {
    enum report_type type;
    uint32_t point, count, zero;
};
struct ceilings_request {
    bool with_checks, with_counts; /* with_counts: include the checks that use counters */
};
struct ceilings_report {
    struct ceilings ceilings;
    struct launch_position position; /* the state of the launch queue after the ceilings were
                                        measured */
    struct card_state card;          /* the card's state after the ceilings were measured */
    struct self_check checks[SELF_CHECKS_MOST];
    int check_count;
};
/*
 * The payload of GROUP. Payloads without a struct in this file are: in PRINTED, a line that a
 * kernel printed; in PHASES, a struct phase_times for the group; in COMPILE, an array of struct
 * variant.
 */
struct group_request {
    struct input input;
    uint32_t count; /* the number of points; the counters' names follow them, each with a NUL */
    bool solo;
    bool compile;
    bool energy;
    struct sampling sampling;
    struct task_point points[];
};

/* Writes a whole message. Fails with ERROR_SYSTEM if the other process has ended. */
bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e);

/* Appends the bytes of a message to `out`, for a caller that must not block while it writes. */
void message_append(struct text *out, enum message_type type, const void *payload, uint32_t length);

/*
 * Writes a report as a message. Used as an emit_report callback; `pipe` points to the descriptor of
 * the pipe.
 */
bool message_send_report(void *pipe, const struct report *r, struct error *e);

/* Returns the report that a valid REPORT contains. Its pointers point into the message. */
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
 * Waits up to `timeout_ms` milliseconds for a message, or forever if it is −1. The caller owns the
 * payload, which message_free() frees. Returns RECEIVED_END also if the header is invalid, or if
 * the message is still incomplete after a minute.
 */
enum received message_receive(int fd, int timeout_ms, struct message *out);
void message_free(struct message *m);

/*
 * The part of a message that has been received so far. All members are zero if nothing has arrived.
 */
struct incoming {
    uint32_t head[2]; /* the header: type and length */
    size_t got;       /* bytes received so far, including the header */
    char *payload;
    double since_s; /* when the first byte arrived (awake_now_s()) */
};

/*
 * Like message_receive(), but does not wait for the rest of an incomplete message. Instead, it
 * stores the part that has arrived in `in` and returns RECEIVED_TIMEOUT, and the next call
 * continues with this part. The caller owns `in`, and frees it with incoming_free() if there is no
 * further call.
 */
enum received message_receive_part(int fd, int timeout_ms, struct incoming *in,
                                   struct message *out);
void incoming_free(struct incoming *in);

/* The latest request. message_valid() checks whether a message from the worker answers it. */
struct asked {
    enum message_type type; /* the request's type; 0: none yet, the worker has just started */
    int counter_count;      /* for GROUP: the number of values in each REPORT_COUNTS */
    uint32_t first, count;  /* `count` points from `first` on may be reported (for COMPILE:
                               variants) */
    const bool *done;       /* whether each point in the range has an outcome and may not be
                               reported again */
};

/*
 * Returns whether the message is plausible: its type answers the request `asked`, its length is
 * right, its strings are terminated, and its points were requested. A worker whose memory is
 * corrupted may send anything, so the parent checks every message.
 */
bool message_valid(const struct message *m, const struct asked *asked);

#endif
