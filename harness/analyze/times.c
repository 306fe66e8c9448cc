/* Implements times.h, which states the rules. */
#include "analyze/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/adjust.h"
#include "analyze/sign_flip.h"
#include "analyze/times_points.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "base/vec.h"

/*
 * The logarithm of b / a, with and without the offset, and what is needed to judge it. A list has a
 * value for each point at first, then for each cell, and finally for each group.
 */
struct value {
    size_t kernel, group, points;
    bool several; /* Both sides have several processes for all points. */
    double with_offset, without;
    double error, offset_error; /* standard errors of the logarithm and of the offset, or NaN */
    double shared, freedom;     /* as in struct timed_pair */
    double beyond, beyond_freedom;
    /* the allowances of a cell and of all points together, also as logarithms */
    double step, contexts;
};

static int compare_by_group(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return x->group < y->group ? -1 : x->group > y->group;
}

/*
 * Returns the median of one member over all values, ignoring NaN. `offset` is the member's offset
 * in the struct.
 */
static double median_of_member(const struct value *list, size_t count, size_t offset,
                               double *scratch)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(&scratch[known], (const char *)&list[i] + offset, sizeof *scratch);
        known += !isnan(scratch[known]);
    }
    return median_in_place(scratch, known);
}

static struct value median_value(const struct value *list, size_t count, double *scratch)
{
    struct value m = {.kernel = list->kernel, .group = list->group, .several = true};
    for (size_t i = 0; i < count; i++) {
        m.points += list[i].points;
        m.several = m.several && list[i].several;
    }
    m.with_offset = median_of_member(list, count, offsetof(struct value, with_offset), scratch);
    m.without = median_of_member(list, count, offsetof(struct value, without), scratch);
    m.error = median_of_member(list, count, offsetof(struct value, error), scratch);
    m.offset_error = median_of_member(list, count, offsetof(struct value, offset_error), scratch);
    m.shared = median_of_member(list, count, offsetof(struct value, shared), scratch);
    m.freedom = median_of_member(list, count, offsetof(struct value, freedom), scratch);
    m.beyond = median_of_member(list, count, offsetof(struct value, beyond), scratch);
    m.beyond_freedom =
        median_of_member(list, count, offsetof(struct value, beyond_freedom), scratch);
    m.step = median_of_member(list, count, offsetof(struct value, step), scratch);
    m.contexts = median_of_member(list, count, offsetof(struct value, contexts), scratch);
    return m;
}

static struct value value_of_point(const struct timed_pair *pair, const struct times_rule *rule,
                                   const struct problem_offset *group)
{
    double step = rule->margins.step_us;
    double contexts = fmax(step, margin_of_contexts(&rule->margins));
    bool known = group->kernels >= OFFSET_KERNELS_MIN;
    double mean = (pair->a.value + pair->b.value) / 2;
    return (struct value){
        .kernel = pair->kernel,
        .group = pair->group,
        .points = 1,
        .several = pair_is_known_by_several(pair),
        .with_offset = log(pair->b.value / pair->a.value),
        .without = log(pair_ratio_moved(pair, group->removed_us).value),
        .error = group->inflation * pair_standard_error(pair, step) / mean,
        .shared = group->inflation * pair->shared,
        .freedom = pair_freedom(pair),
        .beyond = pair->placed ? group->inflation * pair->beyond : 0,
        .beyond_freedom = pair->beyond_freedom,
        .offset_error = known ? group->error_us / mean : 0,
        .step = pair_widening(pair, known ? step : contexts),
        .contexts = pair_widening(pair, contexts),
    };
}

struct placed {
    uint32_t index, kernel, group;
};

/* Sorts points by kernel and, within a kernel, by group. */
static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

/*
 * Returns a list of the values of the cells, sorted by kernel and then by group. The caller frees
 * the list. The points of one cell are handled at a time, because the values of 10^6 points would
 * take 80 MB.
 */
