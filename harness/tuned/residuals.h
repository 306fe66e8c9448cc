/*
 * Estimates by how much the fitted times of row-wise configurations are off near a shape. Private
 * to this folder.
 *
 * The terms of a kernel's time (model.h) describe how the time changes with the shape as a whole.
 * They miss other effects, such as those of caches, or of the registers that the compiler used.
 * These effects are similar at nearby shapes, and for configurations that differ in just one
 * setting. The estimate is therefore a smoothed mean of the errors at nearby shapes. First, the
 * errors of all of the kernel's configurations are averaged. Then the deviations of the
 * configuration's own errors from this average are averaged. Where few times were measured nearby,
 * the estimate is near 0. The library reads the estimate from a grid.
 */
#ifndef REDSWEEP_TUNED_RESIDUALS_H
#define REDSWEEP_TUNED_RESIDUALS_H

#include "tuned/model.h"

/* A place on the plane of rows and row lengths. */
struct residual_place {
    double log_rows, log_length; /* to base 2 */
    /*
     * Whether rows are whole packs of 16 bytes. If they are not, kernels read the ends of rows
     * separately.
     */
    bool packs;
};

struct residual_place residual_place_of(const struct tuned_range *range,
                                        const struct config_shape *at);

/*
 * By how much a range's fit is off for one measured time, and for which shape. `off` is the
 * logarithm of a time ratio.
 */
struct residual_sample {
    const struct tuned_range *range;
    struct residual_place place;
    double off, weight;
};

/* Returns the error of the fit for one measured time. The range's model must have been fitted. */
struct residual_sample residual_sample_of(const struct tuned_range *range,
                                          const struct model_sample *sample,
                                          struct residual_place place);

/* Computes a range's grid from the samples of all configurations of its kernel. Their times must
 * have been fitted. */
void residuals_fit(struct tuned_range *range, const struct residual_sample *samples, size_t count);

/* Returns the expected time in µs at a shape: the fitted time, corrected by the error nearby.
 * Returns NaN if an expression in the kernel's facts fails there. */
double expected_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
