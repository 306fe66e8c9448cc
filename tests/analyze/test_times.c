/*
 * Checks verdicts on times. Some tests use values calculated by hand. Others use simulated pairs of
 * runs, in which processes and placements have offsets. test_recorded.c uses recorded runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../near.h"
#include "../random.h"

#include "recorded.h"

#include "analyze/adjust.h"

static uint64_t seed;

static void test_table_of_verdicts(void **state)
{
    (void)state;
    const struct {
        bool significant;
        struct estimate ratio;
        enum time_verdict verdict;
    } cases[] = {
        {true, {1.03, 1.01, 1.05}, TIME_SLOW},
        {true, {0.97, 0.95, 0.99}, TIME_FAST},
        /* Without `true`, the effect is not significant within its family of tests. */
        {false, {1.03, 1.01, 1.05}, TIME_UNKNOWN},
        {false, {0.97, 0.95, 0.99}, TIME_UNKNOWN},
        {true, {1.03, 0.99, 1.07}, TIME_UNKNOWN}, /* The interval contains 1. */
        {true, {0.97, 0.93, 1.01}, TIME_UNKNOWN},
        {true, {1.005, 1.002, 1.008}, TIME_SAME}, /* too small to matter */
        {true, {0.995, 0.992, 0.998}, TIME_SAME},
        {true, {1.009, 1.002, 1.016}, TIME_UNKNOWN}, /* may be large enough */
        {false, {1, 0.995, 1.005}, TIME_SAME},
        {false, {1, 0.97, 1.03}, TIME_UNKNOWN},
        {false, {1, 0.985, 1.005}, TIME_UNKNOWN},
        {true, {1.03, NAN, NAN}, TIME_UNKNOWN},
        {true, {NAN, NAN, NAN}, TIME_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(time_verdict(cases[i].significant, cases[i].ratio, 0.01),
                         cases[i].verdict);
}

/* The expected range of k normal values must equal the integral ∫ 1 − (1 − Φ)^k − Φ^k. */
static void test_expected_range(void **state)
{
    (void)state;
    for (int k = 2; k <= 25; k++) {
        double range = 0, width = 0.001;
        for (double x = -9; x < 9; x += width) {
            double below = erfc(-(x + width / 2) / M_SQRT2) / 2;
            range += width * (1 - pow(1 - below, k) - pow(below, k));
        }
        assert_near(expected_normal_range(k), range, 0.001);
    }
    assert_near(expected_normal_range(100), 3.931, 0);
    assert_true(isnan(expected_normal_range(1)));
    assert_near(context_sd(4.3, 4.6258, 12), 0.1, 1e-9);
    assert_near(context_sd(4.3, NAN, 12), 0, 0);
    assert_near(context_sd(4.3, 4.3, 12), 0, 0);
    assert_near(context_sd(4.3, 4.6, 1), 0, 0);
    const struct run_margins two = {0.03, 0.1, false}, one = {0.03, 0, true};
    assert_near(margin_of_contexts(&two), 0.2 * M_SQRT2 + 0.03, 1e-12);
    assert_near(margin_of_placement(&two), 0.13, 1e-12);
    assert_near(margin_of_contexts(&one), 0, 0); /* Within one process, the margin is 0. */
    assert_near(margin_of_placement(&one), 0.03, 0);
}

static struct timed_pair simple(size_t kernel, double a, double b)
{
    return (struct timed_pair){
        .kernel = kernel, .a = {a, a - 0.02, a + 0.02}, .b = {b, b - 0.02, b + 0.02}};
}

