/*
 * Measuring one group: its points share an input, and are loaded, checked, timed in interleaved
 * rounds, and counted together.
 *
 * Results are reported immediately, through one callback. REPORT_BEGIN is emitted before a point
 * uses the device, so that a parent can blame the right point if the process dies. A batch of many
 * points begins with POINT_BATCH: if it fails, no single point is known to be at fault, and the
 * group is measured again one point at a time (`solo`).
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
    REPORT_BEGIN = 1, /* the point (POINT_BATCH: several) is the next to use the device */
    REPORT_CHECKED,   /* its first launch was right: the device works */
    REPORT_SAMPLES,   /* µs in the order taken; several per point. None: those so far are void */
    REPORT_COUNTS,    /* one value per counter of the task; NaN: missing */
    REPORT_DONE,      /* its outcome; this is the last report about the point */
    REPORT_TYPES
};

struct report {
    enum report_type type;
    uint32_t point;                /* as numbered by struct task_point */
    uint32_t count;                /* number of values; only for SAMPLES and COUNTS */
    const double *values;          /* borrowed, as is the outcome */
    const struct outcome *outcome; /* only for DONE; its samples and metrics are not set */
};

/* Receives one report; returns false if the receiver is gone: measuring then stops with the
 * error. */
typedef bool emit_report(void *context, const struct report *r, struct error *e);

/* A point to measure and its variant: plain data, so that it can be sent. */
struct task_point {
    uint32_t index; /* the number of the point in reports */
    struct point point;
    struct variant variant; /* the point's; its number in the plan has no meaning here */
};

/* Limits on the samples of a task's points, beyond struct config_timing. */
struct sampling {
    int rungs[SEARCH_RUNGS_MAX]; /* racing.c; ascending */
    int rung_count;              /* 0: no racing */
    int keep_one_in, keep_min;   /* for points that race; as in struct config_search */
    int samples;                 /* this many, whatever the timing says; 0: as it says */
    int decided_from;            /* racing_decided() may return true from this many samples each; 0:
                                    from timing.min_samples */
};

/* The sampling of points that race, from the config. */
void sampling_race(const struct config_search *search, struct sampling *out);

/* The points to measure; everything is borrowed. */
struct group_task {
    const struct task_point *points; /* of one group (plan.h) */
    uint32_t count;
    struct input input; /* theirs: plan_input() */
    const char *const *counters;
    int counter_count;
    bool solo; /* time and count each point alone */
    struct sampling sampling;
    bool energy;  /* measure their energy as well, in blocks of timing.energy_s */
    bool compile; /* the points' variants are not in the cache yet: compile them together first */
};

/* The environment of measuring; everything but modules and pool is borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    const struct config_timing *timing;
    bool count_wrong;                  /* as the config says */
    const struct catalogue *catalogue; /* the kernels under test, as numbered by struct point */
    const struct catalogue *support;   /* the harness's own kernels, for the second pass */
    int threads;                       /* for compilation and references */
    const volatile sig_atomic_t *stop; /* not 0: end the timing of a group now; NULL: never */
    struct modules *modules;           /* loaded kernels: modules.h; starts as NULL */
    struct buffer_pool *pool;          /* memory and references: buffer_pool.h; starts as NULL */
    struct phase_times phases;         /* durations of the phases; the caller may reset them to 0 */
};

/*
 * Measures a group's points. A failure of a point is stored in its outcome. The function fails only if measuring cannot
 * continue: the device is lost, reports are not accepted, the failure is not that of one point (memory for the group, a
 * batch of trials, a process to compile in), or *bench->stop is set before all points have timing.min_samples. Points
 * without REPORT_DONE then have no outcome yet; they get one when they are measured one by one.
 */
bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e);

/* The status of a point that follows from an error of the device. */
enum status status_of_error(const struct error *e);

#endif
