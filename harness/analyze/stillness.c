/*
 * Whether the other points of a problem hold still: see stillness.h.
 */
#include "analyze/stillness.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistics.h"

/* One point: how far it moved beyond the group's offset, in µs, and its weight, 1 / error². */
struct moved {
    uint32_t index, group, kernel;
    double us, weight;
};

/* Chi-squared with its degrees of freedom. */
struct spread {
    double q;
    int freedom;
};

static int compare_moved(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

static struct spread spread_of_kernel(const struct moved *list, size_t count)
{
    struct spread s = {0};
    double weight = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        weight += list[i].weight;
        sum += list[i].weight * list[i].us;
    }
    for (size_t i = 0; i < count && weight > 0; i++) {
        double from_mean = list[i].us - sum / weight;
        s.q += list[i].weight * from_mean * from_mean;
        s.freedom += list[i].weight > 0;
    }
    s.freedom -= s.freedom > 0;
    return s;
}

/* Adds the points on one side of the offset: `side` −1 or 1. */
static void add_side(const struct moved *list, size_t count, int side, struct spread *s)
{
    for (size_t i = 0; i < count; i++)
        if (side * list[i].us > 0 && list[i].weight > 0) {
            s->q += list[i].weight * list[i].us * list[i].us;
            s->freedom++;
        }
}

static double p_of_spread(const struct spread *s)
{
    return s->freedom > 0 ? chi_squared_tail(s->q, s->freedom) : 1;
}

/* The points of one kernel in one group; `others` is the spread of the other kernels there. */
static void judge_kernel(const struct moved *list, size_t count, struct spread others, double *p)
{
    struct spread against_more = others, against_less = others, against_all;
    add_side(list, count, -1, &against_more);
    against_all = against_more;
    add_side(list, count, 1, &against_less);
    add_side(list, count, 1, &against_all);
    double more = p_of_spread(&against_more), less = p_of_spread(&against_less);
    double all = p_of_spread(&against_all);
    for (size_t i = 0; i < count; i++)
        p[list[i].index] = list[i].us > 0 ? more : list[i].us < 0 ? less : all;
}

static size_t end_of_kernel(const struct moved *list, size_t first, size_t count)
{
    size_t end = first;
    while (end < count && compare_moved(&list[end], &list[first]) == 0)
        end++;
    return end;
}

static void judge_group(const struct moved *list, size_t count, double *p)
{
    struct spread all = {0};
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_kernel(list, first, count);
        struct spread own = spread_of_kernel(list + first, end - first);
        all.q += own.q;
        all.freedom += own.freedom;
    }
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_kernel(list, first, count);
        struct spread own = spread_of_kernel(list + first, end - first);
        struct spread others = {fmax(0, all.q - own.q), all.freedom - own.freedom};
        judge_kernel(list + first, end - first, others, p);
    }
}

void stillness_of_others(struct timed_pairs pairs, const struct problem_offset *offsets,
                         const struct run_margins *margins, double *p)
{
    size_t count = pairs.count;
    struct moved *list = xmalloc((count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        const struct problem_offset *offset = &offsets[pair.group];
        double error = offset->inflation * pair_standard_error(&pair, margins->step_us);
        list[i] = (struct moved){.index = (uint32_t)i,
                                 .group = pair.group,
                                 .kernel = pair.kernel,
                                 .us = pair.b.value - pair.a.value - offset->removed_us,
                                 .weight = error > 0 ? 1 / (error * error) : 0};
    }
    qsort(list, count, sizeof *list, compare_moved);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].group == list[first].group;)
            end++;
        judge_group(list + first, end - first, p);
    }
    free(list);
}
