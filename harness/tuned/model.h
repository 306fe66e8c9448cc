/*
 * Predicts how long a configuration for rows or an axis takes at a shape, as a sum of the terms in
 * the kernel's facts (`cost`, `overlap`). Each term has a coefficient in microseconds, which is
 * fitted to measured times. Private to this folder.
 *
 *   time = launch + costs + the fourth root of ((bytes + rows)^4 + overlaps^4)
 *
 * The root combines the time for reading with that for work that overlaps with reading. It is a
 * smooth form of the larger of the two, and at most 19 % above it, which happens if both are equal.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* The terms of a kernel's time: first those that every kernel has (a launch, the bytes read, the
 * rows), then those in the kernel's facts. */
struct model_form {
    int terms;
    bool overlaps[MODEL_TERMS];
};

/* Returns the form of a kernel's time. NULL stands for a kernel without costs in its facts. */
struct model_form model_form_of(const struct kernel *k);

/* One measured time. */
struct model_sample {
    double terms[MODEL_TERMS];
    /* `weight` is 1 for a median of many samples, and less for few samples. */
    double us, weight;
};

/* Coefficients that are assumed if the configuration's own times do not determine them. */
struct model_prior {
    double us[MODEL_TERMS];
    /* The weight of the squared difference from the assumed coefficient. */
    double weight[MODEL_TERMS];
};

/* Computes a configuration's terms at a shape. Returns their number, or 0 if an expression in the
 * kernel's facts fails at this shape. */
int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS]);

/* Returns the time in µs that the terms add up to. */
double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS]);

/*
 * Finds the nonnegative coefficients `us` that minimize the weighted sum of the squared relative
 * errors. Outliers, such as some medians of few samples, weigh less. Coefficients that the samples
 * do not determine get their value in the prior, or 0 if `prior` is NULL.
 */
void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS]);

/*
 * Computes the prior for a kernel's configurations: a fit to the samples of all of them together,
 * which weighs as much as `strength` samples of one configuration.
 */
void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out);

/* Returns the configuration's fitted time at a shape in µs, or NaN if an expression in its kernel's
 * facts fails there. */
double model_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