static void test_offsets_by_hand(void **state)
{
    (void)state;
    struct run_margins margins = {0.032, 0.05, false}; /* The margin of contexts is 0.173. */
    struct timed_pair pairs[] = {
        simple(0, 5, 5.1),  simple(0, 6, 6.12), simple(0, 7, 7.5), /* The median is 0.12. */
        simple(1, 5, 5.08), simple(1, 6, 6.1),                     /* The median is 0.09. */
        simple(2, 9, 9.9),                                         /* this kernel changed */
    };
    struct problem_offset o;
    problem_offsets(listed(pairs, 6), 1, &margins, &o);
    assert_int_equal(o.kernels, 3);
    assert_near(o.observed_us, 0.12, 1e-9);
    assert_near(o.removed_us, 0.12, 1e-9);
    /* The standard errors are 0.02/1.96·√2 = 0.01443. Only kernel 0 has 3 points. Their differences
     * b − a deviate from 0.12 by 0.02, 0 and 0.38. */
    assert_near(o.inflation, 1.4826 * 1.495 * 0.02 / 0.0144308, 1e-3);

    problem_offsets(listed(pairs, 5), 1, &margins,
                    &o); /* Either of the two kernels may be the one that changed. */
    assert_int_equal(o.kernels, 2);
    assert_near(o.removed_us, 0, 0);

    for (size_t i = 0; i < 6; i++)
        pairs[i].b.value = pairs[i].a.value - 0.4;
    /* All points moved by more than contexts explain. */
    problem_offsets(listed(pairs, 6), 1, &margins, &o);
    assert_near(o.observed_us, -0.4, 1e-9);
    assert_near(o.removed_us, -margin_of_contexts(&margins), 1e-12);
    assert_near(o.inflation, 1, 0);

    problem_offsets(listed(pairs, 0), 1, &margins, &o);
    assert_true(isnan(o.observed_us) && o.removed_us == 0 && o.inflation == 1);
}

/* Simulates two runs. The process adds an offset to each group, and the placement of code adds
 * one to each kernel and one to each point. The samples are noisy, and all times are rounded to
 * clock steps. */
enum { KERNELS = 5, GROUPS = 9, BLOCKS = 4, POINTS = KERNELS * GROUPS * BLOCKS, SAMPLES = 30 };

struct simulated {
    struct timed_pair pairs[POINTS];
    double a[POINTS][SAMPLES], b[POINTS][SAMPLES];
    struct times_rule rule;
};

static double on_clock(double us)
{
    return round(us / RECORDED_STEP) * RECORDED_STEP;
}

/* Makes the samples of point i, which takes `us` µs in run a and `moved` µs in run b. */
static void take_samples(struct simulated *s, size_t i, double us, double moved, double noise)
{
    for (size_t j = 0; j < SAMPLES; j++) {
        s->a[i][j] = on_clock(us + noise * random_normal(&seed));
        s->b[i][j] = on_clock(moved + noise * random_normal(&seed));
    }
    s->pairs[i] = (struct timed_pair){.group = i % GROUPS,
                                      .kernel = i / GROUPS % KERNELS,
                                      .a = recorded_estimate(s->a[i]),
                                      .b = recorded_estimate(s->b[i]),
                                      .samples_a = s->a[i],
                                      .samples_b = s->b[i],
                                      .count_a = SAMPLES,
                                      .count_b = SAMPLES};
}

static void simulate(struct simulated *s, double effect, size_t kernel, size_t groups)
{
    s->rule = (struct times_rule){0.01, 0.05, {RECORDED_STEP, 0.06, false}};
    double process = 0.05 * random_normal(&seed), of_group[GROUPS], of_kernel[KERNELS];
    for (size_t g = 0; g < GROUPS; g++)
        of_group[g] = process + 0.02 * random_normal(&seed);
    for (size_t k = 0; k < KERNELS; k++)
        of_kernel[k] = 0.02 * (2 * random_uniform(&seed) - 1);
    for (size_t i = 0; i < POINTS; i++) {
        size_t g = i % GROUPS, k = i / GROUPS % KERNELS;
        double us = 4 + 1.5 * (double)g, noise = 0.06 + 0.005 * us;
        double moved = us + of_group[g] + of_kernel[k] + 0.03 * random_normal(&seed);
        if (k == kernel && g < groups)
            moved *= 1 + effect;
        take_samples(s, i, us, moved, noise);
    }
}

/* Simulates two versions that run in one process. Only the points of `kernel` change: in run b,
 * they take 1 + effect times as long. All points take about 4.6 us, and their samples scatter
 * like those of a gate on an H100. */
