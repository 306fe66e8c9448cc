/*
 * Measures one group, whose points share an input. They are loaded, checked, timed in interleaved
 * rounds, and counted together.
 *
 * Results are reported at once through one callback. REPORT_BEGIN comes before a point uses the
 * device, so that a parent process knows which point is at fault if this process dies. A batch of
 * several points begins with POINT_BATCH. If it fails, any of them may be at fault, and the group
 * is measured again one point at a time (`solo`).
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
     * One without samples invalidates the earlier ones. */
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

/* A point to measure and its variant. Plain data, so that it can be sent to another process. */
struct task_point {
    uint32_t index; /* the point's index in reports */
    struct point point;
    /* point.variant, an index, is meaningless here. */
    struct variant variant;
};

/* Limits on the samples of a task's points, in addition to struct config_timing. */
struct sampling {
    /* after how many samples points leave the race (racing.c), ascending */
    int rungs[SEARCH_RUNGS_MAX];
    int rung_count; /* 0 if there is no race */
    /* As in struct config_search, for points that race. */
    int keep_one_in, keep_min;
    /* Each point gets this many samples, regardless of the config's timing. 0: the config's timing
     * applies. */
    int samples;
    /* racing_decided() may return true once each point has this many samples. 0:
     * timing.min_samples. */
    int decided_from;
};

/* Takes the rules for sampling racing points from the config. */
void sampling_race(const struct config_search *search, struct sampling *out);

/* The points to measure. All pointers are borrowed. */
struct group_task {
    const struct task_point *points; /* all of one group (plan.h) */
    uint32_t count;
    struct input input; /* their input: see plan_input() */
    const char *const *counters;
    int counter_count;
    bool solo; /* whether each point is timed and counted alone */
    struct sampling sampling;
    /* Whether to measure the points' energy too, in blocks of timing.energy_s. */
    bool energy;
    /* Whether to compile the points' variants together first, because they are not in the cache. */
    bool compile;
};

/* What all measurements share. Everything except modules and pool is borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    const struct config_timing *timing;
    bool count_wrong; /* the config's key `count_wrong` */
    /* The kernels under test, to which points refer by index. */
    const struct catalogue *catalogue;
    /* The harness's own kernels, such as the second pass. */
    const struct catalogue *support;
    int threads; /* threads for compiling and for computing references */
    /* If not NULL, timing ends immediately when this becomes nonzero. */
    const volatile sig_atomic_t *stop;
    struct modules *modules;   /* loaded kernels (modules.h); initially NULL */
    struct buffer_pool *pool;  /* memory and references (buffer_pool.h); initially NULL */
    struct phase_times phases; /* the caller may reset them to 0 */
};

/*
 * Measures a group's points. If a point fails, its outcome says so, and the others go on. Fails
 * only if measuring cannot go on: the device is lost, a report is not accepted, a failure cannot be
 * attributed to one point, or *bench->stop is set before each point has timing.min_samples samples.
 * A failure cannot be attributed if the group's memory cannot be allocated, a batch of trials
 * fails, or no process can be started for compiling. Points without REPORT_DONE have no outcome
 * after a failure; measuring them one at a time gives them one.
 */
bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e);

/* Returns the status of a point for which the device returned this error. */
enum status status_of_error(const struct error *e);

#endif
