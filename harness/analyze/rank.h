/*
 * Tests whether the samples of two runs differ, and estimates by how much. If several tests are
 * judged together, adjust.h adjusts their p values.
 *
 *   rank test    The two-sided test of Mann & Whitney (Annals of Mathematical Statistics 18, 1947).
 *                Equal samples share the mean of their ranks. For few samples, the test is exact:
 *                the shift algorithm (Streitberg & Röhmel, Statistical Software Newsletter 12,
 *                1986) counts the arrangements of the actual ranks, including ties. For more
 *                samples, the test is the normal approximation with a tie-corrected variance and a
 *                continuity correction (Lehmann, Nonparametrics, 1975, §1.2 and §1.4).
 *   ratio        The interval of the ratio of two medians follows from the intervals of their
 *                logarithms (method of variance estimates recovery: Zou & Donner, Statistics in
 *                Medicine 27, 2008).
 */
#ifndef REDSWEEP_ANALYZE_RANK_H
#define REDSWEEP_ANALYZE_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* Up to this many samples in both runs together, the test is exact. */
enum { RANK_EXACT_MOST = 30 };

struct rank_test {
    double u; /* how many pairs of samples have the larger one in a; ties count one half */
    double p; /* two-sided (twice the smaller tail, at most 1), or NaN without samples */
    /* the smallest p that an exact test with this many samples can give; otherwise 0 */
    double least_p;
    bool exact;
};

/* Compares the samples of two runs, which may be in any order and are not changed. */
void rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
               struct rank_test *out);

/* A median with its 95 % interval. */
struct estimate {
    double value, low, high;
};

/*
 * Returns b / a with its interval. The interval's ends are NaN if a value or an end of a or b is
 * missing or not positive.
 */
struct estimate ratio_of(struct estimate a, struct estimate b);

/*
 * Returns the two-sided p of the hypothesis that a ratio is 1, from its 95 % interval. Assumes that
 * the ratio is log-normal.
 */
double ratio_p(struct estimate ratio);

/*
 * Returns Spearman's rank correlation of two lists, or NaN for fewer than 3 pairs or a constant
 * list.
 */
double rank_correlation(const double *a, const double *b, size_t count);

#endif
