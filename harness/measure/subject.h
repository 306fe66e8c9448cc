/*
 * A subject is a point while it is measured: its code, its launches, and its results so far. Shared
 * by the files of this room only.
 *
 *   group.c    the order of things for one group
 *   subject.c  preparing points: images, shapes, launches; and the group's memory
 *   check.c    the first launch, and whether its result is right
 *   sampled_check.c   the same where only some blocks were executed
 *   rounds.c   timing in interleaved rounds
 *   racing.c   which points leave the rounds early
 *   energy.c   energy of blocks of launches; energy_group.c: of a group's points
 *   counts.c   counters, in batches
 */
#ifndef REDSWEEP_MEASURE_SUBJECT_H
#define REDSWEEP_MEASURE_SUBJECT_H

#include "measure/group.h"

enum {
    SUBJECT_MAX_LAUNCHES = 3, /* zeroing the output, the kernel, the second pass */
    BUFFER_GUARD_BYTES = 4096 /* after each buffer: reads there show as wrong results */
};

struct subject {
    uint32_t index; /* of the point in reports */
    const struct point *point;
    const struct variant *variant;
    const struct kernel *kernel;
    struct shape shape;
    struct reference reference;
    struct module *module;
    struct module_info module_info;
    /* One entry per placement of the buffers; from [1] on; [0]: see zeroing_timed */
    struct launch launches[PLACEMENTS_MAX][SUBJECT_MAX_LAUNCHES];
    int launch_count;           /* without [0] */
    bool zeroing_timed;         /* zeroing its output is part of its time: launches[0] does it */
    struct block_sample sample; /* of the kernel's blocks; none: all are executed */
    struct buffer result;       /* location of the output after the last launch */
    uint64_t result_elements;   /* how many */
    size_t result_size;         /* bytes of each */
    bool finished;              /* they are results, not accumulators */
    bool padded;                /* they have bytes that nobody writes, so no two hashes are equal */
    double depth;               /* longest chain of operations, second passes included */
    struct outcome outcome;
    bool active;       /* not finished yet */
    const char *wrong; /* the error in its result, if it is counted nevertheless; else NULL */
    bool reported;
    double *samples;                 /* µs */
    size_t sample_count, sent_count; /* samples taken; those of them that were reported */
    bool timed_twice;                /* the first time was under a throttle */
    int warmup_left;
    uint64_t trials_queued; /* timed ones, warm-up included */
    double device_s;        /* device time spent on it */
};

struct group_run { /* one group while it is measured */
    struct bench *bench;
    const struct group_task *task;
    emit_report *emit;
    void *context; /* of emit */
    struct input input;
    struct subject *subjects;
    uint32_t count;
    bool solo;      /* each point is timed and counted alone */
    int placements; /* number of placements of the kernels' buffers: of the next four arrays */
    struct buffer pristine[PLACEMENTS_MAX]; /* the input; kernels that do not change it share it */
    struct buffer scratch[PLACEMENTS_MAX];  /* the input of in-place kernels, regenerated before
                                               every launch */
    struct buffer output[PLACEMENTS_MAX];
    struct buffer workspace[PLACEMENTS_MAX]; /* scratch memory, zeroed before every launch */
    struct buffer total;                     /* the one value of the second pass */
    struct buffer second_workspace;
    bool watch_guards;   /* read them after each launch */
    struct module *zero; /* sets outputs to zero where that is part of the time */
    struct module *second_pass;
    const struct kernel *second_pass_kernel;
};

/* subject.c */
bool group_prepare(struct group_run *s, struct error *e);
void group_release(struct group_run *s, bool device_lost);
struct work subject_work(const struct group_run *s, const struct subject *subject);
enum trial_purpose { TRIAL_UNTIMED, TRIAL_TIMED };
/* A launch of the point on the buffers of this placement; 0 for all launches outside the time. */
struct trial subject_trial(const struct group_run *s, const struct subject *subject,
                           enum trial_purpose purpose, int placement);
/* Reports that this point (POINT_BATCH: several) is next, or that its result was right. */
bool report_event(struct group_run *s, enum report_type type, uint32_t point, struct error *e);
bool report_values(struct group_run *s, enum report_type type, uint32_t point, const double *values,
                   size_t count, struct error *e);
/* Sets the point's final status and reports it; returns false only if the report is not
 * accepted. */
bool subject_finish(struct group_run *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e);

/* The hash of one launch's result (base/bits.h); 0: unknown. */
void subject_take_bits(struct subject *subject, uint64_t bits);

/* check.c */
bool group_check(struct group_run *s, struct error *e);

/* sampled_check.c: the output of the blocks that were executed. As workload->check(). */
bool sampled_check(struct group_run *s, struct subject *subject, char why[256], bool *right,
                   struct error *e);

/* rounds.c */
bool group_time(struct group_run *s, struct error *e);
/* Whether the 95 % interval of its median is at most this share of the median wide. */
bool subject_is_narrow(const struct subject *subject, double relative_width);

/* Whether the point takes part in the rounds. */
static inline bool subject_is_timed(const struct subject *subject)
{
    return subject->active && subject->outcome.stopped_by[0] == '\0';
}

/* racing.c: the number of samples at which points leave next, after this many rungs; 0: none will
 * leave. Whether all points have this many. Removes the worst points: outcome_lost_race(). */
int racing_rung(const struct group_run *s, int passed);
bool racing_is_due(const struct group_run *s, int rung);
void racing_drop(struct group_run *s);
/* The number of samples per point from which a race may be decided; 0: never. */
int racing_decided_from(const struct group_run *s);
/* Whether more samples would hardly change the order of the remaining points: the interval of each
 * is at most timing.relative_width. */
bool racing_decided(const struct group_run *s);

/* energy_group.c */
bool group_energy(struct group_run *s, struct error *e);

/* counts.c */
bool group_count(struct group_run *s, struct error *e);

/* The same for one subject, before others are timed. A lost device is reported in `*lost`, as by a check;
 * other errors end the group. */
bool group_count_one(struct group_run *s, uint32_t i, struct error *lost, struct error *e);

#endif
