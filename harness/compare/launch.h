/*
 * What two runs' times may differ by though their kernels take the same.
 *
 * Each run is measured in a context of its own, in which launches take as long as its memory lies,
 * always the same. A run chooses the best of several by a tiny launch, which leaves a part of their
 * differences: six runs of one config on an H200, 4 to 8 us a point, were off by 0.02 us (standard
 * deviation), by 0.06 at most, where contexts differ by 0.2. And a median of times that go in steps
 * is no finer than a step. So a difference counts from here on: one step of the coarser clock, and
 * a quarter of what contexts differ by, or the distance of the chosen ones, if that is more. What
 * tiny launches took is among a run's conditions ("launch").
 */
#ifndef REDSWEEP_COMPARE_LAUNCH_H
#define REDSWEEP_COMPARE_LAUNCH_H

#include "compare/results.h"

struct launch_margin {
    double step_us;    /* of the clock */
    double context_us; /* of contexts */
};

/* Parts that a run does not tell are 0. */
struct launch_margin launch_margin(const struct results *a, const struct results *b);

#endif
