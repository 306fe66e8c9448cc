/*
 * Implements statistics.h.
 *
 * How the rank k of the median's interval is chosen: the number of samples below the true median is
 * distributed as Binomial(n, 1/2), whatever the samples' distribution. So the interval [x_(k),
 * x_(n+1-k)] misses the true median with probability 2·P(Binomial(n, 1/2) ≤ k-1). k is the largest
 * rank for which this probability is at most 5 %.
 */
#include "base/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * For normally distributed samples, the standard deviation divided by the median absolute
 * deviation.
 */
#define MAD_SCALE 1.4826022185056018
/* The standard deviation divided by the mean absolute deviation: sqrt(π/2). */
#define MEAN_DEVIATION_SCALE 1.2533141373155003
#define OUTLIER_DEVIATIONS 3.0
#define TRIMMED_SHARE 0.1
/* Two times that differ by less than this many microseconds are equal except for rounding. */
#define SAME_TIME 1e-6

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_numbers(double *values, size_t count)
{
    if (count)
        qsort(values, count, sizeof *values, compare_doubles);
}

double smallest_step(const double *sorted, size_t count)
{
    double step = 0;
    for (size_t i = 1; i < count; i++) {
        double distance = sorted[i] - sorted[i - 1];
        if (distance > SAME_TIME && (step == 0 || distance < step))
            step = distance;
    }
    return step;
}

static double median_of_sorted(const double *sorted, size_t count)
{
    if (count == 0)
        return NAN;
    if (count % 2)
        return sorted[count / 2];
    double lower = sorted[count / 2 - 1], upper = sorted[count / 2];
    return lower + (upper - lower) / 2;
}

double median_in_place(double *values, size_t count)
{
    sort_numbers(values, count);
    return median_of_sorted(values, count);
}

/*
 * Returns P(Binomial(n, 1/2) ≤ j) for j < n/2. The sum begins with its largest term, computed with
 * lgamma() so that it does not underflow. Each later term is smaller than the previous one.
 */
static double lower_tail(size_t n, size_t j)
{
    int sign;
    double nn = (double)n, jj = (double)j;
    double log_term = lgamma_r(nn + 1, &sign) - lgamma_r(jj + 1, &sign) -
                      lgamma_r(nn - jj + 1, &sign) - nn * M_LN2;
    double term = 1, sum = 1;
    for (size_t i = j; i > 0; i--) {
        term *= (double)i / (double)(n - i + 1);
        sum += term;
        if (term < sum * 1e-17)
            break;
    }
    return exp(log_term) * sum;
}

static double rank_coverage(size_t count, size_t rank)
{
    return 1 - 2 * lower_tail(count, rank - 1);
}

static bool rank_covers(size_t count, size_t rank)
{
    return 2 * lower_tail(count, rank - 1) <= 0.05;
}

/*
 * The interval of rank k covers the median too often, and that of rank k + 1 too rarely.
 * Interpolating between them comes close to 95 %.
 */
static void median_interval(const double *sorted, size_t count, double *low, double *high)
{
    size_t rank = median_interval_rank(count);
    if (rank == 0)
        return;
    double share = 0;
    if (rank < count / 2) {
        double outer = rank_coverage(count, rank), inner = rank_coverage(count, rank + 1);
        double part = (outer - 0.95) / (outer - inner), n = (double)count, k = (double)rank;
        share = (n - k) * part / (k + (n - 2 * k) * part);
    }
    *low = sorted[rank - 1] + share * (sorted[rank] - sorted[rank - 1]);
    *high = sorted[count - rank] - share * (sorted[count - rank] - sorted[count - rank - 1]);
}

static size_t trimmed_at_each_end(size_t count)
{
    return (size_t)((double)count * TRIMMED_SHARE);
}

/*
 * Returns the trimmed mean of the samples of all placements except `left_out` (−1: of all samples).
 * `room` must have space for these samples.
 */
