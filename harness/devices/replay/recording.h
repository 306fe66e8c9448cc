/* Reads the results of an earlier run, so that its times can be reused. Finds the recorded row of a
 * point by the point's id, and draws times at random from the recorded samples. Used only in this
 * folder. */
#ifndef REDSWEEP_DEVICES_REPLAY_RECORDING_H
#define REDSWEEP_DEVICES_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/manifest.h"

struct recorded_point {
    uint64_t id;
    char *problem; /* why the point has no times, or NULL if it has times */
    /* recorded times in µs: the shortest, the lower end of the median's 95 % confidence interval,
     * the median, the upper end of the interval, and the longest */
    double us[5];
    /* for each us[i], the share of the point's samples that were shorter */
    double share[5];
    /* the point's range in recording.samples; sample_count is 0 if the run has no samples.csv */
    size_t first_sample, sample_count;
    uint64_t drawn; /* how many times have been drawn for this point */
};

struct recording {
    char *folder;
    struct recorded_point *points; /* sorted by id */
    size_t count;
    /* all recorded samples in µs, with those of a point next to each other; NULL if none were
     * recorded */
    double *samples;
    double step_us; /* the smallest difference between two recorded times in µs, or 0 if unknown */
    uint64_t seed;
    bool has_manifest;
    struct manifest manifest;
    char device[64];
    /* the recorded device's multiprocessors; −1 if neither the manifest nor the grid sizes tell */
    int64_t multiprocessors;
};

/*
 * Reads the folder of a run. `path` is the folder or its results.csv. Fails with ERROR_CONFIG if
 * there is no run, if it has no times, or if it has two rows for the same point. After a failure,
 * `out` need not be freed.
 */
bool recording_read(const char *path, uint64_t seed, struct recording *out, struct error *e);
void recording_free(struct recording *r);

/* Returns the point with this id, or NULL if the run has no row for it. */
struct recorded_point *recording_find(const struct recording *r, uint64_t id);

/*
 * Returns a random time in µs for the point p, one of its recorded samples. If no samples were
 * recorded, the time comes from a distribution that interpolates linearly between the times in
 * p->us, and is rounded to a multiple of step_us. The k-th time drawn for a point depends only on
 * the seed, the point and k.
 */
double recording_draw(const struct recording *r, struct recorded_point *p);

#endif
