/*
 * Measures one group. Its points share an input and are loaded, checked, timed in interleaved
 * rounds, and counted together.
 *
 * Results are reported immediately through one callback. REPORT_BEGIN is reported before a point
 * uses the device, so that a parent process knows which point is at fault if this process dies. A
 * batch of several points begins with POINT_BATCH. If the batch fails, it is unknown which point is
 * at fault, and the group is measured again one point at a time (`solo`).
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
    /* The point uses the device next. POINT_BATCH stands for several points. */
    REPORT_BEGIN = 1,
    /* The result of the point's first launch was right, so the device works. */
    REPORT_CHECKED,
    /* The report contains samples in µs, in the order in which they were taken. There may be
     * several such reports per point. A report without samples invalidates the earlier ones. */
    REPORT_SAMPLES,
    REPORT_COUNTS, /* one value per counter of the task; NaN if it is missing */
    REPORT_DONE,   /* the outcome of the point, which is the last report about it */
    REPORT_TYPES
};

struct report {
    enum report_type type;
    uint32_t point;       /* the index of the point: see struct task_point */
    uint32_t count;       /* the number of values; only for SAMPLES and COUNTS */
    const double *values; /* the values, which are borrowed */
    /* The outcome is borrowed. It is set only for DONE, without its samples and metrics. */
    const struct outcome *outcome;
};

/* Receives one report. Returns false if the receiver is gone; the measurement then stops with the
 * error. */
typedef bool emit_report(void *context, const struct report *r, struct error *e);

/* A point to measure and its variant. It is plain data, so that it can be sent to another
 * process. */
struct task_point {
    uint32_t index; /* the index of the point in reports */
    struct point point;
    /* The point's variant. The index point.variant has no meaning here. */
    struct variant variant;
};

/* These are limits on the samples of a task's points, in addition to struct config_timing. */
struct sampling {
    int rungs[SEARCH_RUNGS_MAX]; /* the rungs of a race in ascending order (racing.c) */
    int rung_count;              /* the number of rungs; 0 if there is no race */
    /* The same values as in struct config_search. They apply to points that race. */
    int keep_one_in, keep_min;
    /* Each point gets this many samples, regardless of the config's timing. If it is 0, the timing
     * of the config applies. */
    int samples;
    /* racing_decided() may return true when each point has this many samples. The value 0 means
     * timing.min_samples. */
    int decided_from;
};

/* Sets the sampling of racing points to what the config requests. */
void sampling_race(const struct config_search *search, struct sampling *out);

/* A task contains the points to measure. All pointers are borrowed. */
struct group_task {
    const struct task_point *points; /* the points, all of one group (plan.h) */
    uint32_t count;
    struct input input; /* the input of these points: see plan_input() */
    const char *const *counters;
    int counter_count;
    bool solo; /* whether each point is timed and counted alone */
    struct sampling sampling;
    /* This is true if the energy of the points is also measured, in blocks of timing.energy_s. */
    bool energy;
    /* This is true if the variants of the points are not in the cache yet. They are then compiled
     * together first. */
    bool compile;
};

/* The bench is the environment of all measurements. Everything except modules and
 * pool is borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    const struct config_timing *timing;
    bool count_wrong; /* the value of the config's key `count_wrong` */
    /* The kernels under test. Points refer to them by index. */
    const struct catalogue *catalogue;
    /* The harness's own kernels, such as the second pass. */
    const struct catalogue *support;
    int threads; /* the number of threads for compiling and for computing references */
    /* If this pointer is not NULL and its target becomes nonzero, the timing of a group ends
     * immediately. */
    const volatile sig_atomic_t *stop;
    struct modules *modules;   /* the loaded kernels (modules.h); initially NULL */
    struct buffer_pool *pool;  /* the memory and the references (buffer_pool.h); initially NULL */
    struct phase_times phases; /* the durations of the phases; the caller may reset them to 0 */
};

/*
 * Measures the points of a group. If a point fails, its outcome says so, and the function
 * continues. The function fails only if measuring cannot continue. There are four reasons: the
 * device is lost, a report is not accepted, a failure cannot be attributed to one point, or
 * *bench->stop is set before each point has timing.min_samples samples. A failure cannot be
 * attributed if the group's memory cannot be allocated, a batch of trials fails, or no process can
 * be started for compiling. Points without REPORT_DONE have no outcome after a failure; they get
 * one when they are measured one at a time.
 */
bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e);

/* Returns the status of a point for which the device returned this error. */
enum status status_of_error(const struct error *e);

#endif