static double trimmed_mean_without(const double *samples, size_t count, size_t placements,
                                   int left_out, double *room)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if ((int)(i % placements) != left_out)
            room[used++] = samples[i];
    sort_numbers(room, used);
    size_t cut = trimmed_at_each_end(used);
    double sum = 0;
    for (size_t i = cut; i < used - cut; i++)
        sum += room[i];
    return sum / (double)(used - 2 * cut);
}

/* Returns the trimmed mean's squared standard error, from the scatter within placements alone. */
static double error_within(const double *samples, const double *sorted, size_t count,
                           size_t placements)
{
    size_t cut = trimmed_at_each_end(count);
    double low = sorted[cut], high = sorted[count - 1 - cut], squares = 0;
    for (size_t p = 0; p < placements; p++) {
        double mean = 0, number = 0;
        for (size_t i = p; i < count; i += placements) {
            double w = fmin(fmax(samples[i], low), high), away = w - mean;
            mean += away / ++number;
            squares += away * (w - mean);
        }
    }
    double kept = 1 - 2 * TRIMMED_SHARE, n = (double)count;
    return squares / (n - (double)placements) / n / (kept * kept);
}

/* Returns the squared standard error of the jackknife that leaves out one placement at a time. */
static double error_by_placements(const double *samples, size_t count, size_t placements,
                                  double *room)
{
    double mean = 0, squares = 0, groups = (double)placements;
    for (size_t p = 0; p < placements; p++) {
        double without = trimmed_mean_without(samples, count, placements, (int)p, room);
        double away = without - mean;
        mean += away / (double)(p + 1);
        squares += away * (without - mean);
    }
    return squares * (groups - 1) / groups;
}

bool trim_mean(const double *samples, size_t count, int placements, struct trimmed_mean *out)
{
    *out = (struct trimmed_mean){NAN, NAN, NAN};
    if (count == 0)
        return true;
    size_t groups = (size_t)placements;
    double *room = malloc(count * sizeof *room);
    if (!room)
        return false;
    out->mean = trimmed_mean_without(samples, count, groups, -1, room);
    if (count >= 2 * groups) {
        double within = error_within(samples, room, count, groups), error = within;
        if (groups > 1) {
            error = error_by_placements(samples, count, groups, room);
            double component = (error - within) * (double)groups;
            out->between = component > SAME_TIME * SAME_TIME ? sqrt(component) : 0;
        }
        out->error = sqrt(error);
    }
    free(room);
    return true;
}

double weighted_mean(const double *values, const double *weights, size_t count)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i] * weights[i];
        weight += weights[i];
    }
    return count > 0 ? sum / weight : NAN;
}

double weighted_median(const double *values, const double *weights, size_t count)
{
    double all = 0, median = NAN;
    for (size_t i = 0; i < count; i++)
        all += weights[i];
    for (size_t i = 0; i < count; i++) {
        double up_to = 0;
        for (size_t j = 0; j < count; j++)
            up_to += values[j] <= values[i] ? weights[j] : 0;
        if (up_to >= all / 2 && !(values[i] >= median))
            median = values[i];
    }
    return median;
}

size_t median_interval_rank(size_t count)
{
    if (count < 2)
        return 0;
    /*
     * The guess from the normal approximation may be wrong by one, so the exact probability
     * decides.
     */
    double guess = (double)count / 2 - 0.98 * sqrt((double)count);
    size_t rank = guess < 1 ? 1 : (size_t)guess;
    while (rank > 0 && !rank_covers(count, rank))
        rank--;
    while (rank > 0 && rank < count / 2 && rank_covers(count, rank + 1))
        rank++;
    return rank;
}

/*
 * Counts the samples that are further than 3 scaled median absolute deviations from the median. If
 * more than half of the samples are equal, the median absolute deviation is 0 and says nothing
 * about their spread, so the mean absolute deviation is used instead (Iglewicz & Hoaglin, How to
 * Detect and Handle Outliers, 1993).
 */
