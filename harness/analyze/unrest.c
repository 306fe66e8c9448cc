/* Implements unrest.h. */
#include "analyze/unrest.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"

enum { BEYOND_OTHERS = 2 };

/*
 * A point's movement beyond the group's offset, as a logarithm, and the movement's weight, 1 /
 * error².
 */
struct moved {
    uint32_t index, group, kernel;
    double log, weight;
};

/*
 * The chi-squared statistic `q` of some points' movements, its degrees of freedom, and the longest
 * of the movements.
 */
struct movement {
    double q, longest;
    int freedom;
};

/* The points of one kernel in one group. */
struct kernel_points {
    const struct moved *list;
    size_t count;
    struct movement own; /* the points' movement relative to their mean */
};

static int compare_moved(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

static void add_move(struct movement *m, double log, double weight)
{
    m->q += weight * log * log;
    m->freedom++;
    m->longest = fmax(m->longest, fabs(log));
}

static struct movement about_mean(const struct moved *list, size_t count)
{
    struct movement m = {0};
    double weight = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        weight += list[i].weight;
        sum += list[i].weight * list[i].log;
    }
    for (size_t i = 0; i < count; i++)
        if (list[i].weight > 0)
            add_move(&m, list[i].log - sum / weight, list[i].weight);
    m.freedom -= m.freedom > 0;
    return m;
}

/*
 * Adds to `m` the points of a kernel that moved in one direction from the group's offset: down if
 * `side` is −1, up if it is 1.
 */
static void add_side(const struct kernel_points *k, int side, struct movement *m)
{
    for (size_t i = 0; i < k->count; i++)
        if (side * k->list[i].log > 0 && k->list[i].weight > 0)
            add_move(m, k->list[i].log, k->list[i].weight);
}

static double unrest(const struct movement *m, double error_rate)
{
    bool still = m->freedom < 1 || chi_squared_tail(m->q, m->freedom) > error_rate;
    return still ? 0 : BEYOND_OTHERS * m->longest;
}

/*
 * Fills `out` for the points of a kernel. `others` is the movement of the points of the group's
 * other kernels.
 */
static void judge_kernel(const struct kernel_points *k, struct movement others, double error_rate,
                         double *out)
{
    struct movement against_more = others, against_less = others, against_all;
    add_side(k, -1, &against_more);
    against_all = against_more;
    add_side(k, 1, &against_less);
    add_side(k, 1, &against_all);
    for (size_t i = 0; i < k->count; i++)
        out[k->list[i].index] = unrest(k->list[i].log > 0   ? &against_more
                                       : k->list[i].log < 0 ? &against_less
                                                            : &against_all,
                                       error_rate);
}

/*
 * Returns the movement of the points of all kernels except kernels[but], each relative to its
 * kernel's mean.
 */
static struct movement movement_but(const struct kernel_points *kernels, size_t count, size_t but)
{
    struct movement m = {0};
    for (size_t i = 0; i < count; i++)
        if (i != but) {
            m.q += kernels[i].own.q;
            m.freedom += kernels[i].own.freedom;
            m.longest = fmax(m.longest, kernels[i].own.longest);
        }
    return m;
}

/*
 * Fills `out` for the points of a group. `kernels` is scratch space for as many entries as the
 * group has points.
 */
static void judge_group(const struct moved *list, size_t count, double error_rate,
                        struct kernel_points *kernels, double *out)
{
    size_t known = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_moved(&list[end], &list[first]) == 0;)
            end++;
        kernels[known++] = (struct kernel_points){list + first, end - first,
                                                  about_mean(list + first, end - first)};
    }
    for (size_t i = 0; i < known; i++)
        judge_kernel(&kernels[i], movement_but(kernels, known, i), error_rate, out);
}

static struct moved moved_of(const struct timed_pair *pair, uint32_t index,
                             const struct problem_offset *offset, double step_us)
{
    double mean = (pair->a.value + pair->b.value) / 2, half = offset->removed_us / 2;
    double error = offset->inflation * pair_standard_error(pair, step_us) / mean;
    struct moved m = {.index = index,
                      .group = pair->group,
                      .kernel = pair->kernel,
                      .log = log((pair->b.value - half) / (pair->a.value + half)),
                      .weight = error > 0 ? 1 / (error * error) : 0};
    if (!isfinite(m.log))
        m.log = m.weight = 0;
    return m;
}

void unrest_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                      const struct run_margins *margins, double error_rate, double *out)
{
    size_t count = pairs.count;
    struct moved *list = xmalloc((count + 1) * sizeof *list);
    struct kernel_points *kernels = xmalloc((count + 1) * sizeof *kernels);
    for (size_t i = 0; i < count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        list[i] = moved_of(&pair, (uint32_t)i, &offsets[pair.group], margins->step_us);
    }
    qsort(list, count, sizeof *list, compare_moved);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].group == list[first].group;)
            end++;
        judge_group(list + first, end - first, error_rate, kernels, out);
    }
    free(kernels);
    free(list);
}
