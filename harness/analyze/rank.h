/*
 * Tests whether the samples of two runs differ, and computes by how much. adjust.h adjusts the p
 * values of many tests.
 *
 *   rank test    This is the two-sided test of Mann & Whitney (Annals of Mathematical Statistics
 *                18, 1947). Equal samples share the mean of their ranks. For few samples, the test
 *                is exact. It uses the shift algorithm (Streitberg & Röhmel, Statistical Software
 *                Newsletter 12, 1986), which counts the arrangements of the actual ranks, including
 *                ties. For more samples, it uses the normal approximation with the variance for
 *                ties and the correction for continuity (Lehmann, Nonparametrics, 1975, §1.2 and
 *                §1.4).
 *   ratio        The interval of the ratio of two medians is computed from the intervals of the
 *                logarithms of the medians (method of variance estimates recovery: Zou & Donner,
 *                Statistics in Medicine 27, 2008).
 */
#ifndef REDSWEEP_ANALYZE_RANK_H
#define REDSWEEP_ANALYZE_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* If both runs together have at most this many samples, the test is exact. */
enum { RANK_EXACT_MOST = 30 };

struct rank_test {
    double u; /* the number of pairs in which a's sample is larger; each tie adds one half */
    double p; /* two-sided: twice the smaller tail, at most 1, or NaN without samples */
    /* for an exact test, the smallest p that these numbers of samples can give; otherwise 0 */
    double least_p;
    bool exact;
};

/* Compares the samples of two runs. The samples may be in any order and are not changed. */
void rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
               struct rank_test *out);

/* This is a median with its 95 % interval. */
struct estimate {
    double value, low, high;
};

/*
 * Returns b / a with its interval. If a value or an end is missing or not positive, the ends of the
 * interval are NaN.
 */
struct estimate ratio_of(struct estimate a, struct estimate b);

/*
 * Returns the two-sided p of the hypothesis that a ratio is 1. It follows from the 95 % interval of
 * the ratio, on the assumption that the ratio is log-normal.
 */
double ratio_p(struct estimate ratio);

/*
 * Returns Spearman's rank correlation of two lists. The result is NaN if there are fewer than 3
 * pairs or if one list is constant.
 */
double rank_correlation(const double *a, const double *b, size_t count);

#endif
