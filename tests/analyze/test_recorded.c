/*
 * Judges recorded runs of two GPUs (see recorded.h). Compares runs of the same version with each
 * other, and with runs in which a change was planted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../near.h"
#include "../random.h"

#include "recorded.h"

static uint64_t seed;

/* A prototype of the same rules in another language computed the expected offsets and effects. */
static void test_as_the_prototype(void **state)
{
    (void)state;
    struct recorded *r = recorded_open("tests/analyze/aa-h200.csv.gz");
    /* For each of s2 … s6, the largest offset of a group between it and s1. */
    const double largest[] = {0.168, 0.136, 0.192, 0.152, 0.176};
    for (size_t b = 1; b < 6; b++) {
        struct times t;
        double most = 0;
        recorded_judge(r, 0, b, NULL, &t);
        for (size_t g = 0; g < t.group_count; g++)
            most = fmax(most, fabs(t.groups[g].observed_us));
        assert_near(most, largest[b - 1], 1e-9);
        times_free(&t);
    }
    const struct {
        const char *kernel;
        double effect;
    } planted[] = {{"neighbored", 1.0294},
                   {"interleaved", 1.029},
                   {"smem_unroll", 1.0283},
                   {"unroll", 1.0277}};
    for (size_t i = 0; i < 4; i++) {
        struct planted p = {0.03, -1, 0, -1, 0};
        for (size_t k = 0; k < r->kernels; k++)
            if (strcmp(r->kernel_names[k], planted[i].kernel) == 0)
                p.kernel = (int)k;
        struct times t;
        recorded_judge(r, 0, 2, &p, &t);
        assert_near(t.kernels[p.kernel].ratio.value, planted[i].effect, 5e-4);
        times_free(&t);
    }
    free(r);
}

/* Judges two recorded runs, the second with the planted change. Counts the verdicts on kernels
 * without a planted change, and sets *seen to whether the planted change was found. */
static struct found judge_recorded(const struct recorded *r, size_t a, size_t b,
                                   const struct planted *planted, bool *seen)
{
    struct times t;
    struct timed_pair *kernels = calloc(r->points, sizeof *kernels);
    for (size_t i = 0; i < r->points; i++)
        kernels[i].kernel = r->point[i].kernel;
    recorded_judge(r, a, b, planted, &t);
    long but = planted ? planted->kernel : -1;
    *seen = but >= 0 && t.kernels[but].verdict == TIME_SLOW;
    for (size_t i = 0; but >= 0 && i < t.cell_count; i++)
        *seen |= t.cells[i].kernel == (size_t)but && t.cells[i].verdict == TIME_SLOW;
    struct found f = found(&t, kernels, but);
    times_free(&t);
    free(kernels);
    return f;
}

/* On an H200, no two of the six runs of one config differ. On an H100, cold launches began at
 * one of two positions in their cycle, and only runs that began at different positions differ. */
static void test_recorded_runs_do_not_differ(void **state)
{
    (void)state;
    bool seen;
    struct recorded *r = recorded_open("tests/analyze/aa-h200.csv.gz");
    for (size_t a = 0; a < r->runs; a++)
        for (size_t b = a + 1; b < r->runs; b++)
            assert_int_equal(sum(judge_recorded(r, a, b, NULL, &seen)), 0);
    free(r);
    r = recorded_open("tests/analyze/aa-h100.csv.gz");
    const size_t clean[] = {0, 2, 3, 5, 6, 7}; /* the runs s1 s3 s4 c1 c2 c3 */
    for (size_t i = 0; i < 6; i++)
        for (size_t j = i + 1; j < 6; j++)
            assert_int_equal(sum(judge_recorded(r, clean[i], clean[j], NULL, &seen)), 0);
    /* The times of run s2 are 0.3 us longer. */
    assert_true(sum(judge_recorded(r, 0, 1, NULL, &seen)) > 0);
    free(r);
}

static bool any(const struct times *t, enum time_verdict v)
{
    bool found = t->all.verdict == v;
    for (size_t i = 0; i < t->point_count; i++)
        found |= t->points[i].verdict == v;
    for (size_t i = 0; i < t->cell_count; i++)
        found |= t->cells[i].verdict == v;
    for (size_t i = 0; i < t->kernel_count; i++)
        found |= t->kernels[i].verdict == v;
    return found;
}

