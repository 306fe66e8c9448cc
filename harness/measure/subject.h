/*
 * A subject is a point while it is measured: its code, its launches, and its results so far. A
 * trial is one execution of its launches (devices/device.h). Private to this folder, which consists
 * of these steps:
 *
 *   group.c           runs all steps for one group
 *   subject.c         prepares points (images, shapes, launches) and the group's memory
 *   check.c           launches each point for the first time and checks its result
 *   sampled_check.c   checks results if only some blocks were executed
 *   rounds.c          times points in interleaved rounds
 *   racing.c          decides which slow points are not timed further
 *   energy.c          measures the energy of blocks of launches
 *   energy_group.c    measures the energy of a group's points
 *   counts.c          reads the hardware counters of several points at once
 */
#ifndef REDSWEEP_MEASURE_SUBJECT_H
#define REDSWEEP_MEASURE_SUBJECT_H

#include "measure/group.h"

enum {
    SUBJECT_MAX_LAUNCHES = 3, /* zeroing the output, the kernel, and the second pass */
    /* The size of the guard, the memory after each buffer. If a kernel reads it, its result is
     * wrong. */
    BUFFER_GUARD_BYTES = 4096
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
    /* The launches for each placement, that is, for each set of buffers. Element [0] of a placement
     * is the launch that zeroes the output (see zeroing_timed); the other launches begin at [1]. */
    struct launch launches[PLACEMENTS_MAX][SUBJECT_MAX_LAUNCHES];
    int launch_count;           /* the number of launches, not counting [0] */
    bool zeroing_timed;         /* launches[0], which zeroes the output, is part of the time */
    struct block_sample sample; /* which of the kernel's blocks to execute; empty: all blocks */
    struct buffer result;       /* where the output is after the last launch */
    uint64_t result_elements;   /* how many elements the result has */
    size_t result_size;         /* bytes per element */
    bool finished;              /* the result's elements are final values, not accumulators */
    /* The result's elements contain padding that no kernel writes, so equal results can have
     * different hashes. */
    bool padded;
    double depth; /* the longest chain of operations, including the second pass */
    struct outcome outcome;
    bool active; /* the point still has to be measured */
    /* What is wrong with the result, if the point's counters are read in spite of it; otherwise
     * NULL. */
    const char *wrong;
    bool reported;
    double *samples; /* in µs */
    /* How many samples were taken, and how many of these were reported. */
    size_t sample_count, sent_count;
    bool timed_twice;       /* the point is timed a second time, because the device was throttled */
    int warmup_left;        /* how many launches are left before the first sample */
    uint64_t trials_queued; /* how many trials were timed, including those for warm-up */
    double device_s;        /* the device time in seconds that the point has used */
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
    bool solo;      /* each point is timed and counted alone */
    int placements; /* the number of sets of buffers, the elements used in the next four arrays */
    /* The input of all kernels that do not change it. */
    struct buffer pristine[PLACEMENTS_MAX];
    /* The input of in-place kernels, regenerated before every launch. */
    struct buffer scratch[PLACEMENTS_MAX];
    struct buffer output[PLACEMENTS_MAX];
    /* Scratch memory, zeroed before every launch. */
    struct buffer workspace[PLACEMENTS_MAX];
    struct buffer total; /* the single value that the second pass writes */
    struct buffer second_workspace;
    bool watch_guards;   /* check after each launch that no guard was written */
    struct module *zero; /* zeroes outputs if that is part of the time */
    struct module *second_pass;
    const struct kernel *second_pass_kernel;
};

/* From subject.c. */
bool group_prepare(struct group_run *s, struct error *e);
void group_release(struct group_run *s, bool device_lost);
struct work subject_work(const struct group_run *s, const struct subject *subject);
enum trial_purpose { TRIAL_UNTIMED, TRIAL_TIMED };
/* Makes a trial of the point on the buffers of this placement. Trials that are not timed use
 * placement 0. */
struct trial subject_trial(const struct group_run *s, const struct subject *subject,
                           enum trial_purpose purpose, int placement);
/*
 * Reports that the point begins (REPORT_BEGIN), or that its first result was correct
 * (REPORT_CHECKED). POINT_BATCH stands for several points.
 */
bool report_event(struct group_run *s, enum report_type type, uint32_t point, struct error *e);
bool report_values(struct group_run *s, enum report_type type, uint32_t point, const double *values,
                   size_t count, struct error *e);
/* Sets and reports the point's final status. Returns false only if emit() does. */
bool subject_finish(struct group_run *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e);

/* Records the hash of the result of one launch (base/bits.h). 0: the hash is unknown. */
void subject_take_bits(struct subject *subject, uint64_t bits);

/* From check.c. */
bool group_check(struct group_run *s, struct error *e);

/* From sampled_check.c. Checks the output of the blocks that were executed. Sets *right to whether
 * it is correct; if it is not, writes why to `why`. */
bool sampled_check(struct group_run *s, struct subject *subject, char why[256], bool *right,
                   struct error *e);

/* From rounds.c. */
bool group_time(struct group_run *s, struct error *e);
/* Returns whether the width of the median's 95 % confidence interval is at most `relative_width`
 * times the median. */
bool subject_is_narrow(const struct subject *subject, double relative_width);

/* Returns whether the point is still being timed. */
static inline bool subject_is_timed(const struct subject *subject)
{
    return subject->active && subject->outcome.stopped_by[0] == '\0';
}

/*
 * From racing.c. In a race, the slowest points are dropped after each of several numbers of
 * samples, the rungs (strategies.def).
 *
 * racing_rung() returns the next rung after `passed` rungs, or 0 if no more points will be dropped.
 * racing_is_due() returns whether all points have `rung` samples. racing_drop() drops the slowest
 * points and calls outcome_lost_race() for them.
 */
int racing_rung(const struct group_run *s, int passed);
bool racing_is_due(const struct group_run *s, int rung);
void racing_drop(struct group_run *s);
/* Returns how many samples each point needs before racing_decided() may return true, or 0 if that
 * function always returns false. */
int racing_decided_from(const struct group_run *s);
/* Returns whether more samples would hardly change the order of the remaining points, because the
 * confidence interval of each is narrow: subject_is_narrow() for timing.relative_width. */
bool racing_decided(const struct group_run *s);

/* From energy_group.c. */
bool group_energy(struct group_run *s, struct error *e);

/* From counts.c. */
bool group_count(struct group_run *s, struct error *e);

/* Reads the counters of subject i before other subjects are timed. If this loses the device, sets
 * *lost to the error, as in a check. Other errors end the group. */
bool group_count_one(struct group_run *s, uint32_t i, struct error *lost, struct error *e);

#endif
