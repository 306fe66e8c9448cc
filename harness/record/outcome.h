/* An outcome is a point's status and everything else that a run adds to the point. */
#ifndef REDSWEEP_RECORD_OUTCOME_H
#define REDSWEEP_RECORD_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/health.h"

enum status {
    STATUS_OK,
    STATUS_SAMPLED, /* only some blocks ran, correctly; counts are for the whole grid */
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
/* Returns whether the measurement succeeded, with the status ok or sampled. */
static inline bool status_is_good(enum status s)
{
    return s == STATUS_OK || s == STATUS_SAMPLED;
}
const char *status_name(enum status s); /* returns "ok", "wrong", "compile_error" and so on */
bool status_find(const char *name, enum status *s);

/* The text of the column `bits` if launches on the same input gave different results. */
#define RECORD_VARIES "varies"

/* Part of the reason if a kernel's results differ between launches, although its facts promise that
 * they do not. */
#define RECORD_BITS_BROKEN                                                                         \
    "launches on the same input gave different bits, and the kernel's facts do not say "           \
    "'varies: yes'"

/* Everything that a run adds to a point. Missing numbers are NaN (doubles) or −1 (counts). */
struct outcome {
    enum status status;
    unsigned flags; /* enum row_flag (record/flags.h) */
    /* Why the status is not ok, or why metrics are missing. May be "". */
    char reason[1024];
    int64_t grid, dynamic_smem, static_smem, registers, workspace;
    const double *samples; /* samples in µs, in the order in which they were taken */
    size_t sample_count;
    /* What ended the sampling: "width", "samples", "budget", "signal", "raced" or "". */
    char stopped_by[16];
    char result[RESULT_TEXT];
    double rel_error;
    uint64_t bits; /* the hash of all results of a launch (base/bits.h); 0 if it is unknown */
    bool varies;   /* launches on the same input gave different bits */
    /*
     * The number of buffer sets, or placements. Sample k used placement k modulo this number. −1 if
     * the point was not timed.
     */
    int64_t placements;
    /* How long it took to compile the kernel, in this run or in the earlier run that compiled it.
     * NaN if redsweep did not compile the kernel. */
    double compile_ms;
    uint64_t code; /* the hash of the executed instructions (image_code()); 0 if it is unknown */
    /* The median energy of one timed launch in microjoules, and its 95 % interval. NaN if energy
     * was not measured. */
    double energy_uj;
    double energy_uj_ci95_lo, energy_uj_ci95_hi;
    /* The share of the blocks that the simulator executed. NaN if all blocks were executed. */
    double sampled_share;
    const double *metrics; /* one value per metric of the run; NaN if it is missing */
    struct device_health health;
};

/* Sets all members to missing and the status to ok. */
void outcome_clear(struct outcome *o);

/*
 * Records that a search dropped the point as too slow after few samples: sets the flag `raced` and
 * `stopped_by`. The median's confidence interval may still be wide.
 */
void outcome_lost_race(struct outcome *o);

/* Appends text to the reason, after "; " if the reason is not empty. Truncates long text. */
void outcome_add_reason(struct outcome *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
