/* A point's change is less certain if other points of its problem moved, too. Tests how much
 * movement is found, with sums calculated by hand and with movements that must be ignored. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../near.h"

#include "listed_pairs.h"

#include "analyze/unrest.h"
#include "base/statistics.h"

enum { POINTS = 8, HALF = 4 };

static const struct run_margins margins = {0, 0.05, false};

/* Makes two kernels with four points each. For point i, b − a is moved[i], with a standard error
 * of 0.1 us. */
static void make(const double *moved, struct timed_pair *pairs)
{
    const double half = 0.1 / sqrt(2) * 1.959963984540054;
    for (size_t i = 0; i < POINTS; i++) {
        double a = 10, b = 10 + moved[i];
        pairs[i] = (struct timed_pair){
            .kernel = i / HALF, .a = {a, a - half, a + half}, .b = {b, b - half, b + half}};
    }
}

/* Stores the largest movement of other points in out[i], as a logarithm. The function under test
 * returns an allowance of twice this movement. */
static void judge(const double *moved, double inflation, double error_rate, double *out)
{
    const struct problem_offset offset = {.kernels = 3, .inflation = inflation};
    struct timed_pair pairs[POINTS];
    make(moved, pairs);
    unrest_of_others(listed(pairs, POINTS), &offset, &margins, error_rate, out);
    for (size_t i = 0; i < POINTS; i++)
        out[i] /= 2;
}

/* Compares values with table 26.8 of Abramowitz and Stegun. */
static void test_chi_squared(void **state)
{
    (void)state;
    assert_near(chi_squared_tail(3.84146, 1), 0.05, 1e-6);
    assert_near(chi_squared_tail(7.81473, 3), 0.05, 1e-6);
    assert_near(chi_squared_tail(9.21034, 2), 0.01, 1e-7);
    assert_near(chi_squared_tail(124.342, 100), 0.05, 1e-6);
    assert_near(chi_squared_tail(0, 4), 1, 0);
    assert_near(chi_squared_tail(1e5, 40), 0, 0);
}

/* Compares values with table 26.10 of Abramowitz and Stegun. With many degrees of freedom, the
 * distribution must be close to normal. */
static void test_student(void **state)
{
    (void)state;
    assert_near(student_tail(12.706205, 1), 0.05, 1e-7);
    assert_near(student_tail(-2.364624, 7), 0.05, 1e-7);
    assert_near(student_tail(3.169273, 10), 0.01, 1e-7);
    assert_near(student_tail(0.6740, 1e9), 0.50031, 1e-5);
    assert_near(student_tail(1.959964, INFINITY), 0.05, 1e-7);
    assert_near(student_tail(0, 3), 1, 0);
    assert_near(student_tail(INFINITY, 3), 0, 0);
    assert_true(isnan(student_tail(NAN, 3)));
    const double freedoms[] = {1, 2.5, 7, 14, 1000, INFINITY};
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++)
        for (double p = 1e-9; p < 1; p = p < 0.1 ? p * 10 : p + 0.2)
            assert_near(student_tail(student_quantile(p, freedoms[i]), freedoms[i]) / p, 1, 1e-8);
    assert_true(isinf(student_quantile(0, 5)) && isnan(student_quantile(NAN, 5)));
}

/* The second kernel's points scatter around a mean of 0. The furthest moved by 0.3 us, 3 % of their
 * 10 us. The sum of their squared movements in standard errors, Q, is 1 + 1 + 9 + 9 = 20 with 3
 * degrees of freedom. If the errors are twice as large, Q is 5. */