static void simulate_one_process(struct simulated *s, double effect, size_t kernel)
{
    s->rule = (struct times_rule){0.01, 0.05, {0, 0, true}};
    for (size_t i = 0; i < POINTS; i++) {
        double us = 4.6 + 0.04 * random_uniform(&seed);
        take_samples(s, i, us, i / GROUPS % KERNELS == kernel ? us * (1 + effect) : us, 0.1);
    }
}

/* Simulates 500 pairs of runs that do not differ. At most 5 % of the pairs may get a verdict
 * that reports a difference. */
static void test_no_false_alarms(void **state)
{
    (void)state;
    static struct simulated s;
    seed = 2024;
    size_t alarms = 0, small = 0;
    for (int i = 0; i < 500; i++) {
        struct times t;
        simulate(&s, 0, 0, 0);
        times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
        alarms += sum(found(&t, s.pairs, -1)) > 0;
        for (size_t k = 0; k < POINTS; k++)
            small += t.points[k].p <= 0.05;
        times_free(&t);
    }
    print_message("simulated: %zu of 500 pairs with an alarm, %.2f %% of points below 5 %%\n",
                  alarms, 100.0 * (double)small / (500.0 * POINTS));
    assert_true(alarms <= 25);
    assert_true((double)small <= 0.05 * 500 * POINTS);
}

/* Makes one kernel 3 % slower or faster, at all sizes or at the four smallest. This kernel must be
 * found. Others may be reported only rarely. */
static void test_planted_is_found(void **state)
{
    (void)state;
    static struct simulated s;
    seed = 99;
    for (size_t groups = 4; groups <= GROUPS; groups += GROUPS - 4) {
        size_t right = 0, wrong = 0, by_kernel = 0;
        for (int i = 0; i < 200; i++) {
            struct times t;
            double effect = i % 2 ? 0.03 : 1 / 1.03 - 1;
            enum time_verdict expected = i % 2 ? TIME_SLOW : TIME_FAST;
            simulate(&s, effect, (size_t)i % KERNELS, groups);
            times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
            bool seen = t.kernels[i % KERNELS].verdict == expected;
            by_kernel += seen;
            for (size_t c = 0; c < t.cell_count; c++)
                seen |= t.cells[c].kernel == (size_t)i % KERNELS && t.cells[c].verdict == expected;
            right += seen;
            wrong += sum(found(&t, s.pairs, i % KERNELS)) > 0;
            times_free(&t);
        }
        print_message("simulated, 3 %% at %zu of %d sizes: %zu of 200 found, %zu as a kernel, %zu "
                      "with a wrong one\n",
                      groups, GROUPS, right, by_kernel, wrong);
        assert_true(right >= 190);
        assert_true(groups < GROUPS || by_kernel >= 190);
        assert_true(wrong <= 10);
    }
}

/* One point changes by a large amount, while the others scatter three times as much as their
 * samples suggest. A rank test of 30 samples against 30 cannot return a z above 6.65. Nevertheless,
 * exactly this point must be found. */
static void test_far_point_among_scatter(void **state)
{
    (void)state;
    static struct simulated s;
    seed = 77;
    size_t right = 0, wrong = 0;
    for (int i = 0; i < 20; i++) {
        struct times t;
        double scatter[POINTS];
        simulate(&s, 0, 0, 0);
        for (size_t k = 0; k < POINTS; k++) {
            scatter[k] = 3 * pair_standard_error(&s.pairs[k], RECORDED_STEP) * random_normal(&seed);
            for (size_t j = 0; j < SAMPLES; j++)
                s.b[k][j] += scatter[k] + (k == 7 ? 0.3 * s.pairs[k].a.value : 0);
            s.pairs[k].b = recorded_estimate(s.b[k]);
        }
        times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
        assert_true(t.groups[7].inflation > 1.7);
        right += t.points[7].verdict == TIME_SLOW;
        for (size_t k = 0; k < POINTS; k++)
            wrong += k != 7 && changed(t.points[k].verdict);
        times_free(&t);
    }
    assert_int_equal(right, 20);
    assert_int_equal(wrong, 0);
}

/* Within one process, the ranks alone decide. They reveal changes of single points that the
 * medians hide, because medians are rounded to clock steps. Unchanged points are reported no
 * more often than the error rate allows. */
