/*
 * Adjusts the p values of a family of tests for the number of tests. There are two methods:
 *
 *   family      Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal
 *               of Statistics 6 (1979): at a level of 5 %, the family contains a false positive
 *               with a probability of at most 5 %, even if the tests depend on each other.
 *   discovery   Benjamini & Hochberg, Journal of the Royal Statistical Society B 57 (1995): the
 *               level is the expected share of the discoveries that are false.
 */
#ifndef REDSWEEP_ANALYZE_ADJUST_H
#define REDSWEEP_ANALYZE_ADJUST_H

#include <stddef.h>

/* 97.5 % of the standard normal distribution lies below this value. */
#define Z_95 1.959963984540054

/*
 * p_of_z() returns the two-sided p of a standard normal variable at a distance z from 0; z_of_p()
 * is the inverse function. z_of_p(0) is infinite. Both return NaN for NaN.
 */
double p_of_z(double z);
double z_of_p(double p);

/*
 * For each p, computes Holm's adjusted p. This is the lowest family-wise error rate at which the
 * test is still significant. A p that is NaN stays NaN and does not belong to the family.
 * `adjusted` may be `p`.
 */
void holm(const double *p, size_t count, double *adjusted);

/*
 * For each p, computes the adjusted value q. This is the smallest false-discovery rate at which the
 * test is a discovery. A p that is NaN stays NaN and does not belong to the family.
 */
void false_discovery(const double *p, size_t count, double *q);

#endif
