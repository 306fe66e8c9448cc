/*
 * Measuring one group: its points share an input, and are loaded, checked, timed in interleaved
 * rounds, and counted together.
 *
 * What is found is handed to a sink as it is found. Before a point touches the device the sink
 * hears begin(); whoever supervises can then blame the right point when the process dies. A batch
 * of many points is begun with POINT_BATCH: nobody in particular is to blame, and the group is
 * measured again one point at a time (`solo`).
 */
#ifndef REDSWEEP_MEASURE_GROUP_H
#define REDSWEEP_MEASURE_GROUP_H

#include "devices/device.h"
#include "metrics/metrics.h"
#include "record/record.h"

#define POINT_BATCH UINT32_MAX

struct sink {
    void *context;
    /* Returns false when the other side is gone; measuring then stops with an error. */
    bool (*begin)(void *context, uint32_t point, struct error *e);
    /* The point's first launch was right: the device works. */
    bool (*checked)(void *context, uint32_t point, struct error *e);
    /* Samples of one point in the order taken, µs; may come in several calls. */
    bool (*samples)(void *context, uint32_t point, const double *us, size_t count, struct error *e);
    /* The point's metrics, one per metric of the run; NaN: missing. */
    bool (*metrics)(void *context, uint32_t point, const double *values, struct error *e);
    /* The point's outcome; its samples and metrics fields are not set. Ends the point. */
    bool (*done)(void *context, uint32_t point, const struct outcome *outcome, struct error *e);
};

/* What measuring needs; all but modules and kept is borrowed. */
struct bench {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    const struct plan *plan;
    const struct metric_plan *metrics;
    struct compiler *compiler;
    const struct catalogue *support; /* the harness's own kernels, for the second pass */
    int threads;                     /* for compilation and references */
    struct modules *modules;         /* loaded kernels: modules.h; starts as NULL */
    struct kept *kept;               /* memory and references: kept.h; starts as NULL */
    struct phase_times phases;       /* where the time went; the caller may set it back to 0 */
};

/*
 * Measures `count` points (indices into the plan) of one group. A failure of a point ends up in
 * its outcome; the function fails only when measuring cannot go on: the device is lost, the sink is
 * gone, or what failed is not one point's alone (memory for the group, a batch of trials). Points
 * that are not reported done then have no outcome yet; measured one by one they come to one.
 */
bool measure_group(struct bench *b, const uint32_t *points, uint32_t count, bool solo,
                   const struct sink *sink, struct error *e);

/* The status that an error of the device means for the point that met it. */
enum status status_of_error(const struct error *e);

#endif
