/*
 * Multiple tests: adjusts the p value of each test, because it is one of a family.
 *
 *   family      Holm, A simple sequentially rejective multiple test procedure, Scandinavian
 *               Journal of Statistics 6 (1979): at a level of 5 %, the probability that the family
 *               has even one false positive is at most 5 %, however the tests depend on each other.
 *   discovery   Benjamini & Hochberg, Journal of the Royal Statistical Society B 57 (1995): the level
 *               is the share of discoveries that are expected to be false.
 */
#ifndef REDSWEEP_ANALYZE_ADJUST_H
#define REDSWEEP_ANALYZE_ADJUST_H

#include <stddef.h>

/* The value below which 97.5 % of the standard normal distribution lie. */
#define Z_95 1.959963984540054

/*
 * Returns the two-sided p of a standard normal variable at a distance z from 0, and the inverse function.
 * z_of_p(0) is infinite; NaN stays NaN.
 */
double p_of_z(double z);
double z_of_p(double p);

/*
 * Holm's adjusted p of each p: the lowest family-wise error rate at which its test still rejects.
 * NaN stays NaN and does not count. `adjusted` may be `p`.
 */
void holm(const double *p, size_t count, double *adjusted);

/*
 * The adjusted p (q) of each p: the smallest false-discovery rate at which its test counts as a
 * discovery. NaN stays NaN and does not count.
 */
void false_discovery(const double *p, size_t count, double *q);

#endif
