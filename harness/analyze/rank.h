/*
 * Statistics of two runs: whether samples differ, and by how much. For many tests see adjust.h.
 *
 *   rank test    Mann & Whitney (Annals of Mathematical Statistics 18, 1947), two-sided; equal
 *                samples share the mean of their ranks. It is exact for few samples, by the shift
 *                algorithm (Streitberg & Röhmel, Statistical Software Newsletter 12, 1986), which
 *                counts the arrangements of the actual ranks, including ties. For more samples it is
 *                the normal approximation with the variance for ties and the correction for
 *                continuity (Lehmann, Nonparametrics, 1975, §1.2 and §1.4).
 *   ratio        of two medians, with an interval that follows from the medians' intervals, on logarithms
 *                (method of variance estimates recovery: Zou & Donner, Statistics in Medicine 27, 2008).
 */
#ifndef REDSWEEP_ANALYZE_RANK_H
#define REDSWEEP_ANALYZE_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* Up to this many samples in both runs together the test is exact. */
enum { RANK_EXACT_MOST = 30 };

struct rank_test {
    double u;       /* number of pairs in which a's sample is larger; ties count half */
    double p;       /* two-sided: twice the smaller tail, at most 1; NaN without samples */
    double least_p; /* the smallest p that these numbers of samples can give (exact), else 0 */
    bool exact;
};

/* The samples may be in any order and are not changed. */
void rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
               struct rank_test *out);

/* A median and its 95 % interval. */
struct estimate {
    double value, low, high;
};

/* Returns b / a. The interval is NaN if a value or an end is missing or not positive. */
struct estimate ratio_of(struct estimate a, struct estimate b);

/*
 * Returns the two-sided p of the hypothesis that a ratio is 1, from its 95 % interval, which is taken as that
 * of a log-normal variable.
 */
double ratio_p(struct estimate ratio);

/* Spearman's rank correlation of two lists; NaN below 3 pairs or when one list is constant. */
double rank_correlation(const double *a, const double *b, size_t count);

#endif
