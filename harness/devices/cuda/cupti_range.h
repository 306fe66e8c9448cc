/*
 * Wraps CUPTI's Range Profiler. counters.h explains ranges and passes. The profiler leaves what it
 * has recorded about each range in an image, a block of memory whose format only CUPTI knows.
 *
 * This driver uses user ranges and user replay. That is, it tells CUPTI where each range begins and
 * ends, and repeats all ranges itself until all passes are done. It starts and stops the profiler
 * once per pass.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/cuda/counters.h"
#include "devices/cuda/cupti_host.h"

/* The most ranges between starting and stopping the profiler. More would not save time, and each
 * range takes about 64 kB of the image. */
enum { RANGES_PER_PASS = 512 };

struct range_session {
    const struct counter_chip *chip;
    CUcontext context;
    /* NULL while the profiler does not hold the device's counters */
    CUpti_RangeProfiler_Object *profiler;
    uint8_t *image;     /* what CUPTI has recorded about the ranges */
    size_t image_bytes; /* the allocated size */
    /* the part in use: its size for `capacity` ranges and the current set of counters */
    size_t image_size;
    /* the number of ranges that fit into image_size; 0 if image_size is unknown for the current
     * set */
    int capacity;
    /* true if `profiler` was asked for an image size, which is possible only once */
    bool sized;
    struct counters_cost cost;
};

/* the arguments of one call to counters_measure() */
struct range_job {
    const struct counter_set *set;
    int range_count;
    counters_step *prepare, *launch;
    void *context;
    double *values;
};

/* Acquires the device's counters and releases them again, to find out whether that works. */
bool range_session_try(struct range_session *s, struct error *e);

/* Marks the image size as unknown. Call this when the set of counters changes. */
void range_session_forget(struct range_session *s);

bool range_session_measure(struct range_session *s, const struct range_job *job, struct error *e);
void range_session_close(struct range_session *s);

#endif