static void test_ranks_within_one_process(void **state)
{
    (void)state;
    static struct simulated s;
    seed = 35;
    size_t by_ranks = 0, by_medians = 0, of = 0, wrong = 0, small = 0, alarms = 0;
    for (int i = 0; i < 200; i++) {
        size_t kernel = (size_t)i % KERNELS, others = 0;
        struct times one, two;
        simulate_one_process(&s, 0.03, kernel);
        times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &one);
        s.rule.margins.one_process = false;
        times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &two);
        for (size_t k = 0; k < POINTS; k++) {
            if (s.pairs[k].kernel != kernel) {
                others += changed(one.points[k].verdict);
                small += one.points[k].p <= 0.05;
                wrong += changed(two.points[k].verdict) && !changed(one.points[k].verdict);
                continue;
            }
            of++;
            by_ranks += one.points[k].verdict == TIME_SLOW;
            by_medians += two.points[k].verdict == TIME_SLOW;
        }
        alarms += others > 0;
        times_free(&one);
        times_free(&two);
    }
    print_message(
        "one process, 3 %% of points of 4.6 us: %zu of %zu by ranks, %zu with medians; %zu "
        "of 200 name another, %zu of %zu others below 5 %%\n",
        by_ranks, of, by_medians, alarms, small, 200 * (POINTS - of / 200));
    assert_true(10 * by_ranks > 11 * by_medians);
    assert_int_equal(wrong, 0);
    assert_true(alarms <= 10);
    assert_true((double)small <= 0.05 * 200 * (double)(POINTS - of / 200));
}

/* Swapping the runs reverses the verdicts and inverts the ratios. p stays the same. */
static void assert_mirrored(const struct times *t, const struct times *m)
{
    const enum time_verdict opposite[] = {[TIME_UNKNOWN] = TIME_UNKNOWN,
                                          [TIME_SAME] = TIME_SAME,
                                          [TIME_FAST] = TIME_SLOW,
                                          [TIME_SLOW] = TIME_FAST};
    for (size_t i = 0; i < t->point_count; i++) {
        const struct point_effect *p = &t->points[i], *q = &m->points[i];
        assert_int_equal(q->verdict, opposite[p->verdict]);
        assert_near(q->p, p->p, 1e-12);
        assert_near(q->ratio.low * p->ratio.high, 1, 1e-9);
        assert_near(q->ratio.high * p->ratio.low, 1, 1e-9);
    }
    for (size_t i = 0; i < t->cell_count; i++) {
        assert_int_equal(m->cells[i].verdict, opposite[t->cells[i].verdict]);
        assert_near(m->cells[i].p, t->cells[i].p, 1e-9);
    }
    for (size_t i = 0; i < t->kernel_count; i++) {
        assert_int_equal(m->kernels[i].verdict, opposite[t->kernels[i].verdict]);
        assert_near(m->kernels[i].p, t->kernels[i].p, 1e-9);
        assert_near(m->kernels[i].ratio.low * t->kernels[i].ratio.high, 1, 1e-9);
    }
    assert_int_equal(m->all.verdict, opposite[t->all.verdict]);
    assert_near(m->all.ratio.low * t->all.ratio.high, 1, 1e-9);
}

static void test_either_order_agrees(void **state)
{
    (void)state;
    static struct simulated s, swapped;
    seed = 4;
    for (int i = 0; i < 20; i++) {
        struct times t, m;
        simulate(&s, 0.03, 1, GROUPS);
        swapped = s;
        for (size_t k = 0; k < POINTS; k++) {
            struct timed_pair *pair = &swapped.pairs[k];
            pair->a = s.pairs[k].b;
            pair->b = s.pairs[k].a;
            pair->samples_a = s.b[k];
            pair->samples_b = s.a[k];
        }
        times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
        times_judge(listed(swapped.pairs, POINTS), GROUPS, KERNELS, &s.rule, &m);
        assert_mirrored(&t, &m);
        times_free(&t);
        times_free(&m);
    }
}

/* Makes one kernel 5 % slower at its first one or two sizes. Between two processes, a change at a
 * single size gets no verdict, because two runs of the same version on an H200 differed by 2 % for
 * one kernel at one size. Within one process, such a change gets a verdict. */
