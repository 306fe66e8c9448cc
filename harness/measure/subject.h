/*
 * A subject is a point while it is measured: its code, its launches, and its results so far. Only
 * the files of this folder share this header:
 *
 *   group.c           runs all steps for one group
 *   subject.c         prepares points (images, shapes, launches) and the group's memory
 *   check.c           launches each point for the first time and checks its result
 *   sampled_check.c   checks results if only some blocks were executed
 *   rounds.c          times points in interleaved rounds
 *   racing.c          decides which points leave the rounds early
 *   energy.c          measures the energy of blocks of launches
 *   energy_group.c    measures the energy of a group's points
 *   counts.c          reads counters in batches
 */
#ifndef REDSWEEP_MEASURE_SUBJECT_H
#define REDSWEEP_MEASURE_SUBJECT_H

#include "measure/group.h"

enum {
    SUBJECT_MAX_LAUNCHES = 3, /* zeroing the output, the kernel, and the second pass */
    BUFFER_GUARD_BYTES = 4096 /* the guard after each buffer; reading it makes a result wrong */
};

struct subject {
    uint32_t index; /* the index of the point in reports */
    const struct point *point;
    const struct variant *variant;
    const struct kernel *kernel;
    struct shape shape;
    struct reference reference;
    struct module *module;
    struct module_info module_info;
    /* Each placement of the buffers has its own launches. Element [0] is the zeroing launch (see
     * zeroing_timed), and the other launches begin at [1]. */
    struct launch launches[PLACEMENTS_MAX][SUBJECT_MAX_LAUNCHES];
    int launch_count;   /* the number of launches, not counting [0] */
    bool zeroing_timed; /* whether launches[0], which zeroes the output, is part of the time */
    struct block_sample sample; /* the blocks of the kernel to execute; empty if all are executed */
    struct buffer result;       /* the location of the output after the last launch */
    uint64_t result_elements;   /* the number of elements of the result */
    size_t result_size;         /* the size of each element in bytes */
    bool finished;              /* whether the elements are results, not accumulators */
    /* This is true if the elements contain bytes that no kernel writes. Hashes of equal results
     * then differ. */
    bool padded;
    double depth; /* the longest chain of operations, including the second pass */
    struct outcome outcome;
    bool active; /* whether the point is not finished yet */
    /*
     * If the result is wrong but the point is counted nevertheless, this says what is wrong.
     * Otherwise it is NULL.
     */
    const char *wrong;
    bool reported;
    double *samples; /* the samples in µs */
    /* The number of samples taken, and the number of those already reported. */
    size_t sample_count, sent_count;
    bool timed_twice; /* whether the point is timed again, because a throttle was active at first */
    int warmup_left;
    uint64_t trials_queued; /* the number of timed trials, including warm-up */
    double device_s;        /* the device time that the point has used */
};

/* This is one group while it is measured. */
struct group_run {
    struct bench *bench;
    const struct group_task *task;
    emit_report *emit;
    void *context; /* the argument of emit */
    struct input input;
    struct subject *subjects;
    uint32_t count;
    bool solo;      /* whether each point is timed and counted alone */
    int placements; /* the number of elements in each of the next four arrays */
    /* All kernels that do not change their input share this input. */
    struct buffer pristine[PLACEMENTS_MAX];
    /* The input of in-place kernels, which is regenerated before every launch. */
    struct buffer scratch[PLACEMENTS_MAX];
    struct buffer output[PLACEMENTS_MAX];
    /* This is scratch memory, which is zeroed before every launch. */
    struct buffer workspace[PLACEMENTS_MAX];
    struct buffer total; /* the single value that the second pass computes */
    struct buffer second_workspace;
    bool watch_guards;   /* whether the guards are read after each launch */
    struct module *zero; /* the kernel that zeroes outputs if that is part of the time */
    struct module *second_pass;
    const struct kernel *second_pass_kernel;
};

/* subject.c defines these functions. */
bool group_prepare(struct group_run *s, struct error *e);
void group_release(struct group_run *s, bool device_lost);
struct work subject_work(const struct group_run *s, const struct subject *subject);
enum trial_purpose { TRIAL_UNTIMED, TRIAL_TIMED };
/* Makes a trial of the point on the buffers of this placement. Launches outside the timing use
 * placement 0. */
struct trial subject_trial(const struct group_run *s, const struct subject *subject,
                           enum trial_purpose purpose, int placement);
/*
 * Reports that the point is next, or that its result was right. POINT_BATCH means several points.
 */
bool report_event(struct group_run *s, enum report_type type, uint32_t point, struct error *e);
bool report_values(struct group_run *s, enum report_type type, uint32_t point, const double *values,
                   size_t count, struct error *e);
/* Sets the final status of the point and reports it. Returns false only if the report is not
 * accepted. */
bool subject_finish(struct group_run *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e);

/*
 * Records the hash of the result of one launch (base/bits.h). A hash of 0 means that it is unknown.
 */
void subject_take_bits(struct subject *subject, uint64_t bits);

/* check.c defines this function. */
bool group_check(struct group_run *s, struct error *e);

/* sampled_check.c checks the output of the executed blocks. It sets *right, and writes the reason
 * to `why` if the output is wrong. */
bool sampled_check(struct group_run *s, struct subject *subject, char why[256], bool *right,
                   struct error *e);

/* rounds.c defines this function. */
bool group_time(struct group_run *s, struct error *e);
/* Returns whether the width of the median's 95 % interval is at most `relative_width` times the
 * median. */
bool subject_is_narrow(const struct subject *subject, double relative_width);

/* Returns whether the point takes part in the rounds. */
static inline bool subject_is_timed(const struct subject *subject)
{
    return subject->active && subject->outcome.stopped_by[0] == '\0';
}

/*
 * racing.c defines these functions. racing_rung() returns the number of samples at which points
 * next leave the race, after `passed` rungs, or 0 if no more points will leave. racing_is_due()
 * returns whether all points have `rung` samples. racing_drop() removes the worst points with
 * outcome_lost_race().
 */
int racing_rung(const struct group_run *s, int passed);
bool racing_is_due(const struct group_run *s, int rung);
void racing_drop(struct group_run *s);
/* Returns the number of samples that each point needs before a race may be decided, or 0 if it is
 * never decided. */
int racing_decided_from(const struct group_run *s);
/* Returns whether more samples would hardly change the order of the remaining points. This is the
 * case if the relative width of each point's interval is at most timing.relative_width. */
bool racing_decided(const struct group_run *s);

/* energy_group.c defines this function. */
bool group_energy(struct group_run *s, struct error *e);

/* counts.c defines this function. */
bool group_count(struct group_run *s, struct error *e);

/* Counts one subject before others are timed. If the device is lost, *lost receives the error, as
 * it does in a check. Other errors end the group. */
bool group_count_one(struct group_run *s, uint32_t i, struct error *lost, struct error *e);

#endif
