/*
 * The time left: the planner's guess at first, then what requests took; within a factor of two once a
 * tenth of the time is over, however wrong the guess was, and also in a run that is resumed.
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

/* The groups from `first` on, the smallest first; the largest factor by which an estimate is off after a
 * tenth of their time. Every third request takes a quarter longer than it should. */
static double worst_factor(struct point_cost planned, struct point_cost true_cost, int first)
{
    struct time_left t;
    double left = 0, all, worst = 1;
    time_left_begin(&t, planned);
    for (int g = first; g < GROUPS; g++) {
        left += time_of(&true_cost, g);
        for (int i = 0; i < POINTS; i++)
            time_left_add(&t, bytes_of(g));
    }
    all = left;
    for (int g = first; g < GROUPS - 1; g++) {
        double took = time_of(&true_cost, g) * (g % 3 ? 1 : 1.25);
        for (int i = 0; i < POINTS; i++)
            time_left_remove(&t, bytes_of(g));
        time_left_observe(&t, POINTS, POINTS * bytes_of(g), took);
        left -= time_of(&true_cost, g);
        double factor = time_left_s(&t, 1) / left;
        if (left < 0.9 * all)
            worst = fmax(worst, fmax(factor, 1 / factor));
    }
    return worst;
}

static void the_guess_counts_until_something_was_measured(void **state)
{
    struct time_left t;
    (void)state;
    time_left_begin(&t, (struct point_cost){0.5, 1e-6});
    assert_true(time_left_s(&t, 1) == 0);
    time_left_add(&t, 2e6);
    assert_true(fabs(time_left_s(&t, 1) - 2.5) < 1e-9);
    assert_true(fabs(time_left_s(&t, 2) - 1.25) < 1e-9);
    time_left_remove(&t, 2e6);
    assert_true(time_left_s(&t, 1) < 1e-9);
}

static void a_tenth_of_the_time_corrects_a_wrong_guess(void **state)
{
    const struct point_cost true_cost = {3e-3, 4e-9};
    (void)state;
    for (double wrong = 0.02; wrong < 60; wrong *= 3)
        for (int first = 0; first < GROUPS - 3; first += 3) { /* 3, 6 …: resumed */
            struct point_cost planned = {true_cost.point_s * wrong, true_cost.byte_s / wrong};
            assert_true(worst_factor(planned, true_cost, first) < 2);
            planned.byte_s = true_cost.byte_s * wrong;
            assert_true(worst_factor(planned, true_cost, first) < 2);
        }
}

/* A device without times and without a bandwidth guesses nothing. */
static void nothing_planned_is_no_division_by_zero(void **state)
{
    (void)state;
    assert_true(worst_factor((struct point_cost){0, 0}, (struct point_cost){1e-3, 1e-9}, 0) < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guess_counts_until_something_was_measured),
        cmocka_unit_test(a_tenth_of_the_time_corrects_a_wrong_guess),
        cmocka_unit_test(nothing_planned_is_no_division_by_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