static double share_below_5_percent(const struct times *t)
{
    size_t small = 0;
    for (size_t i = 0; i < t->point_count; i++)
        small += t->points[i].p <= 0.05;
    return (double)small / (double)t->point_count;
}

/* Compares all ordered pairs of the runs on two cards. In at least 95 % of the pairs, no verdict
 * is SLOW, so `redsweep diff` would exit with 0. At most 5 % of the points have p ≤ 5 % on
 * average over the pairs, and at most 8 % in any pair. */
static void test_ordered_pairs(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/analyze/aa12-h100.csv.gz",
                                        "tests/analyze/aa8-h200.csv.gz",
                                        "tests/analyze/aa13-h200.csv.gz"};
    for (size_t f = 0; f < 3; f++) {
        struct recorded *r = recorded_open(files[f]);
        size_t alarms = 0, pairs = 0;
        double most = 0, sum_of_shares = 0;
        for (size_t a = 0; a < r->runs; a++)
            for (size_t b = a + 1; b < r->runs; b++) {
                struct times t;
                recorded_judge(r, a, b, NULL, &t);
                /* What is FAST in one order of the runs is SLOW in the other. */
                alarms += (size_t)any(&t, TIME_SLOW) + (size_t)any(&t, TIME_FAST);
                double share = share_below_5_percent(&t);
                most = fmax(most, share);
                sum_of_shares += share;
                pairs++;
                times_free(&t);
            }
        double usual = sum_of_shares / (double)pairs;
        print_message("%s: %zu of %zu ordered pairs with a SLOW; %.2f %% of points below 5 %%, at "
                      "most %.2f %%\n",
                      files[f], alarms, 2 * pairs, 100 * usual, 100 * most);
        assert_true((double)alarms <= 0.05 * 2 * (double)pairs);
        assert_true(usual <= 0.05 && most <= 0.08);
        free(r);
    }
}

/* Returns a random point that takes at least 10 us in run b. */
static size_t long_point(const struct recorded *r, size_t b, double *us)
{
    size_t point;
    do {
        point = (size_t)(random_uniform(&seed) * (double)r->points);
        *us = recorded_estimate(r->point[point].samples[b]).value;
    } while (*us < 10);
    return point;
}

/* Slows one point down by 3 % in the other process's run. The change must be found if placements
 * cannot explain it. Other points may be reported only rarely. Within one process, smaller changes
 * can be found (experiments/comparing/power.sh measures how small). */
static void test_planted_points(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/analyze/aa12-h100.csv.gz",
                                        "tests/analyze/aa8-h200.csv.gz"};
    enum { TRIES = 60 };
    seed = 13;
    for (size_t f = 0; f < 2; f++) {
        struct recorded *r = recorded_open(files[f]);
        size_t right[2] = {0}, tried[2] = {0}, others = 0;
        for (int i = 0; i < TRIES; i++) {
            double us;
            size_t a = (size_t)(random_uniform(&seed) * (double)r->runs);
            size_t b = (a + 1 + (size_t)(random_uniform(&seed) * (double)(r->runs - 1))) % r->runs;
            size_t point = long_point(r, b, &us);
            const struct planted p = {0.03, -1, 0, (long)point, 0};
            struct times t;
            recorded_judge(r, a, b, &p, &t);
            bool still = t.points[point].unrest == 0;
            tried[us >= 25] += still;
            right[us >= 25] += still && t.points[point].verdict == TIME_SLOW;
            for (size_t k = 0; k < t.point_count; k++)
                others += k != point && changed(t.points[k].verdict);
            times_free(&t);
        }
        print_message("%s, 3 %% of one point: found %zu of %zu at 10 to 25 us, %zu of %zu above; "
                      "%zu others\n",
                      files[f], right[0], tried[0], right[1], tried[1], others);
        assert_true((double)right[1] >= 0.9 * (double)tried[1]);
        assert_true(others * 20 <= TRIES);
        free(r);
    }
}

/* A point that takes 1.5 times as long is found in at least 95 % of the tries, even if half of the
 * other points move up or down by 3 %, as they may due to placements. */
