/*
 * A recorded run as a source of times: its rows by the points' ids, and draws from their samples.
 * Private to this room.
 */
#ifndef REDSWEEP_DEVICES_REPLAY_RECORDING_H
#define REDSWEEP_DEVICES_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/manifest.h"

struct recorded_point {
    uint64_t id;
    char *problem;   /* why it has no times; NULL: it has times */
    double us[5];    /* µs: shortest time, median's 95 % interval with the median in it, longest */
    double share[5]; /* share of the times below each of them */
    size_t first_sample, sample_count; /* count 0: the run has no samples.csv */
    uint64_t drawn;                    /* how many samples of it were drawn */
};

struct recording {
    char *folder;
    struct recorded_point *points; /* ascending by id */
    size_t count;
    double *samples; /* µs, those of a point side by side; NULL: none were recorded */
    double step_us;  /* step of the clock that took them; 0 if unknown */
    uint64_t seed;
    bool has_manifest;
    struct manifest manifest;
    char device[64];
    int64_t multiprocessors; /* −1: neither the manifest nor the grids tell */
};

/*
 * Reads a run's folder, or its results.csv. ERROR_CONFIG for a folder that is not a run, for a run
 * without times, and for two rows of one point. The recording is freed also when this fails.
 */
bool recording_read(const char *path, uint64_t seed, struct recording *out, struct error *e);
void recording_free(struct recording *r);

/* The point with this id; NULL if the run has no row for it. */
struct recorded_point *recording_find(const struct recording *r, uint64_t id);

/*
 * The point's next time, µs: one of its samples, drawn with replacement. Without samples: a draw
 * from the distribution that has the recorded shortest and longest time, median and interval as its
 * quantiles, linear in between, on the clock's steps. The k-th draw depends only on seed, point and
 * k.
 */
double recording_draw(const struct recording *r, struct recorded_point *p);

#endif
