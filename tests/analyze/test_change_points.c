/* Checks that change points are found where a series changes, and rarely elsewhere. */
#include "analyze/change_points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../near.h"
#include "../random.h"

/* Calculated by hand: eight values can be divided into two halves of four in 70 ways. In two of
 * these ways, the halves differ as much as in this case. */
static void a_step_is_found_where_it_is(void **state)
{
    (void)state;
    const double step[] = {1, 1.01, 0.99, 1, 2, 2.01, 1.99, 2};
    struct change_point found[8];
    assert_int_equal(change_points_find(step, 8, 0.05, found), 1);
    assert_int_equal(found[0].at, 4);
    assert_true(found[0].p < 0.05 && found[0].p > 0.005);
    assert_near(found[0].before, 1, 1e-12);
    assert_near(found[0].after, 2, 1e-12);
}

static void two_steps_are_two_changes(void **state)
{
    (void)state;
    double values[45];
    struct change_point found[45];
    uint64_t seed = 7;
    for (int i = 0; i < 45; i++)
        values[i] = (i < 15 ? 0 : i < 30 ? 0.05 : 0.02) + 0.004 * random_normal(&seed);
    assert_int_equal(change_points_find(values, 45, 0.01, found), 2);
    assert_int_equal(found[0].at, 15);
    assert_int_equal(found[1].at, 30);
}

/* With seven values, no order is rare enough to prove a change. Equal values contain no change. */
static void few_or_equal_values_have_none(void **state)
{
    (void)state;
    const double seven[] = {1, 1, 1, 9, 9, 9, 9}, equal[20] = {0};
    struct change_point found[20];
    assert_int_equal(change_points_find(seven, 7, 0.05, found), 0);
    assert_int_equal(change_points_find(equal, 20, 0.05, found), 0);
}

/* At a level of 5 %, 15 false alarms are expected in 300 series without a change. The
 * probability of 30 or more is 3 in 10 000. */
static void noise_has_few_changes(void **state)
{
    (void)state;
    uint64_t seed = 42;
    int alarms = 0;
    for (int k = 0; k < 300; k++) {
        double values[16];
        struct change_point found[16];
        for (int i = 0; i < 16; i++)
            values[i] = random_normal(&seed);
        alarms += change_points_find(values, 16, 0.05, found) > 0;
    }
    assert_in_range(alarms, 1, 29);
}

static void a_step_among_fewer_values_than_it_takes_is_not_found(void **state)
{
    (void)state;
    for (size_t kernels = 1; kernels < 100; kernels *= 3) {
        double alpha = 0.05 / (double)kernels, values[40];
        struct change_point out[40];
        size_t fewest = change_points_fewest(alpha);
        /* p is estimated from random orders, so the test leaves out the numbers of values whose p
         * is close to the threshold. */
        for (size_t count = fewest - 2; count <= fewest + 4; count += 6) {
            for (size_t i = 0; i < count; i++)
                values[i] = (i < count / 2 ? 1 : 2) + 1e-9 * (double)(i * i % 7);
            assert_int_equal(change_points_find(values, count, alpha, out) > 0, count > fewest);
        }
    }
    assert_int_equal(change_points_fewest(0.05), 8);
    assert_int_equal(change_points_fewest(0.05 / 30), 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_found_where_it_is),
        cmocka_unit_test(two_steps_are_two_changes),
        cmocka_unit_test(few_or_equal_values_have_none),
        cmocka_unit_test(noise_has_few_changes),
        cmocka_unit_test(a_step_among_fewer_values_than_it_takes_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
