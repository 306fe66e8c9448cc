/*
 * What the fitted times of configurations by rows leave: how far those that were measured are off near a shape. Private to
 * this room.
 *
 * The terms of a kernel's time (model.h) tell how it changes with the shape as a whole. What they miss, such as the caches' part
 * or the registers that the compiler took, is much the same at shapes nearby and for configurations that differ in one
 * setting, so that it is a smoothed mean over these: first over all configurations of the kernel, then of what that leaves over
 * the configuration's own times. With few times nearby it is near 0. A call reads it from a grid.
 */
#ifndef REDSWEEP_TUNED_RESIDUALS_H
#define REDSWEEP_TUNED_RESIDUALS_H

#include "tuned/model.h"

/* Where on the plane of rows and row lengths. */
struct residual_place {
    double log_rows, log_length; /* to base 2 */
    bool packs; /* rows are whole packs of 16 bytes; else kernels read their ends in another way */
};

struct residual_place residual_place_of(const struct tuned_range *range,
                                        const struct config_shape *at);

/* How far a time is off its range's fit, as a logarithm, and where. */
struct residual_sample {
    const struct tuned_range *range;
    struct residual_place place;
    double off, weight;
};

/* The range's model has been fitted. */
struct residual_sample residual_sample_of(const struct tuned_range *range,
                                          const struct model_sample *sample,
                                          struct residual_place place);

/* The grid of a range, from the samples of all configurations of its kernel; their times have been fitted. */
void residuals_fit(struct tuned_range *range, const struct residual_sample *samples, size_t count);

/* The time that is expected at a shape, µs: the fitted one, and what it is off nearby. NaN: its facts fail there. */
double expected_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
