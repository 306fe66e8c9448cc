/*
 * A subject is a point while it is measured: its code, its launches, and its results so far.
 * Private to this folder:
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
    BUFFER_GUARD_BYTES = 4096 /* after each buffer; reading it makes a result wrong */
};

struct subject {
    uint32_t index; /* the point's index in reports */
    const struct point *point;
    const struct variant *variant;
    const struct kernel *kernel;
    struct shape shape;
    struct reference reference;
    struct module *module;
    struct module_info module_info;
    /* Each placement of the buffers has its own launches. Element [0] is the zeroing launch (see
     * zeroing_timed); the others begin at [1]. */
    struct launch launches[PLACEMENTS_MAX][SUBJECT_MAX_LAUNCHES];
    int launch_count;           /* how many launches there are without [0] */
    bool zeroing_timed;         /* launches[0], which zeroes the output, is part of the time */
    struct block_sample sample; /* which of the kernel's blocks to execute; empty: all */
    struct buffer result;       /* where the output is after the last launch */
    uint64_t result_elements;   /* how many elements the result has */
    size_t result_size;         /* bytes per element */
    bool finished;              /* the elements are results, not accumulators */
    /* The elements contain bytes that no kernel writes, so hashes of equal results differ. */
    bool padded;
    double depth; /* the longest chain of operations, including the second pass */
    struct outcome outcome;
    bool active; /* the point is not finished */
    /* What is wrong with a result that is counted nevertheless, or NULL. */
    const char *wrong;
    bool reported;
    double *samples; /* in µs */
    /* How many samples were taken, and how many of them reported. */
    size_t sample_count, sent_count;
    bool timed_twice; /* the point is timed again, because a throttle was active at first */
    int warmup_left;
    uint64_t trials_queued; /* how many trials were timed, including warm-up */
    double device_s;        /* the device time that the point has used */
};

/* One group while it is measured. */
struct group_run {
    struct bench *bench;
    const struct group_task *task;
    emit_report *emit;
    void *context; /* the first argument of emit */
    struct input input;
    struct subject *subjects;
    uint32_t count;
    bool solo;      /* whether each point is timed and counted alone */
    int placements; /* how many elements the next four arrays have */
    /* The input of all kernels that do not change it. */
    struct buffer pristine[PLACEMENTS_MAX];
    /* The input of in-place kernels, regenerated before every launch. */
    struct buffer scratch[PLACEMENTS_MAX];
    struct buffer output[PLACEMENTS_MAX];
    /* Scratch memory, zeroed before every launch. */
    struct buffer workspace[PLACEMENTS_MAX];
    struct buffer total; /* the second pass's single value */
    struct buffer second_workspace;
    bool watch_guards;   /* read the guards after each launch */
    struct module *zero; /* zeroes outputs if that is part of the time */
    struct module *second_pass;
    const struct kernel *second_pass_kernel;
};

/* From subject.c. */
bool group_prepare(struct group_run *s, struct error *e);
void group_release(struct group_run *s, bool device_lost);
struct work subject_work(const struct group_run *s, const struct subject *subject);
enum trial_purpose { TRIAL_UNTIMED, TRIAL_TIMED };
/* Makes a trial of the point on this placement's buffers. Launches outside the timing use placement
 * 0. */
struct trial subject_trial(const struct group_run *s, const struct subject *subject,
                           enum trial_purpose purpose, int placement);
/*
 * Reports that the point is next, or that its result was correct. POINT_BATCH means several points.
 */
bool report_event(struct group_run *s, enum report_type type, uint32_t point, struct error *e);
bool report_values(struct group_run *s, enum report_type type, uint32_t point, const double *values,
                   size_t count, struct error *e);
/* Sets and reports the point's final status. Returns false only if the report is not accepted. */
bool subject_finish(struct group_run *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e);

/* Records the hash of one launch's result (base/bits.h). 0 means that it is unknown. */
void subject_take_bits(struct subject *subject, uint64_t bits);

/* From check.c. */
bool group_check(struct group_run *s, struct error *e);

/* From sampled_check.c. Checks the output of the executed blocks. Sets *right, and writes the
 * reason to `why` if the output is wrong. */
bool sampled_check(struct group_run *s, struct subject *subject, char why[256], bool *right,
                   struct error *e);

/* From rounds.c. */
bool group_time(struct group_run *s, struct error *e);
/* Returns whether the median's 95 % interval is at most `relative_width` times the median wide. */
bool subject_is_narrow(const struct subject *subject, double relative_width);

/* Returns whether the point takes part in the rounds. */
static inline bool subject_is_timed(const struct subject *subject)
{
    return subject->active && subject->outcome.stopped_by[0] == '\0';
}

/*
 * From racing.c. racing_rung() returns the number of samples at which points next leave the race,
 * after `passed` rungs, or 0 if no more will leave. racing_is_due() returns whether all points have
 * `rung` samples. racing_drop() removes the worst points with outcome_lost_race().
 */
int racing_rung(const struct group_run *s, int passed);
bool racing_is_due(const struct group_run *s, int rung);
void racing_drop(struct group_run *s);
/* Returns how many samples each point needs before a race may be decided, or 0 if it never is. */
int racing_decided_from(const struct group_run *s);
/* Returns whether more samples would hardly change the order of the remaining points: the relative
 * width of each point's interval is at most timing.relative_width. */
bool racing_decided(const struct group_run *s);

/* From energy_group.c. */
bool group_energy(struct group_run *s, struct error *e);

/* From counts.c. */
bool group_count(struct group_run *s, struct error *e);

/* Counts one subject before others are timed. If the device is lost, *lost receives the error, as
 * in a check. Other errors end the group. */
bool group_count_one(struct group_run *s, uint32_t i, struct error *lost, struct error *e);

#endif
