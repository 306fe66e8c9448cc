/* A recorded run as a source of times: finds a point's row by id and draws times from its samples.
 * Private to this folder. */
#ifndef REDSWEEP_DEVICES_REPLAY_RECORDING_H
#define REDSWEEP_DEVICES_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/manifest.h"

struct recorded_point {
    uint64_t id;
    char *problem; /* why the point has no times, or NULL if it has some */
    /* in µs: the shortest time, the lower end of the median's 95 % interval, the median, the
     * interval's upper end, the longest time */
    double us[5];
    double share[5];                   /* the share of the times below each of them */
    size_t first_sample, sample_count; /* sample_count is 0 without samples.csv */
    uint64_t drawn;                    /* times drawn for this point so far */
};

struct recording {
    char *folder;
    struct recorded_point *points; /* sorted by id */
    size_t count;
    /* in µs, contiguous for each point; NULL if no samples were recorded */
    double *samples;
    double step_us; /* the clock step of the samples, or 0 if unknown */
    uint64_t seed;
    bool has_manifest;
    struct manifest manifest;
    char device[64];
    int64_t multiprocessors; /* −1 if neither the manifest nor the grids determine it */
};

/*
 * Reads a run folder, or its results.csv. Fails with ERROR_CONFIG if the folder is not a run, has
 * no times, or has two rows for one point. Frees the recording on failure.
 */
bool recording_read(const char *path, uint64_t seed, struct recording *out, struct error *e);
void recording_free(struct recording *r);

/* Returns the point with this id, or NULL if the run has no row for it. */
struct recorded_point *recording_find(const struct recording *r, uint64_t id);

/*
 * Returns a point's next time in µs, drawn from its samples with replacement. Without samples,
 * draws from a distribution that interpolates linearly between the recorded shortest time, the
 * median with its interval, and the longest time, rounded to the clock step. The k-th draw depends
 * only on the seed, the point and k.
 */
double recording_draw(const struct recording *r, struct recorded_point *p);

#endif