static struct value *values_of_cells(struct timed_pairs pairs, const struct times_rule *rule,
                                     struct times *t)
{
    VEC(struct value) cells = {0}, points = {0};
    VEC(double) scratch = {0};
    struct placed *order = xmalloc((pairs.count + 1) * sizeof *order);
    for (size_t i = 0; i < pairs.count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        order[i] = (struct placed){(uint32_t)i, pair.kernel, pair.group};
    }
    qsort(order, pairs.count, sizeof *order, compare_placed);
    for (size_t i = 0; i < pairs.count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, order[i].index);
        vec_push(&points, value_of_point(&pair, rule, &t->groups[pair.group]));
        if (i + 1 < pairs.count && compare_placed(&order[i], &order[i + 1]) == 0)
            continue;
        vec_reserve(&scratch, points.count);
        vec_push(&cells, median_value(points.items, points.count, scratch.items));
        points.count = 0;
    }
    t->cell_count = cells.count;
    free(order);
    vec_free(&points);
    vec_free(&scratch);
    return cells.items;
}

/* Replaces the values of each group's cells with their median, and returns the number of groups. */
static size_t merge_groups(struct value *list, size_t count)
{
    size_t left = 0;
    double *scratch = xmalloc((count + 1) * sizeof *scratch);
    if (count)
        qsort(list, count, sizeof *list, compare_by_group);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && list[end].group == list[first].group;)
            end++;
        list[left++] = median_value(list + first, end - first, scratch);
    }
    free(scratch);
    return left;
}

/*
 * Converts the logarithm of a ratio to a relative change, and returns this or the minimum effect,
 * whichever is larger. NaN stays NaN.
 */
static double detectable_from(double logarithm, const struct times_rule *rule)
{
    double share = exp(logarithm) - 1;
    return share < rule->minimum_effect ? rule->minimum_effect : share;
}

