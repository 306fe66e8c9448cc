/*
 * The messages between the parent and its worker, over two pipes.
 *
 * The parent plans, supervises and records; only the worker uses the device. The worker is a fork
 * of the parent, so both are the same program and share the catalogue, and messages are plain
 * structs. A request contains everything that is to be measured: the worker has no plan. A message
 * is a header and `length` bytes; a short read or an impossible header means that the other side is
 * gone.
 *
 *   parent → worker   ASK_COUNTER name        → ANSWER
 *                     ASK_PASSES names        → ANSWER
 *                     COMPILE variants        → PROGRESS …, UNCOMPILED …, COMPILED
 *                     CEILINGS with_checks    → CEILINGS report
 *                     GROUP points, counters  → REPORT …, PRINTED …, PHASES, GROUP_END
 *                     QUIT
 *   worker → parent   first of all HELLO device_info, or REFUSED error; before that LIMITS of the
 *                     device that it opens, where they are known early
 *
 * A process that only lists devices (run/device_names.c) sends DEVICES names, or REFUSED error.
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
    char *payload; /* NUL-terminated beyond its length; owned by the message */
};

/* Payloads, besides struct device_limits; arrays follow their struct directly. */
struct hello {
    struct device_info info;
    struct device_info cpu; /* the device of the CPU's functions; backend "" if there is none */
    char compiler[64];
    char passed_over[1024]; /* why `auto` took no device that is earlier in the list; "" */
};
struct refusal { /* also GROUP_END: kind ERROR_NONE means success */
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
struct
    uncompiled { /* a variant that does not compile, or exceeds the limits, by its place in the request */
    uint32_t variant;
    char why[1024];
};
struct report_header { /* REPORT: a struct report; its values or its outcome follow */
    enum report_type type;
    uint32_t point, count, zero;
};
struct ceilings_request {
    bool with_checks, with_counts; /* the latter: including checks that use counters */
};
struct ceilings_report {
    struct ceilings ceilings;
    struct launch_position position; /* as of now */
    struct card_state card;          /* likewise */
    struct self_check checks[SELF_CHECKS_MOST];
    int check_count;
};
/* PRINTED carries a line that a kernel printed. PHASES carries a struct phase_times: the times of
 * the group. COMPILE carries struct variants. */
struct group_request {
    struct input input;
    uint32_t count; /* number of points; the counters' names follow them, each with a NUL */
    bool solo;
    bool compile;
    bool energy;
    struct sampling sampling;
    struct task_point points[];
};

/* Writes a whole message; ERROR_SYSTEM if the other side is gone. */
bool message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                  struct error *e);

/* Appends the bytes of a message, for a pipe that must not block. */
void message_append(struct text *out, enum message_type type, const void *payload, uint32_t length);

/* The same for reports: an emit_report() whose context is the pipe, an int. */
bool message_send_report(void *pipe, const struct report *r, struct error *e);

/* The report in a valid REPORT; it points into the message. */
struct report message_report(const struct message *m);

/* How waiting for a message ended. */
enum received {
    RECEIVED_MESSAGE,
    RECEIVED_TIMEOUT,
    RECEIVED_END,       /* the other side is gone */
    RECEIVED_INTERRUPT, /* a signal came */
    RECEIVED_MALFORMED  /* only from supervisor_receive() */
};

/*
 * Waits up to `timeout_ms` (−1: for ever) for a message. The payload is the caller's:
 * message_free(). RECEIVED_END also for an impossible header, and for a message that is incomplete
 * after a minute.
 */
enum received message_receive(int fd, int timeout_ms, struct message *out);
void message_free(struct message *m);

/* The beginning of a message that is still incomplete; all zero: nothing has come. */
struct incoming {
    uint32_t head[2]; /* the header: type and length */
    size_t got;       /* bytes, the header's included */
    char *payload;
    double since_s; /* when it began */
};

/*
 * The same without waiting for the rest of a message: RECEIVED_TIMEOUT also if only a part came,
 * which `in` keeps for the next call. The caller's; incoming_free() while a message may be in it.
 */
enum received message_receive_part(int fd, int timeout_ms, struct incoming *in,
                                   struct message *out);
void incoming_free(struct incoming *in);

/* The latest request to the worker, by which its messages are judged. */
struct asked {
    enum message_type type; /* type of the request; 0: none yet, it has just begun */
    int counter_count;      /* GROUP: how many values REPORT_COUNTS has … */
    uint32_t first, count;  /* … and which points may be reported: these (COMPILE: variants), */
    const bool *done;       /* except where this is set */
};

/*
 * Whether a working worker could have sent this now: its type answers the request, its length fits,
 * its texts end, and its points are those requested. The worker's memory may be damaged.
 */
bool message_valid(const struct message *m, const struct asked *asked);

#endif
