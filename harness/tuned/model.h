/*
 * The time of a configuration of a kernel by rows or over an axis at a shape: a sum of the terms in the kernel's facts
 * (`cost`, `overlap`), each in microseconds as fitted to the measured times. Private to this room.
 *
 *   time = launch + costs + the fourth root of (bytes + rows)^4 + overlaps^4
 *
 * The root for work that overlaps with reading is a maximum without an edge: at most 19 % above it, if both are
 * equal.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* Terms: those of every kernel (a launch, the bytes read, the rows), followed by those of its facts. */
struct model_form {
    int terms;
    bool overlaps[MODEL_TERMS];
};

/* For a kernel; NULL: for one without costs. */
struct model_form model_form_of(const struct kernel *k);

/* One measured time. */
struct model_sample {
    double terms[MODEL_TERMS];
    double us, weight; /* weight: 1 for a median of many samples, less for one of few */
};

/* The assumed coefficients of a configuration, for what its own times do not determine. */
struct model_prior {
    double us[MODEL_TERMS];
    double weight[MODEL_TERMS]; /* weight of the square of the difference to it */
};

/* Fills the terms of a configuration at a shape; returns their number, or 0 if its facts fail there. */
int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS]);

/* The time of a sample's terms, µs. */
double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS]);

/*
 * Coefficients, none of them negative, that minimize the weighted squares of the relative errors; outliers (a few
 * medians of few samples) count less. Coefficients that the samples do not determine stay at the prior; without one
 * (NULL), at 0.
 */
void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS]);

/*
 * The prior of a kernel's configurations: a fit to the samples of all of them together, which counts as much as
 * `strength` samples of a single configuration.
 */
void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out);

/* The time at a shape in µs; NaN if the configuration's facts fail there. */
double model_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
