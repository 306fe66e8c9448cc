/*
 * Checks the statistics that compare two runs against published examples, values calculated by
 * hand, a count of all arrangements, and simulated samples for which the answer is known.
 */
#include "analyze/adjust.h"
#include "analyze/rank.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../near.h"
#include "../random.h"

#include "../allocated.h"
#include "base/statistics.h"

static uint64_t seed;

/* The example is from Hollander & Wolfe, Nonparametric Statistical Methods, §4.1: the permeability
 * of the human chorion at term and at 12 to 26 weeks. W is 35, and the one-sided exact p is 0.1272,
 * as R's wilcox.test prints it. */
static void test_published_rank_test(void **state)
{
    (void)state;
    const double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    struct rank_test t;
    rank_test(x, 10, y, 5, &t);
    assert_true(t.exact);
    assert_near(t.u, 35, 0);
    assert_near(t.p, 2 * 0.1272, 1e-4);
    assert_near(t.least_p, 2.0 / 3003, 1e-12); /* There are 15 over 5 arrangements. */
    rank_test(y, 5, x, 10, &t);                /* The samples are swapped. */
    assert_near(t.u, 15, 0);
    assert_near(t.p, 2 * 0.1272, 1e-4);
}

/* Calculated by hand: four values can be divided into two samples of two in 6 ways. The division
 * into {1, 2} and {3, 4} is the most extreme one in its direction, so p = 2 · 1/6. */
static void test_tiny_samples(void **state)
{
    (void)state;
    const double low[] = {1, 2}, high[] = {3, 4}, same[] = {7, 7};
    struct rank_test t;
    rank_test(low, 2, high, 2, &t);
    assert_near(t.u, 0, 0);
    assert_near(t.p, 1.0 / 3, 1e-15);
    assert_near(t.least_p, 1.0 / 3, 1e-15);
    rank_test(same, 2, same, 2, &t); /* All values tie. */
    assert_near(t.u, 2, 0);
    assert_near(t.p, 1, 0);
    rank_test(low, 2, high, 0, &t);
    assert_true(isnan(t.p) && isnan(t.u));
    rank_test(NULL, 0, NULL, 0, &t);
    assert_true(isnan(t.p));
}

/* Returns twice the sum of the ranks of the values in the set. Equal values share the mean of
 * their ranks. */
static int sum_of_ranks2(const double *all, int count, unsigned set)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        if (!(set >> i & 1))
            continue;
        for (int j = 0; j < count; j++)
            sum += all[j] < all[i] ? 2 : all[j] == all[i] ? 1 : 0;
        sum += 1;
    }
    return sum;
}

/* The exact test's p matches the one found by counting all choices of the first sample, even
 * with ties. */
static void test_against_all_arrangements(void **state)
{
    (void)state;
    seed = 7;
    for (int round = 0; round < 60; round++) {
        int a = 1 + (int)(random_uniform(&seed) * 6), b = 1 + (int)(random_uniform(&seed) * 6),
            count = a + b;
        double all[12];
        for (int i = 0; i < count; i++)
            /* Every second round has many ties. */
            all[i] = floor(random_uniform(&seed) * (round % 2 ? 4 : 1000));
        int observed = sum_of_ranks2(all, count, (1u << a) - 1);
        double below = 0, above = 0, sets = 0;
        for (unsigned set = 0; set < 1u << count; set++) {
            if (__builtin_popcount(set) != a)
                continue;
            int sum = sum_of_ranks2(all, count, set);
            sets++;
            below += sum <= observed;
            above += sum >= observed;
        }
        struct rank_test t;
        rank_test(all, (size_t)a, all + a, (size_t)b, &t);
        assert_true(t.exact);
        assert_near(t.p, fmin(1, 2 * fmin(below, above) / sets), 1e-12);
    }
}