static size_t count_outliers(const double *samples, size_t count, double median, double *deviations)
{
    double mean_deviation = 0;
    for (size_t i = 0; i < count; i++) {
        deviations[i] = fabs(samples[i] - median);
        mean_deviation += deviations[i] / (double)count;
    }
    double scale = MAD_SCALE * median_in_place(deviations, count);
    if (scale == 0)
        scale = MEAN_DEVIATION_SCALE * mean_deviation;
    size_t outliers = 0;
    for (size_t i = 0; i < count; i++)
        outliers += deviations[i] > OUTLIER_DEVIATIONS * scale;
    return outliers;
}

bool summarize(const double *samples, size_t count, struct summary *out)
{
    *out = (struct summary){.count = count, .min = NAN, .median = NAN, .mean = NAN, .max = NAN};
    out->stdev = out->ci95_lo = out->ci95_hi = NAN;
    if (count == 0)
        return true;
    if (count > SIZE_MAX / sizeof(double))
        return false;
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, samples, count * sizeof *sorted);
    out->median = median_in_place(sorted, count);
    out->min = sorted[0];
    out->max = sorted[count - 1];
    median_interval(sorted, count, &out->ci95_lo, &out->ci95_hi);
    /* Subtracting the median first avoids cancellation, whatever the samples' offset. */
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i] - out->median;
    double shift = sum / (double)count;
    out->mean = out->median + shift;
    for (size_t i = 0; i < count; i++) {
        double d = samples[i] - out->median - shift;
        squares += d * d;
    }
    if (count > 1)
        out->stdev = sqrt(squares / (double)(count - 1));
    out->outliers = count_outliers(samples, count, out->median, sorted);
    free(sorted);
    return true;
}

/*
 * Returns the incomplete beta function I_x(a, b) for x < (a + 1) / (a + b + 2). Evaluates the
 * continued fraction (Abramowitz and Stegun, 26.5.8) forwards with Lentz's method (Applied Optics
 * 15, 1976).
 */
static double incomplete_beta(double x, double a, double b)
{
    enum { TERMS_MAX = 1000 };
    const double tiny = 1e-300;
    double front = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a;
    double f = 1, c = 1, d = 0;
    for (int i = 0; i < TERMS_MAX; i++) {
        int m = i / 2;
        double term = i == 0  ? 1
                      : i % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                              : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + term * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + term / c;
        c = fabs(c) < tiny ? tiny : c;
        f *= c * d;
        if (fabs(c * d - 1) < 1e-14)
            break;
    }
    return front * (f - 1);
}

/*
 * Implements formula 26.7.1 of Abramowitz and Stegun. Uses the other tail of the beta function if
 * the continued fraction of that tail converges faster.
 */
double student_tail(double t, double freedom)
{
    if (isnan(t) || isinf(freedom) || isinf(t))
        return isinf(t) ? 0 : erfc(fabs(t) / M_SQRT2);
    double a = freedom / 2, b = 0.5, x = freedom / (freedom + t * t);
    if (t == 0)
        return 1;
    return x < (a + 1) / (a + b + 2) ? incomplete_beta(x, a, b) : 1 - incomplete_beta(1 - x, b, a);
}

/* Bisection works because student_tail() decreases as t increases. */
double student_quantile(double p, double freedom)
{
    if (isnan(p) || p <= 0)
        return isnan(p) ? NAN : INFINITY;
    double low = 0, high = 1;
    while (student_tail(high, freedom) > p && high < 1e300)
        high *= 2;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
        double middle = low + (high - low) / 2;
        if (student_tail(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Implements formulas 26.4.4 and 26.4.5 of Abramowitz and Stegun. */
double chi_squared_tail(double x, int freedom)
{
    double half = x / 2, term, sum;
    int i;
    if (freedom % 2) {
        sum = erfc(sqrt(half));
        term = exp(-half) * sqrt(half) / tgamma(1.5);
        for (i = 3; i <= freedom; i += 2) {
            sum += term;
            term *= half / (i / 2.0);
        }
        return sum;
    }
    term = exp(-half);
    for (i = 0, sum = 0; i < freedom / 2; i++) {
        sum += term;
        term *= half / (i + 1);
    }
    return sum;
}
