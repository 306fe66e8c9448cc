/* Implements problem_offset.h, which states the rules and their sources. */
#include "analyze/problem_offset.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/adjust.h"
#include "base/memory.h"
#include "base/statistics.h"

double margin_of_contexts(const struct run_margins *m)
{
    return m->context_sd_us > 0 ? 2 * M_SQRT2 * m->context_sd_us + m->step_us : 0;
}

double margin_of_placement(const struct run_margins *m)
{
    return m->step_us + m->context_sd_us;
}

double expected_normal_range(int values)
{
    static const double d2[] = {1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970,
                                3.078, 3.173, 3.258, 3.336, 3.407, 3.472, 3.532, 3.588,
                                3.640, 3.689, 3.735, 3.778, 3.819, 3.858, 3.895, 3.931};
    enum { LARGEST = 1 + sizeof d2 / sizeof *d2 };
    if (values < 2)
        return NAN;
    return d2[(values < LARGEST ? values : LARGEST) - 2];
}

double context_sd(double shortest_us, double longest_us, int contexts)
{
    double sd = (longest_us - shortest_us) / expected_normal_range(contexts);
    return sd > 0 ? sd : 0; /* 0 for NaN as well */
}

double median_error(size_t count)
{
    return sqrt(M_PI / 2 / (double)count);
}

double pair_standard_error(const struct timed_pair *pair, double step_us)
{
    double a = (pair->a.high - pair->a.low) / 2 / Z_95;
    double b = (pair->b.high - pair->b.low) / 2 / Z_95;
    /*
     * A rounding error is uniform over half a step. Its standard deviation is the width of this
     * interval divided by √12.
     */
    double least = step_us / 2 / sqrt(12);
    return isnan(a) || isnan(b) ? NAN : fmax(hypot(a, b), least);
}

/*
 * Returns the factor that turns the median absolute deviation of `count` normal values into an
 * estimate of their standard deviation.
 */
static double mad_scale(size_t count)
{
    static const double few[] = {1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    double n = (double)count;
    return 1.4826 * (count < 2 ? 1 : count < 10 ? few[count - 2] : n / (n - 0.8));
}

/*
 * What is needed of a pair, with its sort keys. After sorting, the points of one kernel in one
 * group are contiguous.
 */
struct sorted_pair {
    uint32_t group, kernel;
    double difference, error;
};

static int compare_sorted(const void *a, const void *b)
{
    const struct sorted_pair *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

static double median_difference(const struct sorted_pair *list, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = list[i].difference;
    return median_in_place(scratch, count);
}

/*
 * Returns the scatter of one kernel's differences, in multiples of their standard errors. Returns
 * NaN if fewer than 3 points have a standard error. An offset that all points share has no effect.
 */
static double scatter(const struct sorted_pair *list, size_t count, double *scratch)
{
    double middle = median_difference(list, count, scratch);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].error > 0)
            scratch[known++] = fabs(list[i].difference - middle) / list[i].error;
    return known < 3 ? NAN : mad_scale(known) * median_in_place(scratch, known);
}

/*
 * Returns the standard error of one kernel's median difference, not yet inflated, or NaN if it is
 * unknown.
 */
static double median_standard_error(const struct sorted_pair *list, size_t count, double *scratch)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].error > 0)
            scratch[known++] = list[i].error;
    return known == 0 ? NAN : median_error(count) * median_in_place(scratch, known);
}

/* Computes the offset of one group. `scratch` needs room for 4 numbers per point. */
static struct problem_offset offset_of_group(const struct sorted_pair *list, size_t count,
                                             const struct run_margins *margins, double *scratch)
{
    struct problem_offset o = {.inflation = 1};
    double *medians = scratch + count, *scatters = medians + count, *errors = scatters + count;
    size_t with_scatter = 0, with_error = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].kernel == list[first].kernel;)
            end++;
        medians[o.kernels++] = median_difference(list + first, end - first, scratch);
        double s = scatter(list + first, end - first, scratch);
        if (!isnan(s))
            scatters[with_scatter++] = s;
        double error = median_standard_error(list + first, end - first, scratch);
        if (!isnan(error))
            errors[with_error++] = error;
    }
    o.observed_us = median_in_place(medians, o.kernels);
    double most = margin_of_contexts(margins);
    if (o.kernels >= OFFSET_KERNELS_MIN)
        o.removed_us = fmax(-most, fmin(most, o.observed_us));
    if (with_scatter > 0)
        o.inflation = fmax(1, median_in_place(scatters, with_scatter));
    if (with_error > 0)
        o.error_us = o.inflation * median_error(o.kernels) * median_in_place(errors, with_error);
    return o;
}

/*
 * Raises each group's inflation to at least the median over the groups, because a single group has
 * few points.
 */
static void share_inflation(struct problem_offset *groups, size_t count, double *scratch)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (groups[i].kernels > 0)
            scratch[known++] = groups[i].inflation;
    double usual = median_in_place(scratch, known);
    for (size_t i = 0; i < count; i++)
        if (groups[i].inflation < usual) {
            groups[i].error_us *= usual / groups[i].inflation;
            groups[i].inflation = usual;
        }
}

void problem_offsets(struct timed_pairs pairs, size_t groups, const struct run_margins *margins,
                     struct problem_offset *out)
{
    size_t count = pairs.count;
    struct sorted_pair *list = xmalloc((count + 1) * sizeof *list);
    double *scratch = xmalloc((4 * count + 1) * sizeof *scratch);
    for (size_t i = 0; i < groups; i++)
        out[i] = (struct problem_offset){.observed_us = NAN, .inflation = 1};
    for (size_t i = 0; i < count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        list[i] = (struct sorted_pair){pair.group, pair.kernel, pair.b.value - pair.a.value,
                                       pair_standard_error(&pair, margins->step_us)};
    }
    qsort(list, count, sizeof *list, compare_sorted);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].group == list[first].group;)
            end++;
        out[list[first].group] = offset_of_group(list + first, end - first, margins, scratch);
    }
    share_inflation(out, groups, scratch);
    free(scratch);
    free(list);
}
