/*
 * Measures the energy of trials by reading the device's energy counter over blocks of at least one
 * second, in which the same trial runs again and again.
 *
 * Each launch is prepared as for timing. A cold trial flushes the caches, which takes most of the
 * energy if n is small, so the preparation is also measured alone, in its own blocks. A pass
 * contains one block for each trial and each preparation. A trial's result is the energy per trial
 * in its block, minus the energy per preparation in the preparation's block. Every second pass runs
 * in reverse order (ABBA), so that device drift, such as in temperature, affects all blocks
 * equally.
 *
 * The counter steps every 20 to 100 ms, so a block begins and ends at a step. While waiting for
 * one, the counter is read every ENERGY_LOOK_S seconds; each end of the block is uncertain by that
 * interval. Trials are counted from step to step. The remaining errors vary from block to block, so
 * the confidence interval includes them.
 */
#ifndef REDSWEEP_MEASURE_ENERGY_H
#define REDSWEEP_MEASURE_ENERGY_H

#include "measure/group.h"

enum {
    /* A 95 % interval of the median takes at least this many passes. */
    ENERGY_PASSES = 6,
    ENERGY_FINALISTS = 10, /* at most this many points of a group have their energy measured */
    ENERGY_LIMIT_S = 1800  /* the maximum predicted duration of all blocks of a run */
};
#define ENERGY_SETTLE_S 0.1 /* how long a block's work runs before the block may begin */
#define ENERGY_LOOK_S 0.005 /* between two readings while waiting for a step */
#define ENERGY_STUCK_S 2.0  /* without a step for this long, the counter is stuck */

/* One trial's energy in uJ, with one value per pass. */
struct energy {
    double uj[ENERGY_PASSES];
    bool failed; /* its launches failed for the reason in `why`; there are no values */
    struct error why;
};

/*
 * Called before each block and often while it runs. `trial` is the trial's index, or POINT_BATCH
 * for a preparation. Returning false ends the measurement.
 */
typedef bool energy_tell(void *context, uint32_t trial, struct error *e);

/*
 * Measures `count` trials in blocks of `block_s` seconds. If a trial fails, only its own values are
 * missing, unless the device is lost. Returns false and no values if the device is lost, the
 * counter fails, tell() returns false, or *b->stop is set. *counter_failed means that energy is not
 * available but the device still works.
 */
bool energy_measure(const struct bench *b, const struct trial *trials, uint32_t count,
                    double block_s, energy_tell *tell, void *context, struct energy *out,
                    bool *counter_failed, struct error *e);

/* Returns why a device cannot measure energy. */
const char *energy_missing(const struct device_info *info);

/* Estimates how long energy_measure() takes, in seconds, for trials with `preparations` different
 * preparations. */
double energy_estimate_s(uint64_t trials, uint64_t preparations, double block_s);

#endif
