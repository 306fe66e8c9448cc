/*
 * Predicts how long a configuration for rows or an axis takes at a shape, as a sum of the terms in
 * the kernel's facts (`cost`, `overlap`). Each term is in microseconds and fitted to measured
 * times. Private to this folder.
 *
 *   time = launch + costs + the fourth root of (bytes + rows)^4 + overlaps^4
 *
 * The root combines reading with the work that overlaps with it. It is a smooth maximum, at most 19
 * % above the maximum, when both parts are equal.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* First the terms of every kernel (a launch, the bytes read, the rows), then those in the kernel's
 * facts. */
struct model_form {
    int terms;
    bool overlaps[MODEL_TERMS];
};

/* Returns a kernel's form. NULL stands for a kernel without costs. */
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
    /* Weighs the squared difference from the assumed coefficient. */
    double weight[MODEL_TERMS];
};

/* Computes a configuration's terms at a shape. Returns how many there are, or 0 if an expression in
 * its facts fails there. */
int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS]);

/* Returns the time in µs that the terms add up to. */
double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS]);

/*
 * Finds nonnegative coefficients that minimize the weighted squares of the relative errors.
 * Outliers, such as some medians of few samples, weigh less. Coefficients that the samples do not
 * determine keep their value in the prior, or are 0 without one (NULL).
 */
void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS]);

/*
 * Computes the prior for a kernel's configurations: a fit to the samples of all of them together,
 * which weighs as much as `strength` samples of one configuration.
 */
void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out);

/* Returns the time at a shape in µs, or NaN if an expression in the configuration's facts fails
 * there. */
double model_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
