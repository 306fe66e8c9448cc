/*
 * p values of many tests: see adjust.h for the rules and where they come from.
 */
#include "analyze/adjust.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

double p_of_z(double z)
{
    return erfc(fabs(z) / M_SQRT2);
}

/*
 * Newton's method on log erfc(x) = log p. The left side is concave and falls, so from the second
 * step on the iterates approach the root from one side.
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

double p_deflated(double p, double inflation)
{
    return inflation > 1 ? p_of_z(z_of_p(p) / inflation) : p;
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

void holm(const double *p, size_t count, double *adjusted)
{
    struct indexed *list = xmalloc((count + 1) * sizeof *list);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(p[i]))
            list[known++] = (struct indexed){p[i], i};
        adjusted[i] = NAN;
    }
    qsort(list, known, sizeof *list, compare_p);
    double largest = 0;
    for (size_t i = 0; i < known; i++) {
        largest = fmax(largest, fmin(1, list[i].p * (double)(known - i)));
        adjusted[list[i].index] = largest;
    }
    free(list);
}
