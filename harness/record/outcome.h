/*
 * The result of a point: its status, and everything that a run adds to it.
 */
#ifndef REDSWEEP_RECORD_OUTCOME_H
#define REDSWEEP_RECORD_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/health.h"

enum status {
    STATUS_OK,
    STATUS_SAMPLED, /* some blocks were executed and were right; the counts are the whole grid's */
    STATUS_WRONG,
    STATUS_COMPILE_ERROR,
    STATUS_LAUNCH_ERROR,
    STATUS_TIMEOUT,
    STATUS_OOM,
    STATUS_CRASHED,
    STATUS_UNSUPPORTED,
    STATUS_SKIPPED,
    STATUS_COUNT
};
extern const char *const status_names[];
/* Whether the measurement succeeded: ok or sampled. */
static inline bool status_is_good(enum status s)
{
    return s == STATUS_OK || s == STATUS_SAMPLED;
}
const char *status_name(enum status s); /* "ok", "wrong", "compile_error", … */
bool status_find(const char *name, enum status *s);

/* The cell `bits` of a row whose launches on the same input did not all give the same bits. */
#define RECORD_VARIES "varies"

/* In the reason of a row whose kernel breaks its promise. */
#define RECORD_BITS_BROKEN                                                                         \
    "launches on the same input gave different bits, and the kernel's facts do not say "           \
    "'varies: yes'"

/* Everything that a run adds to a point. Missing numbers are NaN (doubles) or −1 (counts). */
struct outcome {
    enum status status;
    unsigned flags;    /* FLAG_… (record/flags.h) that are known of it */
    char reason[1024]; /* why the status is not ok, or why metrics are missing; "" otherwise */
    int64_t grid, dynamic_smem, static_smem, registers, workspace;
    const double *samples; /* µs, in the order taken */
    size_t sample_count;
    char stopped_by
        [16]; /* what ended sampling: "width", "samples", "budget", "signal", "raced" or "" */
    char result[RESULT_TEXT];
    double rel_error;
    uint64_t bits;      /* hash of all results of a launch (base/bits.h); 0: not known */
    bool varies;        /* launches of the point on the same input gave different bits */
    int64_t placements; /* sample k is of the input at address k modulo this; -1: not timed */
    double compile_ms;  /* time to compile its kernel, whenever that was; NaN: not by us */
    uint64_t code;      /* hash of the instructions that ran (image_code()); 0: not known */
    double energy_uj;   /* of one run of what is timed, microjoules; NaN: not measured … */
    double energy_uj_ci95_lo, energy_uj_ci95_hi; /* … and the 95 % interval of that median */
    double sampled_share;  /* share of the blocks that were executed (simulator); NaN: all */
    const double *metrics; /* one per metric of the run; NaN: missing */
    struct device_health health;
};

/* Everything missing, status ok. */
void outcome_clear(struct outcome *o);

/*
 * The point lost a race when it had few samples: sets the flag `raced`, which is also what ended
 * its sampling. Its median has a wide interval, which was not narrowed because it did not matter.
 */
void outcome_lost_race(struct outcome *o);

/* Appends to the reason, after "; " if there is one already. Text that does not fit is cut off. */
void outcome_add_reason(struct outcome *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
