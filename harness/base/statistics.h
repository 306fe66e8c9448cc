/*
 * Statistics of samples, such as the timings behind a row.
 *
 * The interval is for the *median* and follows from order statistics: it lies between the k-th
 * smallest and the k-th largest sample, with k from the binomial distribution (e.g. Hollander,
 * Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., §3.6). Interpolating with the next
 * samples makes it cover the median in close to 95 % of cases (Hettmansperger & Sheather,
 * Confidence intervals based on interpolated order statistics, Statistics & Probability Letters 4,
 * 1986). The order statistics assume no distribution. The interpolation's error stays within 1.5 %,
 * as the tests check. Fewer than 6 samples have no interval.
 */
#ifndef REDSWEEP_BASE_STATISTICS_H
#define REDSWEEP_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t count;
    double min, median, mean, max;
    double stdev;            /* with the denominator n−1; NaN for fewer than 2 samples */
    double ci95_lo, ci95_hi; /* the median's interval; NaN if there is none */
    /*
     * samples further than 3 scaled median absolute deviations from the median (mean absolute
     * deviations if most samples are equal)
     */
    size_t outliers;
};

/*
 * Summarizes samples, in any order, without changing them. Without samples, `count` is 0 and
 * everything else NaN. Returns false only if memory runs out.
 */
bool summarize(const double *samples, size_t count, struct summary *out);

/*
 * A mean without a tenth of the samples at each end (Tukey & McLaughlin, Less vulnerable confidence
 * and significance procedures for location on the basis of a single sample, Sankhya A 25, 1963). It
 * does not jump, and no single sample moves it much. If samples have two peaks, for example because
 * memory stalls affect some launches, it moves in proportion to the peaks' shares, whereas a median
 * jumps from one peak to the other when each has half of the samples.
 *
 * Sample k belongs to placement k modulo `placements`; all samples of a placement share its offset.
 * The standard error covers the scatter of both samples and placements. It is the error of the
 * jackknife that leaves out one placement at a time (Shao & Tu, The Jackknife and Bootstrap, 1995,
 * chapter 2), or, for one placement, that of Tukey and McLaughlin. The spread between placements is
 * the excess of that error over the error from the scatter within placements, as in an analysis of
 * variance (Searle, Casella & McCulloch, Variance Components, 1992, chapter 3).
 */
struct trimmed_mean {
    double mean;  /* NaN without samples */
    double error; /* the standard error; NaN for fewer than 2 samples of each placement */
    /* The placements' standard deviation. NaN if there is one placement or no error. */
    double between;
};

/*
 * Computes the mean of samples, in the order in which they were taken. Returns false only if memory
 * runs out.
 */
bool trim_mean(const double *samples, size_t count, int placements, struct trimmed_mean *out);

/* Sorts values in ascending order. No value may be NaN. */
void sort_numbers(double *values, size_t count);

/*
 * Returns the smallest distance between two different values, as an estimate of a clock's step, or
 * 0 if there is none.
 */
double smallest_step(const double *sorted, size_t count);

/* Returns the median of `count` values, or NaN if there are none. Sorts them in place. */
double median_in_place(double *values, size_t count);

/*
 * Returns NaN if there are no values. Weights are positive. The weighted median is the smallest
 * value that, together with all smaller ones, has at least half of the total weight.
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
 * selects the normal distribution. The result is NaN if an argument is.
 */
double student_tail(double t, double freedom);

/*
 * Returns the t for which student_tail() returns p. Returns NaN for NaN, and INFINITY for p <= 0.
 */
double student_quantile(double p, double freedom);

#endif
