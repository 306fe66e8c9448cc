/*
 * Measuring one group: its points share an input, and are loaded, checked, timed in interleaved
 * rounds, and counted together.
 *
 * What is found is reported as it is found, through one function. Before a point touches the device
 * REPORT_BEGIN is emitted; a parent can then blame the right point when the process dies. A batch
 * of many points begins with POINT_BATCH: no point in particular is to blame, and the group is
 * measured again one point at a time (`solo`).
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
    REPORT_BEGIN = 1, /* the point (POINT_BATCH: several) is the next to touch the device */
    REPORT_CHECKED,   /* its first launch was right: the device works */
    REPORT_SAMPLES,   /* µs in the order taken; several per point. None: those so far are void */
    REPORT_COUNTS,    /* one value per counter of the task; NaN: missing */
    REPORT_DONE,      /* its outcome; nothing more comes about this point */
    REPORT_TYPES
};

struct report {
    enum report_type type;
    uint32_t point;                /* as struct task_point numbers it */
    uint32_t count;                /* of values; only for SAMPLES and COUNTS */
    const double *values;          /* borrowed, as is the outcome */
    const struct outcome *outcome; /* only for DONE; its samples and metrics are not set */
};

/* Takes one report; false when the receiver is gone: measuring then stops with the error. */
typedef bool emit_report(void *context, const struct report *r, struct error *e);

/* One point to measure and what is compiled for it: plain data, so that it can be sent. */
struct task_point {
    uint32_t index; /* the number of the point in reports */
    struct point point;
    struct variant variant; /* the point's; its number in the plan says nothing here */
};

/* How many samples the points of a task get, besides what struct config_timing says. */
struct sampling {
    int rungs[SEARCH_RUNGS_MAX]; /* racing.c; ascending */
    int rung_count;              /* 0: no racing */
    int keep_one_in, keep_min;   /* of the points that race; as in struct config_search */
    int samples;                 /* so many, whatever the timing says; 0: as it says */
    int decided_from;            /* racing_decided() may hold from so many samples each; 0: from
                                    timing.min_samples */
};

/* That of points that race, as the config says. */
void sampling_race(const struct config_search *search, struct sampling *out);

/* What is to be measured; all of it borrowed. */
struct group_task {
    const struct task_point *points; /* of one group (plan.h) */
    uint32_t count;
    struct input input; /* theirs: plan_input() */
    const char *const *counters;
    int counter_count;
    bool solo; /* time and count each point alone */
    struct sampling sampling;
    bool energy;  /* measure their energy, too, in blocks of timing.energy_s */
    bool compile; /* what the points need is not in the cache yet: compile it together first */
};

/* What measuring needs; all but modules and pool is borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    const struct config_timing *timing;
    bool count_wrong;                  /* as the config says */
    const struct catalogue *catalogue; /* the kernels under test: struct point numbers them */
    const struct catalogue *support;   /* the harness's own kernels, for the second pass */
    int threads;                       /* for compilation and references */
    const volatile sig_atomic_t *stop; /* not 0: end the timing of a group now; NULL: never */
    struct modules *modules;           /* loaded kernels: modules.h; starts as NULL */
    struct buffer_pool *pool;          /* memory and references: buffer_pool.h; starts as NULL */
    struct phase_times phases;         /* where the time went; the caller may set it back to 0 */
};

/*
 * Measures a group's points. A failure of a point ends up in its outcome; the function fails only
 * when measuring cannot continue: the device is lost, reports are not accepted, or what failed is
 * not one point's alone (memory for the group, a batch of trials, a process to compile in), or when *bench->stop is set
 * before all points have timing.min_samples. Points that are not reported done then have no outcome
 * yet; measured one by one they come to one.
 */
bool measure_group(struct bench *b, const struct group_task *task, emit_report *emit, void *context,
                   struct error *e);

/* The status that an error of the device means for the point that met it. */
enum status status_of_error(const struct error *e);

#endif
