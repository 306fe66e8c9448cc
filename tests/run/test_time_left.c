/*
 * Checks the estimate of the remaining time. At first it is based on the plan's guess, and later on
 * measured requests. After a tenth of the time it must be within a factor of two of the true
 * remaining time, however wrong the guess was, even in a resumed run.
 */
#include "run/time_left.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUPS = 16, POINTS = 55 };

static double bytes_of(int group)
{
    return 4.0 * (double)(1u << (14 + group));
}

static double time_of(const struct point_cost *true_cost, int group)
{
    return POINTS * (true_cost->point_s + true_cost->byte_s * bytes_of(group));
}

/* Measures the groups from `first` on. Returns the largest factor by which an estimate is off
 * after the first tenth of the time. Every third request takes 25 % longer than its size
 * suggests. */
static double worst_factor(struct point_cost planned, struct point_cost true_cost, int first)
{
    struct time_left t;
    double left = 0, all, worst = 1;
    time_left_begin(&t, planned);
    for (int g = first; g < GROUPS; g++) {
        left += time_of(&true_cost, g);
        time_left_add(&t, bytes_of(g), POINTS);
    }
    all = left;
    for (int g = first; g < GROUPS - 1; g++) {
        time_left_add(&t, bytes_of(g), -POINTS);
        time_left_observe(&t, bytes_of(g), POINTS, time_of(&true_cost, g) * (g % 3 ? 1 : 1.25));
        left -= time_of(&true_cost, g);
        double factor = time_left_s(&t) / left;
        if (left < 0.9 * all)
            worst = fmax(worst, fmax(factor, 1 / factor));
    }
    time_left_free(&t);
    return worst;
}

static void the_guess_counts_until_something_was_measured(void **state)
{
    struct time_left t;
    (void)state;
    time_left_begin(&t, (struct point_cost){0.5, 1e-6, 0});
    assert_true(time_left_s(&t) == 0);
    time_left_add(&t, 2e6, 2);
    assert_true(fabs(time_left_s(&t) - 5) < 1e-9);
    time_left_add(&t, 2e6, -1);
    assert_true(fabs(time_left_s(&t) - 2.5) < 1e-9);
    time_left_add(&t, 2e6, -1);
    assert_true(time_left_s(&t) == 0);
    time_left_free(&t);
}

static bool near(double found, double wanted, double relative)
{
    return fabs(found - wanted) <= relative * wanted;
}

/* 1e6 bytes took 1 s and 5e6 bytes took 5 s. Between these sizes, the estimates are on a
 * straight line; outside, they are close to it. */
static void sizes_that_were_not_measured_follow_the_others(void **state)
{
    struct time_left t;
    (void)state;
    time_left_begin(&t, (struct point_cost){0.01, 1e-7, 0});
    time_left_observe(&t, 5e6, 2, 10);
    time_left_observe(&t, 1e6, 1, 1);
    assert_true(near(time_left_cost(&t, 1e6), 1, 1e-9) && near(time_left_cost(&t, 5e6), 5, 1e-9));
    assert_true(near(time_left_cost(&t, 2e6), 2, 1e-9) && near(time_left_cost(&t, 9e6), 9, 0.25));
    assert_true(near(time_left_cost(&t, 2e5), 0.2, 0.5));
    const double sizes[] = {9e6, 2e5, 2e6, 5e6, 1e6};
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        time_left_add(&t, sizes[i], 1);
        sum += time_left_cost(&t, sizes[i]);
    }
    assert_true(near(time_left_s(&t), sum, 1e-9));
    time_left_free(&t);
}

/* The times for small sizes differ by chance. (They come from the first points of a search on an
 * H100, ordered by n.) They must not drive the estimates for large sizes, in whatever order they
 * are measured. */
