/*
 * A subject is one point while it is measured: its code, its launches, what was found so far.
 * Shared by the files of this room only.
 *
 *   group.c    the order of things for one group
 *   subject.c  preparing points: images, shapes, launches; and the group's memory
 *   check.c    the first launch, and whether its result is right
 *   rounds.c   timing in interleaved rounds
 *   counts.c   counters, in batches
 */
#ifndef REDSWEEP_MEASURE_SUBJECT_H
#define REDSWEEP_MEASURE_SUBJECT_H

#include "measure/group.h"

enum {
    SUBJECT_MAX_LAUNCHES = 2, /* the kernel, then the second pass */
    GUARD_BYTES = 4096        /* behind each buffer: reads there show as wrong results */
};

struct subject {
    uint32_t index; /* of the point in the plan */
    const struct point *point;
    const struct kernel *kernel;
    struct shape shape;
    struct reference reference;
    struct module *module;
    struct module_info module_info;
    struct launch launches[SUBJECT_MAX_LAUNCHES];
    int launch_count;
    struct buffer result;     /* where the output lies after the last launch */
    uint64_t result_elements; /* how many */
    double depth;             /* longest chain of operations, second passes included */
    struct outcome outcome;
    bool active; /* still to be measured */
    bool reported;
    double *samples;                 /* µs */
    size_t sample_count, sent_count; /* taken; of which handed to the sink */
    int repeat;       /* launches per sample; 0: to be chosen when the warm-up has shown its time */
    bool timed_twice; /* the first time was under a throttle */
    int warmup_left;
    double device_s; /* device time spent on it */
};

struct session { /* one group while it is measured */
    struct bench *bench;
    const struct sink *sink;
    struct input input;
    struct subject *subjects;
    uint32_t count;
    struct buffer pristine;  /* the input; kernels that leave it alone share it */
    struct buffer scratch;   /* the input of in-place kernels, made anew before every launch */
    struct buffer output[2]; /* the kernels', and the second pass's one value */
    struct buffer workspace;
    struct buffer second_workspace;
    bool watch_guards; /* read them after each launch */
    struct module *second_pass;
    const struct kernel *second_pass_kernel;
};

/* subject.c */
bool session_prepare(struct session *s, struct error *e);
void session_release(struct session *s, bool device_lost);
struct work subject_work(const struct session *s, const struct subject *subject);
struct trial subject_trial(const struct session *s, const struct subject *subject);
/*
 * Whether its launches may follow each other without anything between them: the input stays as it
 * is, the workspace is left as it was found, and the caches are warm (a second launch is never
 * cold).
 */
bool subject_may_repeat(const struct session *s, const struct subject *subject);
/* Gives the point its final status and reports it; false only when the sink is gone. */
bool subject_finish(struct session *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e);

/* check.c */
bool session_check(struct session *s, struct error *e);

/* rounds.c */
bool session_time(struct session *s, bool solo, struct error *e);

/* counts.c */
bool session_count(struct session *s, bool solo, struct error *e);
bool report_counts(struct session *s, struct subject *subject, const double *counters,
                   struct error *e);

#endif
