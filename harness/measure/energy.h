/*
 * Measures the energy of trials (one timed launch each) by reading the device's energy counter over
 * blocks of at least one second, in which the same trial runs again and again. Here, a block is a
 * period of time.
 *
 * Each launch is prepared as for timing. For cold caches, this preparation flushes the caches,
 * which takes most of the energy if n is small. So the preparation is also measured alone, in
 * blocks of its own. A pass contains one block for each trial and one for each different
 * preparation. A trial's result is the energy per trial in its block, minus the energy per
 * preparation in the block of its preparation. Every second pass runs in reverse order (ABBA), so
 * that a slow change of the device, such as of its temperature, affects all blocks equally.
 *
 * The value of the counter changes only every 20 to 100 ms, in steps, so a block begins and ends at
 * a step. To find a step, the counter is read every ENERGY_LOOK_S seconds; the beginning and the
 * end of a block are uncertain by that interval. Only the trials between these two steps are
 * counted. The remaining errors vary from block to block, so the confidence interval includes them.
 */
#ifndef REDSWEEP_MEASURE_ENERGY_H
#define REDSWEEP_MEASURE_ENERGY_H

#include "measure/group.h"

enum {
    /* The number of passes. A 95 % confidence interval of the median needs at least this many. */
    ENERGY_PASSES = 6,
    ENERGY_FINALISTS = 10, /* at most this many points of a group have their energy measured */
    ENERGY_LIMIT_S = 1800  /* the maximum predicted duration of a run's energy measurements */
};
#define ENERGY_SETTLE_S 0.1 /* how long a block's work runs before the block may begin */
#define ENERGY_LOOK_S 0.005 /* the interval between two readings while waiting for a step */
#define ENERGY_STUCK_S 2.0  /* if no step occurs for this long, the counter is considered stuck */

/* The energy of one trial in uJ, measured once per pass. */
struct energy {
    double uj[ENERGY_PASSES];
    bool failed; /* the trial's launches failed, so `uj` is not set; `why` is the reason */
    struct error why;
};

/*
 * Called before each block and often while it runs. `trial` is the trial's index, or POINT_BATCH
 * for a preparation. Returning false ends the measurement.
 */
typedef bool energy_tell(void *context, uint32_t trial, struct error *e);

/*
 * Measures `count` trials in blocks of `block_s` seconds. If a trial fails and the device still
 * works, only the values of that trial are missing. Returns false and no values if the device is
 * lost, the counter fails, tell() returns false, or *b->stop is set. Sets *counter_failed if the
 * counter fails but the device still works.
 */
bool energy_measure(const struct bench *b, const struct trial *trials, uint32_t count,
                    double block_s, energy_tell *tell, void *context, struct energy *out,
                    bool *counter_failed, struct error *e);

/* Returns why a device cannot measure energy, for messages. */
const char *energy_missing(const struct device_info *info);

/* Estimates how long energy_measure() takes, in seconds, for trials with `preparations` different
 * preparations. */
double energy_estimate_s(uint64_t trials, uint64_t preparations, double block_s);

#endif
