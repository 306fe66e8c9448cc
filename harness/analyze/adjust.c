/* Implements adjust.h, which states the rules and their sources. */
#include "analyze/adjust.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

double p_of_z(double z)
{
    return erfc(fabs(z) / M_SQRT2);
}

/*
 * Solves log erfc(x) = log p by Newton's method. The left side is concave and decreasing, so the
 * iterates approach the root from one side after the first step.
 */
double z_of_p(double p)
{
    if (isnan(p) || p <= 0)
        return isnan(p) ? NAN : INFINITY;
    if (p >= 1)
        return 0;
    double x = sqrt(-log(p));
    for (int i = 0; i < 50; i++) {
        double tail = erfc(x);
        double step = (log(tail) - log(p)) * tail * sqrt(M_PI) / 2 * exp(x * x);
        x += step;
        if (fabs(step) <= 1e-15 * x)
            break;
    }
    return x * M_SQRT2;
}

struct indexed {
    double p;
    size_t index;
};

static int compare_p(const void *a, const void *b)
{
    double x = ((const struct indexed *)a)->p, y = ((const struct indexed *)b)->p;
    return (x > y) - (x < y);
}

/*
 * Returns the p values that are not NaN in ascending order, sets *known to how many there are, and
 * fills `adjusted` (which may be `p`) with NaN.
 */
static struct indexed *sort_known(const double *p, size_t count, double *adjusted, size_t *known)
{
    struct indexed *list = xmalloc((count + 1) * sizeof *list);
    *known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(p[i]))
            list[(*known)++] = (struct indexed){p[i], i};
        adjusted[i] = NAN;
    }
    qsort(list, *known, sizeof *list, compare_p);
    return list;
}

void holm(const double *p, size_t count, double *adjusted)
{
    size_t known;
    struct indexed *list = sort_known(p, count, adjusted, &known);
    double largest = 0;
    for (size_t i = 0; i < known; i++) {
        largest = fmax(largest, fmin(1, list[i].p * (double)(known - i)));
        adjusted[list[i].index] = largest;
    }
    free(list);
}

/*
 * Runs from the largest p down: q is the minimum of p·m/rank over this rank and all larger ones,
 * where m is the number of tests.
 */
void false_discovery(const double *p, size_t count, double *q)
{
    size_t known;
    struct indexed *list = sort_known(p, count, q, &known);
    double smallest = 1;
    for (size_t i = known; i > 0; i--) {
        smallest = fmin(smallest, list[i - 1].p * (double)known / (double)i);
        q[list[i - 1].index] = smallest;
    }
    free(list);
}
