/*
 * Wraps CUPTI's Range Profiler, which runs each range once per pass and leaves its records in an
 * image.
 *
 * This driver uses user ranges and user replay: it marks where each range begins and ends, and
 * repeats everything until all passes are done. All ranges of a pass share one start and stop.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/cuda/counters.h"
#include "devices/cuda/cupti_host.h"

/* the most ranges between one start and stop; more would save no time, and each takes about 64 kB
 * of the image */
enum { RANGES_PER_PASS = 512 };

struct range_session {
    const struct counter_chip *chip;
    CUcontext context;
    /* NULL while the profiler does not hold the device's counters */
    CUpti_RangeProfiler_Object *profiler;
    uint8_t *image;     /* the records of the ranges */
    size_t image_bytes; /* the allocated size */
    size_t image_size;  /* the size in use, for `capacity` ranges of the current set */
    int capacity;       /* 0 if the size for the current set is unknown */
    bool sized;         /* true if the profiler object was asked for a size */
    struct counters_cost cost;
};

/* one call to counters_measure() */
struct range_job {
    const struct counter_set *set;
    int range_count;
    counters_step *prepare, *launch;
    void *context;
    double *values;
};

/* Acquires and releases the device's counters to see whether that works. */
bool range_session_try(struct range_session *s, struct error *e);

/* Discards the image size after the counter set has changed. */
void range_session_forget(struct range_session *s);

bool range_session_measure(struct range_session *s, const struct range_job *job, struct error *e);
void range_session_close(struct range_session *s);

#endif
