/* Implements times_points.h and time_verdict() of times.h, which states the rules. */
#include "analyze/times_points.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/adjust.h"
#include "analyze/unrest.h"
#include "base/memory.h"
#include "base/statistics.h"

enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect)
{
    double most = 1 + minimum_effect, least = 1 / most;
    if (significant && ratio.low > 1 && ratio.value > most)
        return TIME_SLOW;
    if (significant && ratio.high < 1 && ratio.value < least)
        return TIME_FAST;
    if (ratio.low >= least && ratio.high <= most)
        return TIME_SAME;
    return TIME_UNKNOWN;
}

/*
 * Returns the samples minus `shift_us`, rounded to picoseconds, the unit in which samples are
 * recorded. The results are integers, so samples that are equal after a shift are exactly equal.
 */
static double *in_picoseconds(const double *samples, size_t count, double shift_us)
{
    double *moved = xmalloc((count + 1) * sizeof *moved), shift = round(shift_us * 1e6);
    for (size_t i = 0; i < count; i++)
        moved[i] = round(samples[i] * 1e6) - shift;
    return moved;
}

static struct rank_test test_moved(const struct timed_pair *pair, double shift_us)
{
    struct rank_test test;
    double *a = in_picoseconds(pair->samples_a, pair->count_a, 0);
    double *b = in_picoseconds(pair->samples_b, pair->count_b, shift_us);
    rank_test(a, pair->count_a, b, pair->count_b, &test);
    free(a);
    free(b);
    return test;
}

/* Adds `us` to an estimate's value and both ends. */
static struct estimate moved_by(struct estimate e, double us)
{
    return (struct estimate){e.value + us, e.low + us, e.high + us};
}

struct estimate pair_ratio_moved(const struct timed_pair *pair, double us)
{
    return ratio_of(moved_by(pair->a, us / 2), moved_by(pair->b, -us / 2));
}

double pair_widening(const struct timed_pair *pair, double us)
{
    double sum = pair->a.value + pair->b.value;
    return us < sum ? log((sum + us) / (sum - us)) : INFINITY;
}

static struct estimate widened(struct estimate ratio, double inflation, double log_allowance)
{
    ratio.low = ratio.value * exp(log(ratio.low / ratio.value) * inflation - log_allowance);
    ratio.high = ratio.value * exp(log(ratio.high / ratio.value) * inflation + log_allowance);
    return ratio;
}

/*
 * If there are infinitely many degrees of freedom, as for nearly all points of older runs, the t
 * distribution is the normal distribution, which is faster to compute.
 */
double spread_quantile(double p, double freedom)
{
    return isinf(freedom) ? z_of_p(p) : student_quantile(p, freedom);
}

struct spread spread_together(struct spread a, struct spread b)
{
    double aa = a.error * a.error, bb = b.error * b.error;
    double weights = (aa > 0 ? aa * aa / a.freedom : 0) + (bb > 0 ? bb * bb / b.freedom : 0);
    return (struct spread){hypot(a.error, b.error),
                           weights > 0 ? (aa + bb) * (aa + bb) / weights : INFINITY};
}

double pair_freedom(const struct timed_pair *pair)
{
    return pair->placed ? pair->freedom : INFINITY;
}

/*
 * Returns the spread of ln(b / a) for a point. The error includes the differences between the
 * processes of a side (Birge, Physical Review 40, 1932). The degrees of freedom, in contrast, are
 * only those within processes. A side usually has two or three processes, and with so few degrees
 * of freedom, a change of one point among hundreds could never be detected. gap_of() guards against
 * a single process that is far from the others.
 */
static struct spread spread_of_point(const struct timed_pair *pair,
                                     const struct problem_offset *group, double step_us)
{
    double mean = (pair->a.value + pair->b.value) / 2;
    return (struct spread){group->inflation * pair_standard_error(pair, step_us) / mean,
                           pair_freedom(pair)};
}

/* Returns `a` or `b`, whichever is closer to 0, or 0 if their signs differ. */
static double smaller_gap(double a, double b)
{
    return a * b <= 0 ? 0 : copysign(fmin(fabs(a), fabs(b)), a);
}

bool pair_is_known_by_several(const struct timed_pair *pair)
{
    return pair->placed && pair->processes > 1;
}

/*
 * Returns by how many µs b exceeds a, without the offset. If the means and the medians of both
 * times are known, the smaller of their differences counts: with bimodal samples, a median can
 * jump, and a few samples of the far mode can move a mean. With several processes per side, the
 * difference between the two closest processes of a and b is the limit, so that one outlying
 * process does not look like a change.
 */
static double gap_of(const struct timed_pair *pair, double offset_us)
{
    double gap = pair->b.value - pair->a.value - offset_us;
    if (pair->placed)
        gap = smaller_gap(gap, pair->median_b - pair->median_a - offset_us);
    if (pair_is_known_by_several(pair))
        gap = smaller_gap(gap, (gap > 0 ? pair->least_us : pair->most_us) - offset_us);
    return gap;
}

