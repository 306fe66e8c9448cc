/*
 * How long a configuration of a kernel by rows takes at a shape: what the kernel's facts say its time depends
 * on (`cost`), each in microseconds as fitted to the times that were measured. Private to this room.
 */
#ifndef REDSWEEP_TUNED_MODEL_H
#define REDSWEEP_TUNED_MODEL_H

#include "tuned/tuned.h"

/* The terms of every kernel: a launch, the bytes read, the rows. Those of its facts come after them. */
/* One measured time. */
struct model_sample {
    double terms[MODEL_TERMS];
    double us, weight; /* weight: 1 for a median of many samples, less for one of few */
};

/* Fills the terms of a configuration at a shape; returns their number, 0 where its facts fail there. */
int model_terms(const struct tuned_range *range, int sms, uint64_t n, uint64_t row_length,
                double terms[MODEL_TERMS]);

/*
 * Coefficients, none of them negative, that minimize the weighted squares of the relative errors; samples far off
 * (a few medians of few samples) count less. `samples` may be few: what they do not tell stays 0.
 */
void model_fit(const struct model_sample *samples, size_t count, int terms, double us[MODEL_TERMS]);

/* The time at a shape, µs; NaN where the configuration's facts fail there. */
double model_us(const struct tuned_range *range, int sms, uint64_t n, uint64_t row_length);

#endif
