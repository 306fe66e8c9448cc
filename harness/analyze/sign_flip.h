/*
 * Tests whether the mean of a few values is zero, and computes its interval. It assumes no
 * distribution: only that, under the hypothesis, each value is as likely to be +x as −x.
 *
 *   test       Fisher, The Design of Experiments (1935), §21: p is the share of all 2^n ways of giving
 *              the n values signs whose sum is at least as far from 0 as the observed sum.
 *   interval   Hartigan, Using subsample values as typical values, Journal of the American
 *              Statistical Association 64 (1969): the mean lies between any two neighbours of the
 *              sorted means of all 2^n − 1 subsets with the same probability. Flipping the signs of a
 *              set of values moves the sum beyond the observed one if and only if the set's mean lies
 *              on the other side of 0. The interval therefore contains 0 exactly if the test does not
 *              reject.
 *
 * Test and interval use a weighted mean if values have weights: the same holds for the weighted sum
 * and the set's weighted mean. Neither needs the weights to be right: weights affect which changes are
 * found, but not the rate of false alarms. However, weights must not depend on the signs of the
 * values.
 *
 * If there are at most 2^16 sign patterns, all are tried, otherwise 2^16 random ones from a fixed seed,
 * so that the same values always give the same answer. The values must be independent, so there is one
 * value per group of correlated measurements.
 */
#ifndef REDSWEEP_ANALYZE_SIGN_FLIP_H
#define REDSWEEP_ANALYZE_SIGN_FLIP_H

#include <stddef.h>

/* Up to this many values, every sign pattern is counted. */
enum { SIGN_FLIP_EXACT_MAX = 16 };

struct sign_flips {
    size_t values;
    double mean;   /* weighted mean of all values; NaN if there are none */
    double *means; /* means of subsets, ascending */
    size_t count;  /* one less than the number of patterns */
};

/* `weights` are positive; NULL: all weights are equal. The caller frees `out` with sign_flips_free(). */
void sign_flips_make(const double *values, const double *weights, size_t count,
                     struct sign_flips *out);
void sign_flips_free(struct sign_flips *flips);

/* Returns the two-sided p of the hypothesis that the mean is `at`, or NaN without values. */
double sign_flips_p(const struct sign_flips *flips, double at);

/* The interval that covers the mean with a probability of at least 1 − alpha. Both ends are NaN if
 * there are too few values. */
void sign_flips_interval(const struct sign_flips *flips, double alpha, double *low, double *high);

#endif