/* Calculated by hand, with many samples. a contains 1 … 20 twice, and b contains 11 … 30 twice.
 * U is the number of pairs in which a's value is larger, plus half the number of ties. Each v
 * from 11 to 20 occurs twice in a, exceeds 2 (v − 11) values of b and ties with 2, so U = 2 · Σ
 * (2 (v − 11) + 1) = 2 · (2 · 45 + 10) = 200. n1 = n2 = 40, and N = 80. Each of 1 … 10 and 21 …
 * 30 occurs twice, and each of 11 … 20 four times, so Σ t³ − t = 20 · 6 + 10 · 60 = 720. The
 * variance is 1600/12 · (81 − 720/(80 · 79)) = 10784.81, so z = (600 − 0.5)/103.85 = 5.773. */
static void test_many_samples_with_ties(void **state)
{
    (void)state;
    double a[40], b[40];
    for (int i = 0; i < 40; i++) {
        a[i] = 1 + i / 2;
        b[i] = 11 + i / 2;
    }
    struct rank_test t;
    rank_test(a, 40, b, 40, &t);
    assert_false(t.exact);
    assert_near(t.u, 200, 0);
    assert_near(t.p, erfc(599.5 / sqrt(10784.81) / sqrt(2)), 1e-12);
    assert_true(t.p > 7e-9 && t.p < 9e-9);
    for (int i = 0; i < 40; i++)
        a[i] = b[i] = 5;
    rank_test(a, 40, b, 40, &t);
    assert_near(t.p, 1, 0);
}

/* Both samples of each of 4000 pairs come from the same distribution. At the 5 % level, the rank
 * test must find a difference in about 5 % of the pairs. */
static void test_level(void **state)
{
    (void)state;
    /* The first size uses the exact test, the second the approximation. */
    const size_t counts[] = {12, 40};
    for (int c = 0; c < 2; c++) {
        seed = 11;
        int found = 0;
        for (int round = 0; round < 4000; round++) {
            double x[80];
            for (size_t i = 0; i < 2 * counts[c]; i++)
                x[i] = exp(random_normal(&seed));
            struct rank_test t;
            rank_test(x, counts[c], x + counts[c], counts[c], &t);
            found += t.p <= 0.05;
        }
        assert_in_range(found, 4000 * 4 / 100, 4000 * 6 / 100);
    }
}

/*
 * Calculated by hand: a is 10 with the interval [9, 11], and b is 12 with the interval [11, 13.5].
 * The lower end is 1.2 · exp(−√(ln²(12/11) + ln²(11/10))) = 1.2 · exp(−√(0.087011² + 0.095310²)) =
 * 1.2 · exp(−0.129052) = 1.05471. The upper end is 1.2 · exp(√(ln²(13.5/12) + ln²(10/9))) = 1.2 ·
 * exp(√(0.117783² + 0.105361²)) = 1.40544.
 */
static void test_ratio(void **state)
{
    (void)state;
    struct estimate r = ratio_of((struct estimate){10, 9, 11}, (struct estimate){12, 11, 13.5});
    assert_near(r.value, 1.2, 1e-15);
    assert_near(r.low, 1.05471, 1e-5);
    assert_near(r.high, 1.40544, 1e-5);
    /* ln 1.2 = 0.182322 is 0.182322/0.129052 · 1.959964 = 2.76900 standard errors from 0, so p =
     * 0.005623. */
    assert_near(ratio_p(r), 0.005623, 1e-6);
    r = ratio_of((struct estimate){10, NAN, NAN}, (struct estimate){12, 11, 13});
    assert_near(r.value, 1.2, 1e-15);
    assert_true(isnan(r.low) && isnan(r.high) && isnan(ratio_p(r)));
    r = ratio_of((struct estimate){0, 0, 0}, (struct estimate){12, 11, 13});
    assert_true(isnan(r.value));
    r = ratio_of((struct estimate){10, 10, 10}, (struct estimate){10, 10, 10});
    assert_near(r.low, 1, 0);
    assert_near(ratio_p(r), 1, 0);
}

