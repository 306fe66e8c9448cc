/*
 * Statistics of samples, such as the timings that a row summarizes.
 *
 * The interval is that of the *median*, from order statistics: it lies between the k-th smallest and
 * the k-th largest sample, where k follows from the binomial distribution (e.g. Hollander, Wolfe &
 * Chicken, Nonparametric Statistical Methods, 3rd ed., §3.6). It is interpolated with the next samples,
 * so that it covers the median in close to 95 % of cases (Hettmansperger & Sheather, Confidence
 * intervals based on interpolated order statistics, Statistics & Probability Letters 4, 1986). The
 * order statistics assume no distribution; the error of the interpolation stays within 1.5 %, as the
 * tests check. Below 6 samples there is no interval.
 */
#ifndef REDSWEEP_BASE_STATISTICS_H
#define REDSWEEP_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t count;
    double min, median, mean, max;
    double stdev;            /* n−1 in the denominator; NaN below 2 samples */
    double ci95_lo, ci95_hi; /* interval of the median; NaN if there is none */
    size_t outliers;         /* number of samples further than 3 scaled median absolute deviations
                                from the median (mean absolute deviations if most samples are
                                equal) */
};

/*
 * `samples` may be in any order and are not changed. Zero samples: count is 0, all others are NaN.
 * False only when memory ran out.
 */
bool summarize(const double *samples, size_t count, struct summary *out);

/*
 * A mean that no single sample moves much and that does not jump: it omits a tenth of the samples
 * at each end (Tukey & McLaughlin, Less vulnerable confidence and significance procedures for
 * location on the basis of a single sample, Sankhya A 25, 1963). If samples have two peaks, for
 * example because a stall of the memory affects some launches, it moves in proportion to their
 * shares, while a median jumps from one peak to the other at a share of one half.
 *
 * Sample k belongs to placement k modulo `placements`, and the samples of one placement share its
 * offset. The standard error contains both: it is the jackknife's, leaving out one placement at a
 * time (Shao & Tu, The Jackknife and Bootstrap, 1995, chapter 2); for one placement it is Tukey and
 * McLaughlin's. The spread between placements is the excess of that error over the error from the
 * scatter within placements, as in an analysis of variance (Searle, Casella & McCulloch, Variance
 * Components, 1992, chapter 3).
 */
struct trimmed_mean {
    double mean;    /* NaN without samples */
    double error;   /* standard error; NaN below 2 samples of each placement */
    double between; /* standard deviation of placements; NaN for one, or for no error */
};

/* `samples` must be in the order taken. False only when memory ran out. */
bool trim_mean(const double *samples, size_t count, int placements, struct trimmed_mean *out);

/* Sorts into ascending order; no value may be NaN. */
void sort_numbers(double *values, size_t count);

/* The smallest distance between two different values: an estimate of a clock's step. 0 for none. */
double smallest_step(const double *sorted, size_t count);

/* Median of `count` values; sorts them in place. NaN for none. */
double median_in_place(double *values, size_t count);

/* These return NaN for no values; weights are positive. The weighted median is the smallest value up to
 * which the values have half of the weight. */
double weighted_mean(const double *values, const double *weights, size_t count);
double weighted_median(const double *values, const double *weights, size_t count);

/*
 * The 1-based rank k of the interval's lower end: [x_(k), x_(count+1−k)] covers the median with a
 * probability of at least 95 %. 0 if no such interval exists.
 */
size_t median_interval_rank(size_t count);

/* P(X > x) of chi-squared with `freedom` (1 or more) degrees of freedom. */
double chi_squared_tail(double x, int freedom);

/* P(|T| > |t|) of Student's t; `freedom` > 0 need not be whole, and INFINITY is the normal
 * distribution. NaN stays NaN. */
double student_tail(double t, double freedom);

/* The t whose student_tail() is p; NaN for NaN, INFINITY for p <= 0. */
double student_quantile(double p, double freedom);

#endif
