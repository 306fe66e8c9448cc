/*
 * Whether the other points of a problem hold still: sums worked by hand, and what must not count.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "listed_pairs.h"

#include "analyze/stillness.h"
#include "base/statistics.h"

enum { POINTS = 8, HALF = 4 };

static const struct run_margins margins = {0, 0.05, false};

/* Two kernels of four points; b − a is moved[i], each with a standard error of 0.1 us. */
static void make(const double *moved, struct timed_pair *pairs)
{
    const double half = 0.1 / sqrt(2) * 1.959963984540054;
    for (size_t i = 0; i < POINTS; i++) {
        double a = 10, b = 10 + moved[i];
        pairs[i] = (struct timed_pair){
            .kernel = i / HALF, .a = {a, a - half, a + half}, .b = {b, b - half, b + half}};
    }
}

static void judge(const double *moved, double inflation, double *p)
{
    const struct problem_offset offset = {.kernels = 3, .inflation = inflation};
    struct timed_pair pairs[POINTS];
    make(moved, pairs);
    stillness_of_others(listed(pairs, POINTS), &offset, &margins, p);
}

/* Abramowitz and Stegun, table 26.8. */
static void test_chi_squared(void **state)
{
    (void)state;
    assert_float_equal(chi_squared_tail(3.84146, 1), 0.05, 1e-6);
    assert_float_equal(chi_squared_tail(7.81473, 3), 0.05, 1e-6);
    assert_float_equal(chi_squared_tail(9.21034, 2), 0.01, 1e-7);
    assert_float_equal(chi_squared_tail(124.342, 100), 0.05, 1e-6);
    assert_float_equal(chi_squared_tail(0, 4), 1, 0);
    assert_float_equal(chi_squared_tail(1e5, 40), 0, 0);
}

/* The other kernel's points scatter: q = (1 + 1 + 9 + 9) about their mean of 0, 3 degrees. */
static void test_by_hand(void **state)
{
    (void)state;
    const double moved[POINTS] = {0.5, 0.02, 0.01, 0.03, 0.1, -0.1, 0.3, -0.3};
    double p[POINTS];
    judge(moved, 1, p);
    for (size_t i = 0; i < HALF; i++) /* no point of the kernel itself moved the other way */
        assert_float_equal(p[i], chi_squared_tail(20, 3), 1e-9);
    judge(moved, 2, p);
    assert_float_equal(p[0], chi_squared_tail(5, 3), 1e-9);
    /* The second kernel's up: q of the first about its mean of 0.14, and its own −0.1, −0.3. */
    judge(moved, 1, p);
    double first = 0;
    for (size_t i = 0; i < HALF; i++)
        first += pow((moved[i] - 0.14) / 0.1, 2);
    assert_float_equal(p[4], chi_squared_tail(first + 1 + 9, 5), 1e-9);
}

/* A kernel that moved as a whole, and points of the kernel itself that moved the same way, are no
 * reason to doubt a point. */
static void test_changes_do_not_hide_themselves(void **state)
{
    (void)state;
    const double whole[POINTS] = {0.5, 0, 0, 0, 2, 2, 2, 2};
    const double some[POINTS] = {0.5, 0.5, 0, 0, 0, 0, 0, 0};
    const double both_ways[POINTS] = {0.5, -0.5, 0, 0, 0, 0, 0, 0};
    double p[POINTS];
    judge(whole, 1, p);
    assert_float_equal(p[0], 1, 1e-9);
    judge(some, 1, p);
    assert_float_equal(p[0], 1, 1e-9);
    assert_true(p[4] < 1e-4); /* around the other kernel's points some moved */
    judge(both_ways, 1, p);
    assert_true(p[0] < 1e-4);
}

static void test_either_order(void **state)
{
    (void)state;
    const double moved[POINTS] = {0.5, -0.2, 0, 0.03, 0.1, -0.1, 0.3, -0.3};
    double negative[POINTS], p[POINTS], q[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        negative[i] = -moved[i];
    judge(moved, 1, p);
    judge(negative, 1, q);
    for (size_t i = 0; i < POINTS; i++)
        assert_float_equal(p[i], q[i], 1e-9);
}

/* Without intervals, or without other points, nothing is known to have moved. */
static void test_nothing_known(void **state)
{
    (void)state;
    const struct problem_offset offset = {.kernels = 1, .inflation = 1};
    struct timed_pair pairs[2] = {{.a = {10, NAN, NAN}, .b = {11, NAN, NAN}},
                                  {.kernel = 1, .a = {10, NAN, NAN}, .b = {15, NAN, NAN}}};
    double p[2];
    stillness_of_others(listed(pairs, 2), &offset, &margins, p);
    assert_float_equal(p[0], 1, 0);
    stillness_of_others(listed(pairs, 1), &offset, &margins, p);
    assert_float_equal(p[0], 1, 0);
    stillness_of_others(listed(pairs, 0), &offset, &margins, p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chi_squared),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_changes_do_not_hide_themselves),
        cmocka_unit_test(test_either_order),
        cmocka_unit_test(test_nothing_known),
    };
    return cmocka_run_group_tests_name("analyze/stillness", tests, NULL, NULL);
}
