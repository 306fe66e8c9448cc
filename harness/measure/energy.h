/*
 * Energy of trials: the device's counter over blocks of a second and more, in which one trial runs
 * again and again.
 *
 * A trial is prepared before each launch, as it is when it is timed: a cold trial flushes the
 * caches, which takes most of the energy if n is small. The preparation alone therefore has blocks
 * as well, and the result is the difference per trial of two blocks of the same pass. A pass is a
 * block of each trial and of each preparation; every second pass has them in the opposite order
 * (ABBA), so that a drift of the device, such as its temperature, adds equally to all.
 *
 * The counter steps every 20 to 100 ms. A block therefore begins and ends at a step, which is
 * looked for every ENERGY_LOOK_S; that is the uncertainty of each end, and trials are counted from
 * step to step. The remaining errors differ between blocks, and are part of the interval.
 */
#ifndef REDSWEEP_MEASURE_ENERGY_H
#define REDSWEEP_MEASURE_ENERGY_H

#include "measure/group.h"

enum {
    ENERGY_PASSES = 6,     /* the fewest from which a median has a 95 % interval */
    ENERGY_FINALISTS = 10, /* points of a group whose energy may be measured */
    ENERGY_LIMIT_S = 1800  /* of all blocks of a run, predicted */
};
#define ENERGY_SETTLE_S 0.1 /* of the same work before a block may begin */
#define ENERGY_LOOK_S 0.005 /* between two readings while a step is awaited */
#define ENERGY_STUCK_S 2.0  /* without a step: the counter does not count */

/* The result of one trial: uJ per trial, one value per pass. */
struct energy {
    double uj[ENERGY_PASSES];
    bool failed; /* its launches fail because of `why`; there are no values */
    struct error why;
};

/*
 * Called before block `trial` of a pass (POINT_BATCH: one of a preparation), and often while it
 * runs; false ends all.
 */
typedef bool energy_tell(void *context, uint32_t trial, struct error *e);

/*
 * Measures `count` trials in blocks of `block_s` seconds. A trial that fails costs itself only,
 * unless the device is lost. False when that or the counter failed, when tell() said no, or when
 * *b->stop was set; there are no values then. *counter_failed: the energy is not available, but
 * the device can go on.
 */
bool energy_measure(const struct bench *b, const struct trial *trials, uint32_t count,
                    double block_s, energy_tell *tell, void *context, struct energy *out,
                    bool *counter_failed, struct error *e);

/* Why a device that cannot meter has no energy. */
const char *energy_missing(const struct device_info *info);

/* About how long that takes, in s, if `preparations` of the trials' preparations differ. */
double energy_estimate_s(uint64_t trials, uint64_t preparations, double block_s);

#endif
