/*
 * Measures the energy of trials. The device's energy counter is read over blocks of at least one
 * second, in which the same trial runs again and again.
 *
 * Each launch is prepared in the same way as for timing. A cold trial flushes the caches, which
 * takes most of the energy if n is small. The preparation is therefore also measured alone, in its
 * own blocks. In each pass, the result is the energy per trial in the trial's block, minus the
 * energy per preparation in the preparation's block. A pass contains one block for each trial and
 * each preparation. Every second pass runs them in the opposite order (ABBA), so that a drift of
 * the device, for example of its temperature, affects all of them equally.
 *
 * The counter steps every 20 to 100 ms. A block therefore begins and ends at a step. While a step
 * is awaited, the counter is read every ENERGY_LOOK_S seconds. This interval is the uncertainty of
 * each end of the block. Trials are counted from step to step. The remaining errors vary from block
 * to block, so the confidence interval includes them.
 */
#ifndef REDSWEEP_MEASURE_ENERGY_H
#define REDSWEEP_MEASURE_ENERGY_H

#include "measure/group.h"

enum {
    /* A 95 % interval of the median needs at least this many passes. */
    ENERGY_PASSES = 6,
    ENERGY_FINALISTS = 10, /* the maximum number of points of a group whose energy is measured */
    ENERGY_LIMIT_S = 1800  /* the maximum predicted duration of all blocks of a run */
};
#define ENERGY_SETTLE_S 0.1 /* how long the work of a block runs before the block may begin */
#define ENERGY_LOOK_S 0.005 /* the time between two readings while a step is awaited */
#define ENERGY_STUCK_S 2.0  /* after this time without a step, the counter is treated as stuck */

/* The result of one trial: its energy in uJ, with one value per pass. */
struct energy {
    double uj[ENERGY_PASSES];
    bool failed; /* whether its launches failed, for the reason in `why`; it then has no values */
    struct error why;
};

/*
 * This callback is called before each block and often while the block runs. `trial` is the index of
 * the trial, or POINT_BATCH for a preparation. If the callback returns false, the measurement ends.
 */
typedef bool energy_tell(void *context, uint32_t trial, struct error *e);

/*
 * Measures `count` trials in blocks of `block_s` seconds. If a trial fails, only its own values are
 * missing, unless the device is lost. Returns false and gives no values if the device is lost, the
 * counter fails, tell() returns false, or *b->stop is set. If *counter_failed is true, the energy
 * is not available, but the device still works.
 */
bool energy_measure(const struct bench *b, const struct trial *trials, uint32_t count,
                    double block_s, energy_tell *tell, void *context, struct energy *out,
                    bool *counter_failed, struct error *e);

/* Returns the reason why a device cannot measure energy. */
const char *energy_missing(const struct device_info *info);

/* Estimates how long energy_measure() takes, in seconds, if the trials have `preparations`
 * different preparations. */
double energy_estimate_s(uint64_t trials, uint64_t preparations, double block_s);

#endif
