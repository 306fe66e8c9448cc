/*
 * Estimates the errors of the fitted times of row-wise configurations near a shape. Only this
 * folder uses this file.
 *
 * The terms of a kernel's time (model.h) describe how the time changes with the shape as a whole.
 * They miss other effects, such as the effects of the caches, or of the registers that the compiler
 * used. These effects are similar at nearby shapes, and for configurations that differ in one
 * setting. The estimated error is therefore a smoothed mean of the errors at these shapes and for
 * these configurations. First, the errors of all configurations of the kernel are averaged. The
 * deviations from this average are then averaged over the configuration's own times. Where only few
 * times are nearby, the estimate is near 0. The library reads the estimate from a grid.
 */
#ifndef REDSWEEP_TUNED_RESIDUALS_H
#define REDSWEEP_TUNED_RESIDUALS_H

#include "tuned/model.h"

/* A place on the plane of rows and row lengths. */
struct residual_place {
    double log_rows, log_length; /* These are logarithms to base 2. */
    /* This is true if rows are whole packs of 16 bytes. Otherwise kernels read the ends of rows
     * differently. */
    bool packs;
};

struct residual_place residual_place_of(const struct tuned_range *range,
                                        const struct config_shape *at);

/* The error of a range's fit for one measured time, as a logarithm, and the place of that time. */
struct residual_sample {
    const struct tuned_range *range;
    struct residual_place place;
    double off, weight;
};

/* Returns the error of a sample. The model of the range must have been fitted. */
struct residual_sample residual_sample_of(const struct tuned_range *range,
                                          const struct model_sample *sample,
                                          struct residual_place place);

/* Computes the grid of a range from the samples of all configurations of its kernel. Their times
 * must have been fitted. */
void residuals_fit(struct tuned_range *range, const struct residual_sample *samples, size_t count);

/* Returns the time in µs that is expected at a shape. This is the fitted time, corrected by the
 * error nearby. It is NaN if an expression of the facts fails there. */
double expected_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