static void test_one_point_of_half_again(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/analyze/aa12-h100.csv.gz",
                                        "tests/analyze/aa8-h200.csv.gz",
                                        "tests/analyze/aa13-h200.csv.gz"};
    enum { TRIES = 60 };
    seed = 15;
    for (size_t f = 0; f < 3; f++)
        for (int moved = 0; moved < 2; moved++) {
            struct recorded *r = recorded_open(files[f]);
            size_t right = 0, others = 0;
            for (int i = 0; i < TRIES; i++) {
                size_t a = (size_t)(random_uniform(&seed) * (double)r->runs);
                size_t b =
                    (a + 1 + (size_t)(random_uniform(&seed) * (double)(r->runs - 1))) % r->runs;
                size_t point = (size_t)(random_uniform(&seed) * (double)r->points);
                const struct planted p = {0.5, -1, 0, (long)point, moved ? 0.03 : 0};
                struct times t;
                recorded_judge(r, a, b, &p, &t);
                right += t.points[point].verdict == TIME_SLOW;
                for (size_t k = 0; k < t.point_count; k++)
                    others += k != point && changed(t.points[k].verdict);
                times_free(&t);
            }
            print_message("%s, 50 %% of one point%s: found %zu of %d; %zu others\n", files[f],
                          moved ? " among others that moved by 3 %" : "", right, TRIES, others);
            assert_true((double)right >= 0.95 * TRIES && (moved || others * 20 <= TRIES));
            free(r);
        }
}

/* Slows one kernel after another down by 3 %, either at all sizes or only up to 2^17. Each time,
 * exactly this kernel is found. */
static void test_planted_in_recorded_runs(void **state)
{
    (void)state;
    const long sizes[] = {0, 1 << 17};
    struct recorded *r = recorded_open("tests/analyze/aa-h200.csv.gz");
    for (int s = 0; s < 2; s++) {
        size_t right = 0, tried = 0;
        for (int k = 0; k < (int)r->kernels; k++)
            for (size_t a = 0; a < r->runs; a += 2) {
                bool seen;
                const struct planted p = {0.03, k, sizes[s], -1, 0};
                size_t b = (a + 1 + (size_t)k) % r->runs;
                assert_int_equal(sum(judge_recorded(r, a, b, &p, &seen)), 0);
                right += seen;
                tried++;
            }
        print_message("recorded, 3 %%%s: %zu of %zu found\n", s ? " up to 2^17" : "", right, tried);
        assert_int_equal(right, tried);
    }
    free(r);
}

/* A kernel that takes 2 % longer at all sizes is SLOW as a whole. If it takes 3 % longer only up to
 * 2^17, its cells are SLOW, but usually not the kernel as a whole, because the larger problems
 * carry more weight and did not change. */
static void test_kernels_are_named(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/analyze/aa12-h100.csv.gz",
                                        "tests/analyze/aa8-h200.csv.gz",
                                        "tests/analyze/aa13-h200.csv.gz"};
    const struct planted plants[] = {{0.02, 0, 0, -1, 0}, {0.03, 0, 1 << 17, -1, 0}};
    for (int n = 0; n < 2; n++) {
        size_t seen = 0, named = 0, tried = 0;
        for (size_t f = 0; f < 3; f++) {
            struct recorded *r = recorded_open(files[f]);
            for (size_t a = 0; a < r->runs; a += 4)
                for (size_t k = 0; k < r->kernels; k++, tried++) {
                    struct planted p = plants[n];
                    struct times t;
                    p.kernel = (int)k;
                    recorded_judge(r, a, (a + 1) % r->runs, &p, &t);
                    bool found = false;
                    for (size_t i = 0; i < t.cell_count; i++)
                        found |= t.cells[i].kernel == k && t.cells[i].verdict == TIME_SLOW;
                    for (size_t i = 0; i < t.point_count; i++)
                        found |= r->point[i].kernel == k && t.points[i].verdict == TIME_SLOW;
                    named += t.kernels[k].verdict == TIME_SLOW;
                    seen += found || t.kernels[k].verdict == TIME_SLOW;
                    times_free(&t);
                }
            free(r);
        }
        print_message("recorded, %g %%%s: found %zu, the kernel named %zu of %zu\n",
                      100 * plants[n].effect, n ? " up to 2^17" : "", seen, named, tried);
        assert_int_equal(n ? seen : named, tried);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_prototype),
        cmocka_unit_test(test_recorded_runs_do_not_differ),
        cmocka_unit_test(test_ordered_pairs),
        cmocka_unit_test(test_planted_points),
        cmocka_unit_test(test_one_point_of_half_again),
        cmocka_unit_test(test_planted_in_recorded_runs),
        cmocka_unit_test(test_kernels_are_named),
    };
    return cmocka_run_group_tests_name("analyze/recorded", tests, NULL, NULL);
}