/* What the verdict on a point depends on, besides its effect and its family. */
struct examined {
    struct spread spread;
    double reach; /* the largest z that the point's test can give with this many samples */
};

/*
 * Fills in everything in `p` that does not depend on the point's family. unrest_of_others()
 * computes `unrest` (unrest.h).
 */
static struct examined examine_point(const struct timed_pair *pair,
                                     const struct problem_offset *group,
                                     const struct run_margins *margins, double unrest,
                                     struct point_effect *p)
{
    *p = (struct point_effect){.offset_us = group->removed_us, .p = NAN, .p_family = NAN};
    bool known = group->kernels >= OFFSET_KERNELS_MIN;
    double contexts = margin_of_contexts(margins), placement = margin_of_placement(margins);
    p->unrest = margins->one_process ? NAN : unrest;
    p->allowance_us = (known ? placement : fmax(contexts, placement)) +
                      unrest * (pair->a.value + pair->b.value) / 2;
    struct spread spread = spread_of_point(pair, group, margins->step_us);
    p->ratio = widened(pair_ratio_moved(pair, p->offset_us),
                       group->inflation * spread_quantile(1 - 0.95, spread.freedom) / Z_95,
                       pair_widening(pair, p->allowance_us));
    double gap = gap_of(pair, p->offset_us);
    double shift = p->offset_us + fmax(-p->allowance_us, fmin(p->allowance_us, gap));
    struct rank_test test = test_moved(pair, shift);
    p->from_interval = isnan(test.p);
    double distance = pair_widening(pair, fdim(fabs(gap), p->allowance_us));
    double by_spread = student_tail(distance / spread.error, spread.freedom);
    p->p = test.p;
    if (p->from_interval)
        p->p = by_spread;
    else if (group->inflation > 1 && spread.error > 0 && !margins->one_process)
        /*
         * by_spread is computed in any case, because the rank test of few samples cannot give a
         * small p
         */
        p->p = fmax(test.p, by_spread);
    return (struct examined){spread, p->from_interval ? INFINITY : z_of_p(test.least_p)};
}

/*
 * Examines all points. Stores each point's p in `p`, or NaN if the point has none. Returns the size
 * of the family, which is the number of points with a p.
 */
static size_t examine_points(struct timed_pairs pairs, const struct times_rule *rule,
                             struct times *t, double *p, struct examined *examined)
{
    size_t tested = 0;
    double *unrest = xcalloc(pairs.count + 1, sizeof *unrest);
    if (!rule->margins.one_process)
        unrest_of_others(pairs, t->groups, &rule->margins, rule->error_rate, unrest);
    for (size_t i = 0; i < pairs.count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        struct point_effect *point = &t->points[i];
        if (pair_is_known_by_several(&pair))
            unrest[i] = 0;
        examined[i] =
            examine_point(&pair, &t->groups[pair.group], &rule->margins, unrest[i], point);
        p[i] = point->p;
        tested += !isnan(p[i]);
    }
    free(unrest);
    return tested;
}

bool time_is_change(enum time_verdict v)
{
    return v == TIME_SLOW || v == TIME_FAST;
}

/*
 * Returns whether a point that is neither SLOW nor FAST would be if no other point of its problem
 * had moved. `level` is the largest p that is significant in the family.
 */
static bool is_held(const struct timed_pair *pair, const struct times_rule *rule,
                    const struct times *t, const struct point_effect *point, double level)
{
    struct point_effect still;
    if (!(point->unrest > 0) || time_is_change(point->verdict))
        return false;
    (void)examine_point(pair, &t->groups[pair->group], &rule->margins, 0, &still);
    return time_is_change(time_verdict(still.p <= level, still.ratio, rule->minimum_effect));
}

void times_judge_points(struct timed_pairs pairs, const struct times_rule *rule, struct times *t)
{
    double *p = xcalloc(pairs.count + 1, sizeof *p);
    struct examined *examined = xcalloc(pairs.count + 1, sizeof *examined);
    size_t tested = examine_points(pairs, rule, t, p, examined);
    holm(p, pairs.count, p);
    double level = rule->error_rate / (double)tested, critical = z_of_p(level);
    for (size_t i = 0; i < pairs.count; i++) {
        struct timed_pair pair = pairs.get(pairs.context, i);
        struct point_effect *point = &t->points[i];
        struct spread spread = examined[i].spread;
        double error_us = spread.error * (pair.a.value + pair.b.value) / 2;
        double smallest = point->allowance_us + spread_quantile(level, spread.freedom) * error_us;
        point->p_family = p[i];
        point->detectable = examined[i].reach >= critical ? smallest / pair.a.value : NAN;
        if (point->detectable < rule->minimum_effect)
            point->detectable = rule->minimum_effect;
        point->verdict = time_verdict(p[i] <= rule->error_rate, point->ratio, rule->minimum_effect);
        point->held = is_held(&pair, rule, t, point, level);
        t->points_held += point->held;
    }
    free(examined);
    free(p);
}
