/*
 * How long a configuration of a kernel by rows or of an axis takes at a shape: what the kernel's facts say its time depends
 * on (`cost`, `overlap`), each in microseconds as fitted to the times that were measured. Private to this room.
 *
 *   time = launch + costs + the fourth root of (bytes + rows)^4 + overlaps^4
 *
 * The root of what overlaps with reading is a maximum without an edge: at most 19 % above it, where both are equal.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* Terms: those of every kernel (a launch, the bytes read, the rows), and behind them those of its facts. */
struct model_form {
    int terms;
    bool overlaps[MODEL_TERMS];
};

/* Of a kernel; NULL: of one without costs. */
struct model_form model_form_of(const struct kernel *k);

/* One measured time. */
struct model_sample {
    double terms[MODEL_TERMS];
    double us, weight; /* weight: 1 for a median of many samples, less for one of few */
};

/* What is taken for the coefficients of a configuration where its own times do not tell. */
struct model_prior {
    double us[MODEL_TERMS];
    double weight[MODEL_TERMS]; /* of the square of the difference to it */
};

/* Fills the terms of a configuration at a shape; returns their number, 0 where its facts fail there. */
int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS]);

/* The time of a sample's terms, µs. */
double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS]);

/*
 * Coefficients, none of them negative, that minimize the weighted squares of the relative errors; samples far off
 * (a few medians of few samples) count less. What the samples do not tell stays at the prior; without one (NULL) at 0.
 */
void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS]);

/*
 * The prior of a kernel's configurations: a fit to the samples of all of them together, which counts as much as
 * `strength` samples of a configuration's own.
 */
void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out);

/* The time at a shape, µs; NaN where the configuration's facts fail there. */
double model_us(const struct tuned_range *range, int sms, const struct config_shape *at);

#endif