static void test_by_hand(void **state)
{
    (void)state;
    const double moved[POINTS] = {0.5, 0.02, 0.01, 0.03, 0.1, -0.1, 0.3, -0.3};
    double out[POINTS];
    judge(moved, 1, 0.05, out);
    /* No point of the first kernel moved the other way, so only the second kernel matters. */
    for (size_t i = 0; i < HALF; i++)
        assert_near(out[i], 0.03, 1e-3);
    judge(moved, 2, 0.05, out);
    assert_near(out[0], 0, 0); /* chi_squared_tail(5, 3) is 0.17, which is above the error rate. */
    judge(moved, 2, 0.2, out);
    assert_near(out[0], 0.03, 1e-3);
    judge(moved, 1, 1e-4, out);
    /* chi_squared_tail(20, 3) is 1.7e-4, which is above the error rate. */
    assert_near(out[0], 0, 0);
    /* For the points of the second kernel, the other points are those of the first kernel. The mean
     * of their movements, weighted by 1 / error², is 0.0141. The furthest moved by ln 1.05 =
     * 0.0488, which is 0.0347 more than the mean. */
    judge(moved, 1, 0.05, out);
    assert_near(out[4], 0.0347, 1e-3);
}

/* If another kernel moved as a whole, this is no reason to doubt a point's change. If points of the
 * same kernel moved in the same direction, this does not count as a reason either. */
static void test_changes_do_not_hide_themselves(void **state)
{
    (void)state;
    const double whole[POINTS] = {0.5, 0, 0, 0, 2, 2, 2, 2};
    const double some[POINTS] = {0.5, 0.5, 0, 0, 0, 0, 0, 0};
    const double both_ways[POINTS] = {0.5, -0.5, 0, 0, 0, 0, 0, 0};
    double out[POINTS];
    judge(whole, 1, 0.05, out);
    assert_near(out[0], 0, 0);
    judge(some, 1, 0.05, out);
    assert_near(out[0], 0, 0);
    /* The second kernel's points are less certain, because some points of the first kernel
     * moved. */
    assert_near(out[4], 0.025, 1e-3);
    judge(both_ways, 1, 0.05, out);
    assert_near(out[0], 0.0513, 1e-4);
}

static void test_either_order(void **state)
{
    (void)state;
    const double moved[POINTS] = {0.5, -0.2, 0, 0.03, 0.1, -0.1, 0.3, -0.3};
    const struct problem_offset offset = {.kernels = 3, .inflation = 1};
    struct timed_pair pairs[POINTS];
    double out[POINTS], back[POINTS];
    make(moved, pairs);
    unrest_of_others(listed(pairs, POINTS), &offset, &margins, 0.05, out);
    for (size_t i = 0; i < POINTS; i++) {
        struct estimate a = pairs[i].a;
        pairs[i].a = pairs[i].b;
        pairs[i].b = a;
    }
    unrest_of_others(listed(pairs, POINTS), &offset, &margins, 0.05, back);
    for (size_t i = 0; i < POINTS; i++)
        assert_near(out[i], back[i], 1e-12);
}

/* Without intervals or other points, the test cannot show that anything moved. */
static void test_nothing_known(void **state)
{
    (void)state;
    const struct problem_offset offset = {.kernels = 1, .inflation = 1};
    struct timed_pair pairs[2] = {{.a = {10, NAN, NAN}, .b = {11, NAN, NAN}},
                                  {.kernel = 1, .a = {10, NAN, NAN}, .b = {15, NAN, NAN}}};
    double out[2];
    unrest_of_others(listed(pairs, 2), &offset, &margins, 0.05, out);
    assert_near(out[0], 0, 0);
    unrest_of_others(listed(pairs, 1), &offset, &margins, 0.05, out);
    assert_near(out[0], 0, 0);
    unrest_of_others(listed(pairs, 0), &offset, &margins, 0.05, out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chi_squared),  cmocka_unit_test(test_student),
        cmocka_unit_test(test_by_hand),      cmocka_unit_test(test_changes_do_not_hide_themselves),
        cmocka_unit_test(test_either_order), cmocka_unit_test(test_nothing_known),
    };
    return cmocka_run_group_tests_name("analyze/unrest", tests, NULL, NULL);
}
