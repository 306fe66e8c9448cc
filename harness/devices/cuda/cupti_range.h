/*
 * CUPTI's Range Profiler: runs ranges once per pass and leaves their records in an image.
 *
 * User ranges and user replay: we mark the beginning and the end of a range, and repeat everything
 * until every pass is complete. All ranges of a pass share one start and stop.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/cuda/counters.h"
#include "devices/cuda/cupti_host.h"

/* Ranges per start and stop: more saves nothing, and each takes about 64 kB of the image. */
enum { RANGES_PER_PASS = 512 };

struct range_session {
    const struct counter_chip *chip;
    CUcontext context;
    CUpti_RangeProfiler_Object *profiler; /* NULL while the device's counters are not held */
    uint8_t *image;                       /* the ranges' records */
    size_t image_bytes;                   /* allocated */
    size_t image_size;                    /* in use: for `capacity` ranges of the current set */
    int capacity;                         /* 0: the size for the current set is unknown */
    bool sized;                           /* the profiler object was asked for a size */
    struct counters_cost cost;
};

/* One call of counters_measure(). */
struct range_job {
    const struct counter_set *set;
    int range_count;
    counters_step *prepare, *launch;
    void *context;
    double *values;
};

/* Takes the device's counters and releases them: finds out whether this is possible at all. */
bool range_session_try(struct range_session *s, struct error *e);

/* The set of counters has changed, so the known size of the image no longer holds. */
void range_session_forget(struct range_session *s);

bool range_session_measure(struct range_session *s, const struct range_job *job, struct error *e);
void range_session_close(struct range_session *s);

#endif
