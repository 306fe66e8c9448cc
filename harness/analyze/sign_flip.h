/*
 * Tests whether the mean of a few values is zero, and computes an interval for the mean. The only
 * assumption is that, if the mean is zero, each value x is as likely as −x.
 *
 *   test       Fisher, The Design of Experiments (1935), §21: there are 2^n ways to give signs to n
 *              values. p is the share of these ways for which the sum is at least as far from 0 as
 *              the observed sum.
 *   interval   Hartigan, Using subsample values as typical values, Journal of the American
 *              Statistical Association 64 (1969): sort the means of all 2^n − 1 nonempty subsets.
 *              The true mean is equally likely to lie between any two neighbors. Flipping the signs
 *              of a set of values moves the sum away from 0 if and only if the set's mean and the
 *              sum have opposite signs. The interval therefore contains 0 if and only if the test
 *              does not reject the hypothesis.
 *
 * With weights, the test uses weighted sums, and the interval uses weighted means. Both remain
 * valid if the weights do not depend on the signs of the values. Weights affect which changes are
 * found, but not the rate of false alarms.
 *
 * If there are at most 2^16 sign patterns, all of them are tried; otherwise, 2^16 random ones are.
 * The random seed is fixed, so the same values always give the same result. Values must be
 * independent, so the caller passes one value per group of correlated measurements.
 */
#ifndef REDSWEEP_ANALYZE_SIGN_FLIP_H
#define REDSWEEP_ANALYZE_SIGN_FLIP_H

#include <stddef.h>

/* Up to this many values, every sign pattern is tried. */
enum { SIGN_FLIP_EXACT_MAX = 16 };

struct sign_flips {
    size_t values;
    double mean;   /* the weighted mean of all values, or NaN if there are none */
    double *means; /* the means of subsets, ascending */
    size_t count;  /* the length of `means`: one less than the number of sign patterns */
};

/*
 * Fills `out`, which the caller frees with sign_flips_free(). Weights must be positive. If
 * `weights` is NULL, all values have the same weight.
 */
void sign_flips_make(const double *values, const double *weights, size_t count,
                     struct sign_flips *out);
void sign_flips_free(struct sign_flips *flips);

/*
 * Returns the two-sided p of the hypothesis that the mean is `at`, or NaN if there are no values.
 */
double sign_flips_p(const struct sign_flips *flips, double at);

/*
 * Stores an interval that contains the true mean with a probability of at least 1 − alpha. If there
 * are too few values for this `alpha`, both ends are NaN.
 */
void sign_flips_interval(const struct sign_flips *flips, double alpha, double *low, double *high);

#endif
