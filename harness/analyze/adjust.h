/*
 * Adjusts p values for the number of tests in a family, the set of tests that are judged together.
 * There are two methods:
 *
 *   family      Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal
 *               of Statistics 6 (1979): at a level of 5 %, the chance of any false positive in the
 *               family is at most 5 %, even if the tests are not independent.
 *   discovery   Benjamini & Hochberg, Journal of the Royal Statistical Society B 57 (1995): a
 *               discovery is a significant test, and the level is the expected share of false
 *               discoveries among all discoveries.
 */
#ifndef REDSWEEP_ANALYZE_ADJUST_H
#define REDSWEEP_ANALYZE_ADJUST_H

#include <stddef.h>

/* 97.5 % of the standard normal distribution lies below this value. */
#define Z_95 1.959963984540054

/*
 * p_of_z() returns the two-sided p of a standard normal value z; z_of_p() is its inverse. z_of_p(0)
 * is infinite. Both return NaN for NaN.
 */
double p_of_z(double z);
double z_of_p(double p);

/*
 * Computes Holm's adjusted p for each p: the lowest family-wise error rate at which the test is
 * still significant. NaN stays NaN and does not count as a test. `p` and `adjusted` may be the same
 * array.
 */
void holm(const double *p, size_t count, double *adjusted);

/*
 * Computes q for each p: the smallest false-discovery rate at which the test is still a discovery.
 * NaN stays NaN and does not count as a test.
 */
void false_discovery(const double *p, size_t count, double *q);

#endif
