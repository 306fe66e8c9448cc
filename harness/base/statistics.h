/*
 * Statistics of samples, such as the timings behind a row.
 *
 * The confidence interval of the median is computed from order statistics: it reaches from the k-th
 * smallest to the k-th largest sample, where k follows from the binomial distribution (e.g.
 * Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., §3.6). Its ends are
 * interpolated between these samples and the next ones, so that it covers the median in close to 95
 * % of cases (Hettmansperger & Sheather, Confidence intervals based on interpolated order
 * statistics, Statistics & Probability Letters 4, 1986). The samples may have any distribution; the
 * tests check for several that the interval covers the median in 93.5 % to 96.5 % of cases. There
 * is no interval for fewer than 6 samples.
 */
#ifndef REDSWEEP_BASE_STATISTICS_H
#define REDSWEEP_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t count;
    double min, median, mean, max;
    double stdev;            /* with the denominator n−1; NaN for fewer than 2 samples */
    double ci95_lo, ci95_hi; /* the median's 95 % confidence interval, or NaN */
    /*
     * how many samples are further than 3 scaled median absolute deviations from the median (or, if
     * most samples are equal, 3 scaled mean absolute deviations)
     */
    size_t outliers;
};

/*
 * Summarizes samples, in any order, without changing them. Without samples, `count` is 0 and
 * everything else NaN. Returns false only if memory runs out.
 */
bool summarize(const double *samples, size_t count, struct summary *out);

/*
 * The trimmed mean: the mean without the smallest tenth and the largest tenth of the samples (Tukey
 * & McLaughlin, Less vulnerable confidence and significance procedures for location on the basis of
 * a single sample, Sankhya A 25, 1963). No single sample moves it much. If the distribution of the
 * samples has two peaks, for example because memory stalls affect some launches, the trimmed mean
 * moves gradually when more of the samples are at the higher peak, whereas the median jumps from
 * one peak to the other when each has half of the samples.
 *
 * The samples are timed with several sets of buffers at different addresses, the placements, in
 * turn: sample k belongs to placement k modulo `placements`. All times with the same placement are
 * too high or too low by the same amount. The standard error includes this effect as well as the
 * scatter of the samples. With several placements, it is the error of the jackknife that leaves out
 * one placement at a time (Shao & Tu, The Jackknife and Bootstrap, 1995, chapter 2); with one
 * placement, it is the error that Tukey and McLaughlin give. The placements' standard deviation is
 * computed from the part of that error which the scatter within placements does not explain, as in
 * an analysis of variance (Searle, Casella & McCulloch, Variance Components, 1992, chapter 3).
 */
struct trimmed_mean {
    double mean;  /* NaN without samples */
    double error; /* the standard error; NaN for fewer than 2 samples of each placement */
    /*
     * The standard deviation between placements. NaN if there is only one placement, or if `error`
     * is NaN.
     */
    double between;
};

/*
 * Computes the trimmed mean of samples, which must be in the order in which they were taken.
 * Returns false only if memory runs out.
 */
bool trim_mean(const double *samples, size_t count, int placements, struct trimmed_mean *out);

/* Sorts values in ascending order. No value may be NaN. */
void sort_numbers(double *values, size_t count);

/*
 * Returns the smallest difference between two values that are not equal, or 0 if all are equal. For
 * times, this is an estimate of the clock's resolution.
 */
double smallest_step(const double *sorted, size_t count);

/* Returns the median of `count` values, or NaN if there are none. Sorts them in place. */
double median_in_place(double *values, size_t count);

/*
 * Return NaN if there are no values. All weights must be positive. The weighted median is the
 * smallest value that, together with all smaller values, has at least half of the total weight.
 */
double weighted_mean(const double *values, const double *weights, size_t count);
double weighted_median(const double *values, const double *weights, size_t count);

/*
 * Returns the 1-based rank k of the lower end of the interval [x_(k), x_(count+1−k)] that covers
 * the median with a probability of at least 95 %, or 0 if there is none.
 */
size_t median_interval_rank(size_t count);

/*
 * Returns P(X > x) for the chi-squared distribution with `freedom` (1 or more) degrees of freedom.
 */
double chi_squared_tail(double x, int freedom);

/*
 * Returns P(|T| > |t|) for Student's t distribution. `freedom` > 0 need not be whole; INFINITY
 * selects the normal distribution. Returns NaN if an argument is NaN.
 */
double student_tail(double t, double freedom);

/*
 * Returns the t for which student_tail() returns p. Returns NaN if p is NaN, and INFINITY if p <=
 * 0.
 */
double student_quantile(double p, double freedom);

#endif