/* The interval contains the true ratio in about 95 % of the cases or slightly more. */
static void test_ratio_coverage(void **state)
{
    (void)state;
    seed = 3;
    int held = 0;
    for (int round = 0; round < 3000; round++) {
        double a[50], b[30];
        for (int i = 0; i < 50; i++)
            a[i] = 5 * exp(0.1 * random_normal(&seed));
        for (int i = 0; i < 30; i++)
            b[i] = 6 * exp(0.2 * random_normal(&seed));
        struct summary x, y;
        assert_true(summarize(a, 50, &x) && summarize(b, 30, &y));
        struct estimate r = ratio_of((struct estimate){x.median, x.ci95_lo, x.ci95_hi},
                                     (struct estimate){y.median, y.ci95_lo, y.ci95_hi});
        held += r.low <= 1.2 && 1.2 <= r.high;
    }
    assert_in_range(held, 3000 * 945 / 1000, 3000 * 985 / 1000);
}

/* The 15 p values are from the worked example of Benjamini & Hochberg (1995). At the 5 % level,
 * the four smallest are discoveries. The adjusted values are calculated by hand. The 4th
 * smallest p becomes 0.0095 · 15/4 = 0.035625. The 6th would be 0.0278 · 15/6 = 0.0695, but the
 * 7th gives 0.0298 · 15/7 = 0.063857. */
static void test_published_false_discovery(void **state)
{
    (void)state;
    const double p[] = {0.0298, 0.0001, 0.0004, NAN,    0.0019, 0.0095, 0.0201, 0.0278,
                        0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    double q[16];
    false_discovery(p, 16, q);
    int discoveries = 0;
    for (int i = 0; i < 16; i++)
        discoveries += q[i] <= 0.05;
    assert_int_equal(discoveries, 4);
    assert_true(isnan(q[3]));
    assert_near(q[1], 0.0001 * 15, 1e-12);
    assert_near(q[5], 0.035625, 1e-12);
    assert_near(q[6], 0.0603, 1e-12);
    assert_near(q[7], 0.0298 * 15 / 7, 1e-12);
    assert_near(q[0], 0.0298 * 15 / 7, 1e-12);
    assert_near(q[15], 1, 0);
    false_discovery(p, 0, q);
}

/* Many textbooks explain Spearman's rank correlation with this example of IQ and hours of
 * television. */
static void test_published_rank_correlation(void **state)
{
    (void)state;
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const double hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    const double ties[] = {1, 1, 2, 3}, other[] = {4, 5, 6, 6}, same[] = {2, 2, 2, 2};
    double rho;
    rho = rank_correlation(iq, hours, 10);
    assert_near(rho, -29.0 / 165, 1e-12);
    /* The ranks are 1.5 1.5 3 4 and 1 2 3.5 3.5. Their deviations from the mean are −1 −1 .5 1.5
     * and −1.5 −.5 1 1, so the correlation is 4 / 4.5. */
    rho = rank_correlation(ties, other, 4);
    assert_near(rho, 4 / 4.5, 1e-12);
    /* The correlation is 1 if both values always rise together, and −1 if one falls whenever the
     * other rises, however large the steps are. */
    const double up[] = {1, 2, 30, 400}, down[] = {9, 7, 6, -5};
    assert_near(rank_correlation(up, up, 4), 1, 1e-12);
    assert_near(rank_correlation(up, down, 4), -1, 1e-12);
    rho = rank_correlation(ties, same, 4);
    assert_true(isnan(rho));
    rho = rank_correlation(ties, other, 2);
    assert_true(isnan(rho));
}

/* The first calls do not count, because the C library keeps some of their memory for later ones. */
static void test_nothing_stays_allocated(void **state)
{
    (void)state;
    const double a[] = {3, 1, 2, 5, 4}, b[] = {30, 10, 20, 40, 50};
    size_t used = 0;
    for (int call = 0; call < 100; call++) {
        struct rank_test t;
        double q[5];
        assert_near(rank_correlation(a, b, 5), 0.9, 1e-12);
        rank_test(a, 5, b, 5, &t);
        false_discovery(a, 5, q);
        if (call == 50)
            used = allocated_bytes();
    }
    assert_int_equal(allocated_bytes(), used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_rank_test),
        cmocka_unit_test(test_tiny_samples),
        cmocka_unit_test(test_against_all_arrangements),
        cmocka_unit_test(test_many_samples_with_ties),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_ratio_coverage),
        cmocka_unit_test(test_published_false_discovery),
        cmocka_unit_test(test_published_rank_correlation),
        cmocka_unit_test(test_nothing_stays_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