static void test_lone_cells(void **state)
{
    (void)state;
    static struct simulated s;
    for (int one_process = 0; one_process < 2; one_process++)
        for (size_t groups = 1; groups <= 2; groups++) {
            struct times t;
            size_t slow = 0, alone = 0;
            seed = 5;
            simulate(&s, 0.05, 2, groups);
            s.rule.margins.one_process = one_process;
            times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
            for (size_t i = 0; i < t.cell_count; i++) {
                const struct effect *c = &t.cells[i];
                slow += c->kernel == 2 && c->group < groups && c->verdict == TIME_SLOW;
                alone += c->alone;
                assert_true(!c->alone || (c->kernel == 2 && c->group == 0 &&
                                          c->verdict == TIME_UNKNOWN && isnan(c->ratio.low)));
            }
            assert_int_equal(slow, one_process || groups == 2 ? groups : 0);
            assert_int_equal(alone, one_process || groups == 2 ? 0 : 1);
            assert_int_equal(t.cells_alone, alone);
            times_free(&t);
        }
}

/* Makes all points slower, first by less and then by more than different contexts can explain.
 * Within one process, there is only one context, so any change is reported. */
static void test_everything_slower(void **state)
{
    (void)state;
    static struct simulated s;
    seed = 8;
    for (int one_process = 0; one_process < 2; one_process++)
        for (int more = 0; more < 2; more++) {
            struct times t;
            simulate(&s, 0, 0, 0);
            double share = one_process ? (more ? 0.03 : 0.001) : (more ? 0.1 : 0.01);
            for (size_t i = 0; i < POINTS; i++) {
                for (size_t j = 0; j < SAMPLES; j++)
                    s.b[i][j] = s.a[i][SAMPLES - 1 - j] * (1 + share);
                s.pairs[i].b = recorded_estimate(s.b[i]);
            }
            if (one_process)
                s.rule.margins.context_sd_us = 0;
            times_judge(listed(s.pairs, POINTS), GROUPS, KERNELS, &s.rule, &t);
            assert_int_equal(changed(t.all.verdict), more);
            assert_int_equal(t.all.verdict == TIME_SLOW, more);
            times_free(&t);
        }
}

/* One kernel takes 4 to 400 us, and most of its times are short. Contexts may differ by 0.2 us,
 * which is 5 % of the shortest time, and 2.1 % of a time on average. A change of 2 % at all sizes
 * is found, because the long problems carry the most weight. A change at just the longest problem,
 * or the four longest, is not. */
static void test_problems_weigh_by_what_they_decide(void **state)
{
    (void)state;
    enum { PROBLEMS = 12 };
    static double a[PROBLEMS][SAMPLES], b[PROBLEMS][SAMPLES];
    /* With these values, the margin of contexts is 0.2. */
    const struct times_rule rule = {0.01, 0.05, {RECORDED_STEP, 0.06, false}};
    const size_t from[] = {0, PROBLEMS - 1, PROBLEMS - 4, PROBLEMS};
    seed = 21;
    for (size_t k = 0; k < 4; k++) {
        struct timed_pair pairs[PROBLEMS];
        for (size_t i = 0; i < PROBLEMS; i++) {
            double share = (double)i / (PROBLEMS - 1), us = 4 * pow(100, share * share);
            double off = 0.003 * (random_uniform(&seed) - 0.5);
            for (size_t j = 0; j < SAMPLES; j++) {
                a[i][j] = us + 0.001 * (double)j;
                b[i][j] = a[i][j] * (1 + off + (i >= from[k] ? 0.02 : 0));
            }
            pairs[i] = (struct timed_pair){.group = (uint32_t)i,
                                           .a = recorded_estimate(a[i]),
                                           .b = recorded_estimate(b[i]),
                                           .samples_a = a[i],
                                           .samples_b = b[i],
                                           .count_a = SAMPLES,
                                           .count_b = SAMPLES};
        }
        struct times t;
        times_judge(listed(pairs, PROBLEMS), PROBLEMS, 1, &rule, &t);
        assert_int_equal(t.kernels[0].verdict == TIME_SLOW, k == 0);
        assert_false(t.kernels[0].verdict == TIME_FAST);
        times_free(&t);
    }
}

