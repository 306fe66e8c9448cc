/*
 * Predicts the time that a configuration for rows or for an axis takes at a shape. The time is a
 * sum of the terms in the kernel's facts (`cost`, `overlap`). Each term is in microseconds and was
 * fitted to the measured times. Only this folder uses this file.
 *
 *   time = launch + costs + the fourth root of (bytes + rows)^4 + overlaps^4
 *
 * The root combines reading with the work that overlaps with it. It is a smooth maximum. It exceeds
 * the maximum by at most 19 %, which happens if both parts are equal.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* The terms of every kernel (a launch, the bytes read, the rows) come first, followed by those of
 * the kernel's facts. */
struct model_form {
    int terms;
    bool overlaps[MODEL_TERMS];
};

/* Returns the form for a kernel. NULL stands for a kernel without costs. */
struct model_form model_form_of(const struct kernel *k);

/* This is one measured time. */
struct model_sample {
    double terms[MODEL_TERMS];
    /* `weight` is 1 for a median of many samples, and less for a median of few samples. */
    double us, weight;
};

/* These coefficients of a configuration are assumed if its own times do not determine them. */
struct model_prior {
    double us[MODEL_TERMS];
    /* The weight of the squared difference from the assumed coefficient. */
    double weight[MODEL_TERMS];
};

/* Computes the terms of a configuration at a shape. Returns their number, or 0 if an expression of
 * its facts fails there. */
int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS]);

/* Returns the time in µs that results from the terms of a sample. */
double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS]);

/*
 * Finds nonnegative coefficients that minimize the weighted squares of the relative errors.
 * Outliers, such as some medians of few samples, have a smaller weight. Coefficients that the
 * samples do not determine keep the value of the prior. Without a prior (NULL), they are 0.
 */
void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS]);

/*
 * Computes the prior of a kernel's configurations. It is a fit to the samples of all configurations
 * together, with the weight of `strength` samples of a single configuration.
 */
void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out);

/* Returns the time at a shape in µs, or NaN if an expression of the configuration's facts fails
 * there. */
double model_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
