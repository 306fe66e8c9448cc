/* Uses a recorded run as a source of times. A recording finds the row of a point by the point's id,
 * and draws times from its samples. Only this folder uses this file. */
#ifndef REDSWEEP_DEVICES_REPLAY_RECORDING_H
#define REDSWEEP_DEVICES_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/manifest.h"

struct recorded_point {
    uint64_t id;
    char *problem; /* the reason why the point has no times, or NULL if it has times */
    /* These times in µs are the shortest time, the lower end of the median's 95 % interval, the
     * median, the upper end of this interval, and the longest time. */
    double us[5];
    double share[5];                   /* the share of the times below each of them */
    size_t first_sample, sample_count; /* `sample_count` is 0 if the run has no samples.csv. */
    uint64_t drawn;                    /* the number of times drawn for this point so far */
};

struct recording {
    char *folder;
    struct recorded_point *points; /* sorted by id */
    size_t count;
    /* The samples are in µs, and those of a point are contiguous. The array is NULL if no samples
     * were recorded. */
    double *samples;
    double step_us; /* the step of the clock that measured the samples, or 0 if it is unknown */
    uint64_t seed;
    bool has_manifest;
    struct manifest manifest;
    char device[64];
    int64_t multiprocessors; /* −1 if neither the manifest nor the grids determine it */
};

/*
 * Reads the folder of a run, or its results.csv. Fails with ERROR_CONFIG for a folder that is not a
 * run, for a run without times, and if two rows belong to one point. If the function fails, it
 * frees the recording.
 */
bool recording_read(const char *path, uint64_t seed, struct recording *out, struct error *e);
void recording_free(struct recording *r);

/* Returns the point with this id, or NULL if the run has no row for it. */
struct recorded_point *recording_find(const struct recording *r, uint64_t id);

/*
 * Returns the next time of a point in µs. If the point has samples, one of them is drawn with
 * replacement. Otherwise, the time is drawn from a distribution. The quantiles of this distribution
 * are the recorded shortest time, the median with its interval, and the longest time. The
 * distribution is linear between these quantiles, and each time is a multiple of the clock's step.
 * The k-th draw depends only on the seed, the point and k.
 */
double recording_draw(const struct recording *r, struct recorded_point *p);

#endif
