/* Implements rank.h, which states the rules and their sources. */
#include "analyze/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/adjust.h"
#include "base/memory.h"

struct ranked {
    double value;
    size_t index; /* in the caller's list */
    size_t rank2; /* twice the rank, an integer even for shared ranks */
};

static int compare_values(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

/*
 * Sorts the list and sets the ranks of its values; equal values share the mean of their ranks.
 * Returns the sum of t³ − t over all groups of t equal values.
 */
static double take_ranks(struct ranked *list, size_t count)
{
    qsort(list, count, sizeof *list, compare_values);
    double ties = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].value == list[first].value;)
            end++;
        for (size_t i = first; i < end; i++)
            list[i].rank2 = first + 1 + end; /* ranks first+1 … end */
        double t = (double)(end - first);
        ties += t * t * t - t;
    }
    return ties;
}

/*
 * Sets the p and the least_p of the exact test. ways[k][s] is the number of ways to choose k of the
 * ranks such that their doubled ranks have the sum s. For each rank, ways[k − 1][s − rank] is added
 * to ways[k][s], from the largest k down so that no rank is used twice. The numbers are below 2^53,
 * so doubles hold them exactly.
 */
static void exact_tails(const struct ranked *list, size_t count, size_t chosen, size_t sum2,
                        struct rank_test *out)
{
    size_t max = 0;
    for (size_t i = count - chosen; i < count; i++)
        max += list[i].rank2;
    size_t width = max + 1;
    double *ways = xcalloc((chosen + 1) * width, sizeof *ways);
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1 < chosen ? i + 1 : chosen; k > 0; k--)
            for (size_t s = max; s + 1 > list[i].rank2; s--)
                ways[k * width + s] += ways[(k - 1) * width + s - list[i].rank2];
    const double *of_all = ways + chosen * width;
    double all = 0, below = 0, above = 0, first = 0;
    for (size_t s = 0; s <= max; s++) {
        all += of_all[s];
        below += s <= sum2 ? of_all[s] : 0;
        above += s >= sum2 ? of_all[s] : 0;
        if (first == 0)
            first = of_all[s];
    }
    double last = of_all[max];
    out->p = fmin(1, 2 * fmin(below, above) / all);
    out->least_p = fmin(1, 2 * fmin(first, last) / all);
    out->exact = true;
    free(ways);
}

void rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
               struct rank_test *out)
{
    *out = (struct rank_test){NAN, NAN, 1, false};
    if (a_count == 0 || b_count == 0)
        return;
    size_t count = a_count + b_count;
    struct ranked *list = xcalloc(count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct ranked){i < a_count ? a[i] : b[i - a_count], i, 0};
    double ties = take_ranks(list, count);
    size_t sum2 = 0;
    for (size_t i = 0; i < count; i++)
        sum2 += list[i].index < a_count ? list[i].rank2 : 0;
    double na = (double)a_count, nb = (double)b_count, n = (double)count;
    out->u = (double)sum2 / 2 - na * (na + 1) / 2;
    if (count <= RANK_EXACT_MOST) {
        exact_tails(list, count, a_count, sum2, out);
    } else {
        double variance = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
        double distance = fmax(0, fabs(out->u - na * nb / 2) - 0.5);
        out->p = variance > 0 ? p_of_z(distance / sqrt(variance)) : 1;
        out->least_p = 0;
    }
    free(list);
}

struct estimate ratio_of(struct estimate a, struct estimate b)
{
    struct estimate r = {b.value / a.value, NAN, NAN};
    if (!(a.value > 0 && b.value > 0))
        r.value = NAN;
    if (!(a.low > 0 && a.high >= a.value && b.low > 0 && b.high >= b.value) || isnan(r.value))
        return r;
    r.low = r.value * exp(-hypot(log(b.value / b.low), log(a.high / a.value)));
    r.high = r.value * exp(hypot(log(b.high / b.value), log(a.value / a.low)));
    return r;
}

double ratio_p(struct estimate ratio)
{
    if (isnan(ratio.value) || isnan(ratio.low) || isnan(ratio.high))
        return NAN;
    /* The standard error comes from the half of the interval on the side of 1. */
    double reach = ratio.value > 1 ? log(ratio.value / ratio.low) : log(ratio.high / ratio.value);
    double distance = fabs(log(ratio.value));
    if (distance == 0)
        return 1;
    return reach > 0 ? p_of_z(distance / reach * Z_95) : 0;
}

/* Stores the doubled rank of each value in `ranks`. */
static void ranks_of(const double *values, size_t count, double *ranks)
{
    struct ranked *list = xcalloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct ranked){values[i], i, 0};
    take_ranks(list, count);
    for (size_t i = 0; i < count; i++)
        ranks[list[i].index] = (double)list[i].rank2;
    free(list);
}

double rank_correlation(const double *a, const double *b, size_t count)
{
    double *x = xcalloc(2 * count + 1, sizeof *x);
    ranks_of(a, count, x);
    ranks_of(b, count, x + count);
    const double *y = x + count;
    double mean = (double)count + 1; /* of doubled ranks */
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    free(x);
    return count >= 3 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}