/* There are too few kernels to estimate an offset, so a change is reported only if different
 * contexts cannot explain it: 0.3 us is reported, 0.19 us is not. */
static void test_unknown_offset(void **state)
{
    (void)state;
    double a[SAMPLES], b[SAMPLES];
    /* With these values, the margin of contexts is 0.2. */
    const struct times_rule rule = {0.01, 0.05, {RECORDED_STEP, 0.06, false}};
    for (int more = 0; more < 2; more++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            a[i] = 5 + 0.001 * (double)i;
            b[i] = a[i] + (more ? 0.3 : 0.19);
        }
        struct timed_pair pair = {.a = recorded_estimate(a),
                                  .b = recorded_estimate(b),
                                  .samples_a = a,
                                  .samples_b = b,
                                  .count_a = SAMPLES,
                                  .count_b = SAMPLES};
        struct times t;
        times_judge(listed(&pair, 1), 1, 1, &rule, &t);
        assert_near(t.points[0].allowance_us, margin_of_contexts(&rule.margins), 0);
        assert_int_equal(t.points[0].verdict, more ? TIME_SLOW : TIME_UNKNOWN);
        assert_true(t.points[0].detectable > 0.04 && t.points[0].detectable < 0.06);
        /* One group is too few for a verdict. */
        assert_int_equal(t.kernels[0].verdict, TIME_UNKNOWN);
        assert_true(isnan(t.kernels[0].detectable));
        assert_int_equal(t.all.verdict, TIME_UNKNOWN);
        times_free(&t);
    }
}

/* Points without samples are judged by their intervals, and points without intervals are not
 * judged. With too few samples for a significant rank test, the smallest detectable change is
 * unknown (NAN). */
static void test_what_is_missing(void **state)
{
    (void)state;
    const struct times_rule rule = {0.01, 0.05, {0, 0, false}};
    const double few_a[] = {5, 5.01, 5.02}, few_b[] = {6, 6.01, 6.02};
    struct timed_pair pairs[3] = {
        {.a = {5, 4.99, 5.01}, .b = {6, 5.99, 6.01}},
        {.kernel = 1, .a = {5, NAN, NAN}, .b = {6, NAN, NAN}},
        {.group = 1,
         .a = {5.01, 5, 5.02},
         .b = {6.01, 6, 6.02},
         .samples_a = few_a,
         .samples_b = few_b,
         .count_a = 3,
         .count_b = 3},
    };
    struct times t;
    times_judge(listed(pairs, 3), 2, 2, &rule, &t);
    assert_int_equal(t.points[0].verdict, TIME_SLOW);
    assert_true(t.points[0].from_interval);
    assert_near(t.points[0].detectable, 0.01, 0.003);
    assert_int_equal(t.points[1].verdict, TIME_UNKNOWN);
    assert_true(isnan(t.points[1].p) && isnan(t.points[1].detectable));
    assert_int_equal(t.points[2].verdict, TIME_UNKNOWN); /* The lowest possible p is 0.1. */
    assert_true(isnan(t.points[2].detectable) && !t.points[2].from_interval);
    times_free(&t);
    times_judge(listed(pairs, 0), 0, 0, &rule, &t);
    assert_int_equal(t.all.verdict, TIME_UNKNOWN);
    times_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_of_verdicts),
        cmocka_unit_test(test_expected_range),
        cmocka_unit_test(test_offsets_by_hand),
        cmocka_unit_test(test_no_false_alarms),
        cmocka_unit_test(test_planted_is_found),
        cmocka_unit_test(test_far_point_among_scatter),
        cmocka_unit_test(test_ranks_within_one_process),
        cmocka_unit_test(test_either_order_agrees),
        cmocka_unit_test(test_everything_slower),
        cmocka_unit_test(test_lone_cells),
        cmocka_unit_test(test_problems_weigh_by_what_they_decide),
        cmocka_unit_test(test_unknown_offset),
        cmocka_unit_test(test_what_is_missing),
    };
    return cmocka_run_group_tests_name("analyze/times", tests, NULL, NULL);
}