/* Adjusts the p values of a family of effects, and sets the effects' verdicts. */
static void judge_family(struct effect *effects, size_t count, const struct times_rule *rule)
{
    double *p = xmalloc((count + 1) * sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = effects[i].p;
    holm(p, count, p);
    for (size_t i = 0; i < count; i++) {
        effects[i].p_family = p[i];
        effects[i].verdict =
            time_verdict(p[i] <= rule->error_rate, effects[i].ratio, rule->minimum_effect);
    }
    free(p);
}

/*
 * Returns whether another one of a kernel's cells changed significantly in the same direction as
 * cell i.
 */
static bool has_company(const struct effect *cells, size_t count, size_t i, double error_rate)
{
    for (size_t j = 0; j < count; j++)
        if (j != i && (cells[j].ratio.value > 1) == (cells[i].ratio.value > 1) &&
            cells[j].p * (double)(count - 1) <= error_rate)
            return true;
    return false;
}

/*
 * If a kernel changed in only one cell, sets that cell's verdict to UNKNOWN. Cells that several
 * processes measured on both sides keep their verdicts.
 */
static void leave_lone_cells(const struct value *list, const struct times_rule *rule,
                             struct times *t)
{
    for (size_t first = 0, end; first < t->cell_count; first = end) {
        for (end = first; end < t->cell_count && t->cells[end].kernel == t->cells[first].kernel;)
            end++;
        for (size_t i = first; i < end; i++) {
            struct effect *c = &t->cells[i];
            c->alone = time_is_change(c->verdict) && !list[i].several &&
                       !has_company(t->cells + first, end - first, i - first, rule->error_rate);
            t->cells_alone += c->alone;
        }
    }
    for (size_t i = 0; i < t->cell_count; i++)
        if (t->cells[i].alone) {
            t->cells[i].verdict = TIME_UNKNOWN;
            t->cells[i].ratio.low = t->cells[i].ratio.high = NAN;
        }
}

enum { CELL_POINTS_MIN = 3 };

/*
 * Returns the error that all of a kernel's points have in common, due to placements and processes.
 */
static struct spread spread_in_common(const struct value *v)
{
    struct spread shared = {v->shared, v->freedom};
    return v->beyond > 0 ? spread_together(shared, (struct spread){v->beyond, v->beyond_freedom})
                         : shared;
}

/*
 * Returns the error of a cell's value, the median over its points. The error that the points share
 * does not shrink with the number of points.
 */
static struct spread spread_of_cell(const struct value *v)
{
    double own = sqrt(fmax(0, v->error * v->error - v->shared * v->shared - v->beyond * v->beyond));
    if (isnan(v->error))
        own = NAN;
    return spread_together(
        (struct spread){hypot(median_error(v->points) * own, v->offset_error), INFINITY},
        spread_in_common(v));
}

static void judge_cells(const struct value *list, const struct times_rule *rule, struct times *t)
{
    size_t tested = 0;
    for (size_t i = 0; i < t->cell_count; i++)
        tested += list[i].points >= CELL_POINTS_MIN && !isnan(list[i].error);
    double level = rule->error_rate / (double)tested;
    for (size_t i = 0; i < t->cell_count; i++) {
        const struct value *v = &list[i];
        struct spread spread = spread_of_cell(v);
        double width = spread_quantile(rule->error_rate, spread.freedom) * spread.error + v->step;
        if (v->points < CELL_POINTS_MIN)
            spread.error = width = NAN;
        t->cells[i] = (struct effect){
            .kernel = v->kernel,
            .group = v->group,
            .points = v->points,
            .groups = 1,
            .ratio = {exp(v->without), exp(v->without - width), exp(v->without + width)},
            .p = student_tail(fdim(fabs(v->without), v->step) / spread.error, spread.freedom),
            .detectable = detectable_from(
                spread_quantile(level, spread.freedom) * spread.error + v->step, rule),
        };
    }
    judge_family(t->cells, t->cell_count, rule);
    if (!rule->margins.one_process)
        leave_lone_cells(list, rule, t);
}

/* Logarithms of ratios that are averaged, with the allowance and the weight of each. */
struct logarithms {
    double *values, *allowances, *weights;
    size_t count;
};

static struct logarithms logarithms_make(size_t room)
{
    double *values = xmalloc((3 * room + 1) * sizeof *values);
    return (struct logarithms){values, values + room, values + 2 * room, 0};
}

/*
 * Adds `value`, the logarithm of b / a in one problem, to the list. Its weight is the inverse
 * square of the problem's allowance, error and minimum effect combined. The minimum effect limits
 * the weights, so that a few problems with long times do not decide the result alone. Swapping a
 * and b does not change the weights.
 */
static void logarithms_add(struct logarithms *l, double value, double allowance, double error,
                           const struct times_rule *rule)
{
    double off = hypot(hypot(allowance, isnan(error) ? 0 : error), log1p(rule->minimum_effect));
    l->values[l->count] = value;
    l->allowances[l->count] = allowance;
    l->weights[l->count++] = off > 0 ? 1 / (off * off) : 1;
}

/*
 * Fills `e` with the weighted mean of the logarithms in `l`, its interval and its p. `shared` is
 * the error that all logarithms have in common. `family` is the number of means that are judged
 * together.
 */
static void examine_mean(const struct logarithms *l, struct spread shared,
                         const struct times_rule *rule, size_t family, struct effect *e)
{
    struct sign_flips flips;
    double low, high, allowance = weighted_mean(l->allowances, l->weights, l->count);
    double common = spread_quantile(rule->error_rate, shared.freedom) * shared.error;
    sign_flips_make(l->values, l->weights, l->count, &flips);
    e->groups = l->count;
    e->p = sign_flips_p(&flips, 0);
    if (shared.error > 0)
        e->p = fmax(e->p,
                    student_tail(fdim(fabs(flips.mean), allowance) / shared.error, shared.freedom));
    sign_flips_interval(&flips, rule->error_rate, &low, &high);
    e->ratio = (struct estimate){exp(flips.mean),
                                 exp(flips.mean - hypot(flips.mean - low, common) - allowance),
                                 exp(flips.mean + hypot(high - flips.mean, common) + allowance)};
    sign_flips_interval(&flips, rule->error_rate / (double)family, &low, &high);
    common = spread_quantile(rule->error_rate / (double)family, shared.freedom) * shared.error;
    double width = hypot(fmax(flips.mean - low, high - flips.mean), common) + allowance;
    e->detectable = isnan(low) ? NAN : detectable_from(width, rule);
    sign_flips_free(&flips);
}

/*
 * Returns the error that all values of a kernel have in common. One part is due to the placements,
 * which are the same in all problems. The other part is the remaining difference between processes,
 * as the median over the problems. A median is not affected by a process that deviates in a single
 * problem; only the verdict on the cell in that problem takes this into account.
 */
static struct spread spread_of_kernel(const struct value *list, const double *weights, size_t count)
{
    struct value usual = {.freedom = INFINITY, .beyond_freedom = list->beyond_freedom};
    double *values = xmalloc((count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = list[i].shared;
        usual.freedom = fmin(usual.freedom, list[i].freedom);
    }
    usual.shared = weighted_mean(values, weights, count);
    for (size_t i = 0; i < count; i++)
        values[i] = list[i].beyond;
    usual.beyond = weighted_median(values, weights, count);
    free(values);
    return spread_in_common(&usual);
}

static void judge_kernels(const struct value *list, const struct times_rule *rule, struct times *t)
{
    size_t count = t->cell_count, family = 0;
    struct logarithms l = logarithms_make(count);
    for (size_t i = 0; i < count; i++)
        family += i == 0 || list[i].kernel != list[i - 1].kernel;
    for (size_t first = 0, end; first < count; first = end) {
        struct effect *kernel = &t->kernels[list[first].kernel];
        l.count = 0;
        for (end = first; end < count && list[end].kernel == list[first].kernel; end++) {
            logarithms_add(&l, list[end].without, list[end].step, spread_of_cell(&list[end]).error,
                           rule);
            kernel->points += list[end].points;
        }
        examine_mean(&l, spread_of_kernel(list + first, l.weights, l.count), rule, family, kernel);
    }
    judge_family(t->kernels, t->kernel_count, rule);
    free(l.values);
}

static void judge_all(const struct value *list, size_t count, const struct times_rule *rule,
                      struct times *t)
{
    struct logarithms l = logarithms_make(count);
    for (size_t i = 0; i < count; i++)
        logarithms_add(&l, list[i].with_offset, list[i].contexts, list[i].error, rule);
    examine_mean(&l, (struct spread){0, INFINITY}, rule, 1, &t->all);
    t->all.points = t->point_count;
    judge_family(&t->all, 1, rule);
    free(l.values);
}

void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out)
{
    size_t count = pairs.count;
    const struct effect none = {.ratio = {NAN, NAN, NAN}, .p = NAN, .detectable = NAN};
    *out = (struct times){.group_count = groups, .point_count = count, .kernel_count = kernels};
    out->groups = xcalloc(groups + 1, sizeof *out->groups);
    out->points = xcalloc(count + 1, sizeof *out->points);
    out->kernels = xcalloc(kernels + 1, sizeof *out->kernels);
    for (size_t i = 0; i < kernels; i++) {
        out->kernels[i] = none;
        out->kernels[i].kernel = i;
    }
    out->all = none;
    problem_offsets(pairs, groups, &rule->margins, out->groups);
    times_judge_points(pairs, rule, out);

    struct value *list = values_of_cells(pairs, rule, out);
    out->cells = xcalloc(out->cell_count + 1, sizeof *out->cells);
    judge_cells(list, rule, out);
    judge_kernels(list, rule, out);
    judge_all(list, merge_groups(list, out->cell_count), rule, out);
    free(list);
}

void times_free(struct times *t)
{
    free(t->groups);
    free(t->points);
    free(t->cells);
    free(t->kernels);
    memset(t, 0, sizeof *t);
}