static void noise_is_no_slope(void **state)
{
    /* `planned` holds two guesses for the largest size. */
    const double seconds[] = {7, 1, 1.7, 5}, planned[] = {4, 16};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int turned = 0; turned < 4; turned++) {
            const double largest = 4 * exp2(30);
            struct time_left t;
            time_left_begin(&t, (struct point_cost){2, planned[k] / largest, 0});
            for (int i = 0; i < 4; i++)
                time_left_observe(&t, 4 * exp2(14 + 2 * i), 1, seconds[(i + turned) % 4]);
            double found = time_left_cost(&t, largest);
            assert_true(found > 2 + planned[k] / 4 && found < 2 + 4 * planned[k]);
            time_left_free(&t);
        }
}

/* A single size shows how wrong the guess is, but not which part of it. The larger of its two
 * parts is scaled, here the one that depends on bytes. */
static void one_size_scales_the_guess(void **state)
{
    struct time_left t;
    (void)state;
    time_left_begin(&t, (struct point_cost){0, 1, 0});
    time_left_observe(&t, 1e6, 1, 3);
    assert_true(near(time_left_cost(&t, 1e5), 0.3, 1e-4));
    time_left_free(&t);
    time_left_begin(&t, (struct point_cost){0.1, 1e-6, 0});
    time_left_observe(&t, 1e6, 1, 3);
    assert_true(near(time_left_cost(&t, 1e5), 3 - 0.9 * 3 / 1.1, 1e-4));
    time_left_free(&t);
}

static void a_tenth_of_the_time_corrects_a_wrong_guess(void **state)
{
    const struct point_cost true_cost = {3e-3, 4e-9, 0};
    (void)state;
    for (double wrong = 0.02; wrong < 60; wrong *= 3)
        /* A `first` other than 0 means that the run is resumed. */
        for (int first = 0; first < GROUPS - 3; first += 3) {
            struct point_cost planned = {true_cost.point_s * wrong, true_cost.byte_s / wrong, 0};
            assert_true(worst_factor(planned, true_cost, first) < 2);
            planned.byte_s = true_cost.byte_s * wrong;
            assert_true(worst_factor(planned, true_cost, first) < 2);
        }
}

/* Small sizes take three times as long as guessed, as in a search. If the bandwidth is known,
 * this must not change the part of the guess that depends on bytes. No point is expected to
 * exceed its budget. */
static void bytes_that_are_trusted_keep_their_guess(void **state)
{
    const double largest = 4 * exp2(30);
    const struct point_cost planned = {3e-3, 30e-3 / largest, 0},
                            budget = {3e-3, 0.3 / largest, 40e-3};
    double found[2];
    (void)state;
    for (int trusts = 0; trusts < 2; trusts++) {
        struct time_left t;
        time_left_begin(&t, planned);
        t.trusts_bytes = trusts;
        for (int i = 0; i < 3; i++)
            time_left_observe(&t, 4 * exp2(14 + 2 * i), 100, 100 * 9e-3);
        found[trusts] = time_left_cost(&t, largest);
        time_left_free(&t);
    }
    assert_true(found[0] > 80e-3 && near(found[1], 9e-3 + 30e-3, 0.25));
    struct time_left t;
    time_left_begin(&t, budget);
    assert_true(near(time_left_cost(&t, largest), 43e-3, 1e-9));
    time_left_free(&t);
}

/* For a device with no times and an unknown bandwidth, the plan's guess is 0. */
static void nothing_planned_is_no_division_by_zero(void **state)
{
    (void)state;
    assert_true(worst_factor((struct point_cost){0, 0, 0}, (struct point_cost){1e-3, 1e-9, 0}, 0) <
                2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guess_counts_until_something_was_measured),
        cmocka_unit_test(sizes_that_were_not_measured_follow_the_others),
        cmocka_unit_test(noise_is_no_slope),
        cmocka_unit_test(one_size_scales_the_guess),
        cmocka_unit_test(a_tenth_of_the_time_corrects_a_wrong_guess),
        cmocka_unit_test(bytes_that_are_trusted_keep_their_guess),
        cmocka_unit_test(nothing_planned_is_no_division_by_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
