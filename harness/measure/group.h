/*
 * Measures one group of points that share an input. The points are loaded, checked, timed in
 * interleaved rounds, and counted (their hardware counters are read) together.
 *
 * Each result is reported as soon as it is known, through one callback. REPORT_BEGIN is sent before
 * a point uses the device, so that a parent process knows which point is at fault if this process
 * dies. Before several points use the device in one batch, it has the index POINT_BATCH. If a batch
 * fails, any of its points may be at fault, and the group is measured again one point at a time
 * (`solo`).
 */
#ifndef REDSWEEP_MEASURE_GROUP_H
#define REDSWEEP_MEASURE_GROUP_H

#include <signal.h>

#include "devices/device.h"
#include "plan/plan.h"
#include "record/conditions.h"
#include "record/outcome.h"

#define POINT_BATCH UINT32_MAX

enum report_type {
    /* The point uses the device next. POINT_BATCH: several points. */
    REPORT_BEGIN = 1,
    /* The point's first launch gave the correct result, so the device works. */
    REPORT_CHECKED,
    /* Samples in µs, in the order in which they were taken. A point may have several such reports.
     * A report without samples invalidates the point's earlier samples. */
    REPORT_SAMPLES,
    REPORT_COUNTS, /* one value per counter in the task; NaN if it is missing */
    REPORT_DONE,   /* the point's outcome, the last report about it */
    REPORT_TYPES
};

struct report {
    enum report_type type;
    uint32_t point;       /* the point's index: see struct task_point */
    uint32_t count;       /* the number of values, for SAMPLES and COUNTS */
    const double *values; /* borrowed */
    /* Borrowed. Only for DONE, without samples and metrics. */
    const struct outcome *outcome;
};

/* Receives one report. Returns false if the receiver is gone; measuring then stops with the
 * error. */
typedef bool emit_report(void *context, const struct report *r, struct error *e);

/* A point to measure and its variant. Contains no pointers, so that it can be sent to another
 * process. */
struct task_point {
    uint32_t index; /* the point's index in reports */
    struct point point;
    /* point.variant, an index, is meaningless here. */
    struct variant variant;
};

/* Limits on the samples of a task's points, in addition to struct config_timing. */
struct sampling {
    /*
     * The numbers of samples after which the slowest points leave the race (racing.c), ascending.
     */
    int rungs[SEARCH_RUNGS_MAX];
    int rung_count; /* 0 if there is no race */
    /* How many points stay in the race after each rung: see strategies.def. */
    int keep_one_in, keep_min;
    /* Each point gets this many samples, regardless of the config's timing. 0: the config's timing
     * applies. */
    int samples;
    /* The race may be decided early (racing_decided()) once each point has this many samples. 0:
     * timing.min_samples. */
    int decided_from;
};

/* Sets the members of `out` for a race, as the config's search keys say. */
void sampling_race(const struct config_search *search, struct sampling *out);

/* The points to measure. All pointers are borrowed. */
struct group_task {
    const struct task_point *points; /* all of one group (plan.h) */
    uint32_t count;
    struct input input; /* the points' input (plan_input()) */
    const char *const *counters;
    int counter_count;
    bool solo; /* whether each point is timed and counted alone */
    struct sampling sampling;
    /* Whether to measure the points' energy, in blocks of timing.energy_s seconds. */
    bool energy;
    /* Whether to compile the points' variants before anything else, all at once. Used if they are
     * not in the cache. */
    bool compile;
};

/* The device and everything else that all measurements use. All pointers except modules and pool
 * are borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    const struct config_timing *timing;
    bool count_wrong; /* the config's key `count_wrong` */
    /* The kernels under test. Points refer to them by index. */
    const struct catalogue *catalogue;
    /* The harness's own kernels, such as the second pass, which combines the results of blocks. */
    const struct catalogue *support;
    int threads; /* threads for compiling and for computing references */
    /* If not NULL, timing ends immediately when this becomes nonzero. */
    const volatile sig_atomic_t *stop;
    struct modules *modules;   /* loaded kernels (modules.h); initially NULL */
    struct buffer_pool *pool;  /* memory and references (buffer_pool.h); initially NULL */
    struct phase_times phases; /* the caller may reset them to 0 */
};

/*
 * Measures a group's points. If a point fails, its outcome says so, and the other points are still
 * measured. Fails only if
 *
 *   - the device is lost,
 *   - `emit` returns false,
 *   - *bench->stop is set before each point has timing.min_samples samples, or
 *   - something fails that cannot be attributed to one point: the allocation of the group's memory,
 *     a batch of trials, or the start of a process for compiling.
 *
 * After such a failure, points for which REPORT_DONE was not sent have no outcome. They can be
 * measured again one at a time.
 */
bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e);

/* Returns the status that a point gets if the device returns this error. */
enum status status_of_error(const struct error *e);

#endif
