/* Implements change_points.h. */
#include "analyze/change_points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { SMALLEST_PART = 2, SMALLEST_SERIES = 8, ORDERS = 999 };

struct split {
    size_t at;
    double statistic;
};

/*
 * Finds the best split by moving values to the left part one by one and updating the sums of
 * distances.
 */
static struct split best_split(const double *x, size_t count)
{
    struct split best = {0, -INFINITY};
    /*
     * sums of the distances between two values that are both in the left part, both in the right
     * part, or in different parts
     */
    double left = 0, right = 0, across = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            right += fabs(x[i] - x[j]);
    for (size_t at = 1; at < count; at++) {
        double to_left = 0, to_right = 0;
        for (size_t i = 0; i < at - 1; i++)
            to_left += fabs(x[at - 1] - x[i]);
        for (size_t i = at; i < count; i++)
            to_right += fabs(x[at - 1] - x[i]);
        left += to_left;
        right -= to_right;
        across += to_right - to_left;
        double m = (double)at, n = (double)(count - at);
        if (at < SMALLEST_PART || count - at < SMALLEST_PART)
            continue;
        double statistic =
            m * n / (m + n) * (2 * across / (m * n) - 2 * left / (m * m) - 2 * right / (n * n));
        if (statistic > best.statistic)
            best = (struct split){at, statistic};
    }
    return best;
}

/* Returns the share of random orders whose best split is at least as good as the observed one. */
static double split_p(const double *values, size_t count, double statistic, size_t orders)
{
    double *shuffled = xmalloc(count * sizeof *shuffled);
    memcpy(shuffled, values, count * sizeof *shuffled);
    uint64_t seed = 0x9E3779B97F4A7C15u;
    size_t reached = 1;
    for (size_t k = 0; k < orders; k++) {
        for (size_t i = count - 1; i > 0; i--) {
            size_t j = (size_t)(random_next(&seed) % (i + 1));
            double kept = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = kept;
        }
        reached += best_split(shuffled, count).statistic >= statistic * (1 - 1e-12);
    }
    free(shuffled);
    return (double)reached / (double)(orders + 1);
}

static size_t search(const double *values, size_t from, size_t to, double alpha,
                     struct change_point *out)
{
    size_t count = to - from, orders = ORDERS;
    if (count < 2 * SMALLEST_PART)
        return 0;
    while (1 / (double)(orders + 1) > alpha / 2)
        orders = 2 * orders + 1;
    struct split split = best_split(values + from, count);
    double p = split_p(values + from, count, split.statistic, orders);
    if (p > alpha || !(split.statistic > 0))
        return 0;
    size_t found = search(values, from, from + split.at, alpha, out);
    out[found++] = (struct change_point){.at = from + split.at, .p = p};
    return found + search(values, from + split.at, to, alpha, out + found);
}

static double mean(const double *values, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += values[i];
    return sum / (double)(to - from);
}

size_t change_points_find(const double *values, size_t count, double alpha,
                          struct change_point *out)
{
    size_t found = count < SMALLEST_SERIES ? 0 : search(values, 0, count, alpha, out);
    for (size_t i = 0; i < found; i++) {
        out[i].before = mean(values, i ? out[i - 1].at : 0, out[i].at);
        out[i].after = mean(values, out[i].at, i + 1 < found ? out[i + 1].at : count);
    }
    return found;
}

size_t change_points_fewest(double alpha)
{
    double orders = 70; /* 8 choose 4 */
    size_t count = SMALLEST_SERIES;
    while (2 / orders > alpha) {
        count++;
        size_t rest = count - count / 2;
        orders *= (double)count / (double)rest; /* n choose n / 2 */
    }
    return count;
}
