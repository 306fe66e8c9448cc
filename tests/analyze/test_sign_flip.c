/*
 * Checks the sign-flip test, its interval, and the adjusted p values of many tests. Uses a
 * published example, values calculated by hand, and simulated values with known answers.
 */
#include "analyze/adjust.h"
#include "analyze/sign_flip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../near.h"
#include "../random.h"

static uint64_t seed;

static double p_weighted(const double *values, const double *weights, size_t count)
{
    struct sign_flips flips;
    sign_flips_make(values, weights, count, &flips);
    double p = sign_flips_p(&flips, 0);
    sign_flips_free(&flips);
    return p;
}

static double p_at_zero(const double *values, size_t count)
{
    return p_weighted(values, NULL, count);
}

/* The example is from Fisher, The Design of Experiments, §21: the differences in height of Darwin's
 * 15 pairs of plants, in eighths of an inch. Of the 32 768 sign patterns, 835 give a larger sum
 * than the observed one and 28 the same sum, 863 together. Both directions make 1726. */
static void test_fishers_example(void **state)
{
    (void)state;
    const double darwin[15] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    assert_near(p_at_zero(darwin, 15), 1726.0 / 32768, 1e-12);
}

/* Over all combinations of signs, the sums of {1, 2, 3} are −6, −4, −2, 0, 0, 2, 4, 6, so p = 2/8.
 * The means of the subsets of {1, 2, 3} are 1, 1.5, 2, 2, 2, 2.5, 3. */
static void test_by_hand(void **state)
{
    (void)state;
    const double three[] = {1, 2, 3};
    const double means[] = {1, 1.5, 2, 2, 2, 2.5, 3};
    struct sign_flips flips;
    sign_flips_make(three, NULL, 3, &flips);
    assert_int_equal(flips.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_near(flips.means[i], means[i], 1e-12);
    assert_near(flips.mean, 2, 0);
    assert_near(sign_flips_p(&flips, 0), 0.25, 0);
    assert_near(sign_flips_p(&flips, 2), 1, 0);
    double low, high;
    sign_flips_interval(&flips, 0.25, &low, &high);
    assert_near(low, 1, 0);
    assert_near(high, 3, 0);
    sign_flips_interval(&flips, 0.5, &low, &high);
    assert_near(low, 1.5, 0);
    assert_near(high, 2.5, 0);
    sign_flips_interval(&flips, 0.05, &low, &high); /* Three values are too few for an interval. */
    assert_true(isnan(low) && isnan(high));
    sign_flips_free(&flips);
}

/* Over all combinations of signs, the sums of {1, 2, 4} with the weights {1, 1, 2} are ±11, ±9,
 * ±7, ±5. Only equal signs give ±11. The means of the subsets are 1, 2, 1.5, 4, 3, 10/3, 11/4. */
static void test_weights_by_hand(void **state)
{
    (void)state;
    const double values[] = {1, 2, 4}, weights[] = {1, 1, 2};
    const double means[] = {1, 1.5, 2, 2.75, 3, 10.0 / 3, 4};
    struct sign_flips flips;
    sign_flips_make(values, weights, 3, &flips);
    for (size_t i = 0; i < 7; i++)
        assert_near(flips.means[i], means[i], 1e-12);
    assert_near(flips.mean, 2.75, 1e-12);
    assert_near(sign_flips_p(&flips, 0), 0.25, 0);
    sign_flips_free(&flips);
    /* If all weights are equal, their value has no effect. */
    const double fives[20] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    double many[20];
    seed = 2;
    for (size_t i = 0; i < 20; i++)
        many[i] = random_normal(&seed) + 0.5;
    for (size_t count = 3; count <= 20; count += 17) {
        struct sign_flips plain, weighted;
        sign_flips_make(many, NULL, count, &plain);
        sign_flips_make(many, fives, count, &weighted);
        for (size_t i = 0; i < plain.count; i++)
            assert_near(plain.means[i], weighted.means[i], 1e-12);
        sign_flips_free(&plain);
        sign_flips_free(&weighted);
    }
}

/* It takes at least six values to get p ≤ 5 % and a 95 % interval. */
static void test_how_many_values(void **state)
{
    (void)state;
    const double ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t count = 1; count <= 20; count++) {
        struct sign_flips flips;
        double low, high;
        sign_flips_make(ones, NULL, count, &flips);
        sign_flips_interval(&flips, 0.05, &low, &high);
        assert_int_equal(isnan(low), count < 6);
        assert_int_equal(sign_flips_p(&flips, 0) <= 0.05, count >= 6);
        /* the lowest p that is possible with this number of values */
        size_t signs = count < SIGN_FLIP_EXACT_MAX ? count : SIGN_FLIP_EXACT_MAX;
        double lowest = fmin(1, ldexp(2, -(int)signs));
        if (count <= SIGN_FLIP_EXACT_MAX)
            assert_near(sign_flips_p(&flips, 0), lowest, 0);
        assert_true(sign_flips_p(&flips, 0) >= lowest);
        sign_flips_free(&flips);
    }
    struct sign_flips none;
    sign_flips_make(ones, NULL, 0, &none);
    assert_true(isnan(sign_flips_p(&none, 0)) && isnan(none.mean));
    sign_flips_free(&none);
}

/* The interval contains exactly the values that the test does not reject. Flipping the sign of
 * every value mirrors the interval. */
static void test_interval_is_the_tested_one(void **state)
{
    (void)state;
    seed = 7;
    for (int round = 0; round < 200; round++) {
        double values[10], negative[10], weights[10], low, high, mirrored_low, mirrored_high;
        for (size_t i = 0; i < 10; i++) {
            negative[i] = -(values[i] = random_normal(&seed) + 0.7);
            weights[i] = 0.01 + random_uniform(&seed);
        }
        const double *by = round % 2 ? weights : NULL;
        struct sign_flips flips, mirror;
        sign_flips_make(values, by, 10, &flips);
        sign_flips_make(negative, by, 10, &mirror);
        sign_flips_interval(&flips, 0.05, &low, &high);
        sign_flips_interval(&mirror, 0.05, &mirrored_low, &mirrored_high);
        for (double at = -1.05; at < 2.5; at += 0.1)
            assert_int_equal(at < low || at > high, sign_flips_p(&flips, at) <= 0.05);
        assert_near(mirrored_low, -high, 1e-12);
        assert_near(mirrored_high, -low, 1e-12);
        assert_near(sign_flips_p(&flips, 0), sign_flips_p(&mirror, 0), 1e-12);
        sign_flips_free(&flips);
        sign_flips_free(&mirror);
    }
}

/* The test is exact: even for heavy-tailed distributions, it rejects in 5 % of the cases or
 * slightly fewer. It also finds a shift. */
static void test_levels_and_power(void **state)
{
    (void)state;
    seed = 11;
    int rejected = 0, heavy = 0, found = 0;
    for (int round = 0; round < 2000; round++) {
        double values[9], tails[9], shifted[9];
        for (size_t i = 0; i < 9; i++) {
            values[i] = random_normal(&seed);
            tails[i] = random_normal(&seed) / fabs(random_normal(&seed));
            shifted[i] = random_normal(&seed) + 2;
        }
        rejected += p_at_zero(values, 9) <= 0.05;
        heavy += p_at_zero(tails, 9) <= 0.05;
        found += p_at_zero(shifted, 9) <= 0.05;
    }
    /* 2000 · 24/512 = 94 rejections are expected, with a standard deviation of 9.5. */
    assert_in_range(rejected, 70, 125);
    assert_in_range(heavy, 70, 125);
    assert_true(found > 1900);
}

/* Very unequal weights do not raise the error rate, whether or not they match the values' scatter.
 * If the weights match the scatter, the test finds a shift that it misses with equal weights. */
static void test_levels_and_power_of_weights(void **state)
{
    (void)state;
    seed = 13;
    int right = 0, wrong = 0, found = 0, found_equal = 0;
    for (int round = 0; round < 2000; round++) {
        double values[12], weights[12], even[12];
        for (size_t i = 0; i < 12; i++) {
            double error = i < 6 ? 4 : 0.5;
            weights[i] = 1 / (error * error);
            values[i] = random_normal(&seed) * error;
            even[i] = random_normal(&seed);
        }
        right += p_weighted(values, weights, 12) <= 0.05;
        wrong += p_weighted(even, weights, 12) <= 0.05;
        for (size_t i = 0; i < 12; i++)
            values[i] += 1;
        found += p_weighted(values, weights, 12) <= 0.05;
        found_equal += p_weighted(values, NULL, 12) <= 0.05;
    }
    /* 2000 · 204/4096 = 100 rejections are expected, with a standard deviation of 9.7. */
    assert_in_range(right, 70, 135);
    assert_in_range(wrong, 70, 135);
    assert_true(found > 1900);
    assert_true(found_equal < 600);
}

/* With too many values to try all combinations of signs, the test draws random signs, the same
 * ones in each call. p comes out close to that of the normal distribution. */
static void test_random_ways(void **state)
{
    (void)state;
    seed = 3;
    double values[30];
    for (size_t i = 0; i < 30; i++)
        values[i] = random_normal(&seed) + 0.4;
    double p = p_at_zero(values, 30), sum = 0, squares = 0;
    assert_near(p, p_at_zero(values, 30), 0);
    for (size_t i = 0; i < 30; i++) {
        sum += values[i];
        squares += values[i] * values[i];
    }
    /* The sums with random signs are nearly normal, and their variance is the sum of the
     * squares. */
    assert_near(p, p_of_z(sum / sqrt(squares)), 0.005);
}

static void test_normal_quantiles(void **state)
{
    (void)state;
    assert_near(z_of_p(0.05), 1.959963984540054, 1e-12);
    assert_near(z_of_p(0.3173105078629141), 1, 1e-12);
    assert_near(p_of_z(-1.959963984540054), 0.05, 1e-15);
    for (double z = 0.01; z < 30; z *= 1.3)
        assert_near(z_of_p(p_of_z(z)), z, 1e-6 * z);
    assert_true(z_of_p(1) == 0 && isinf(z_of_p(0)) && isnan(z_of_p(NAN)));
}

/* Holm (1979), calculated by hand: 0.01·4, max(·, 0.02·3), 0.03·2, max(·, 0.04), where · is the
 * previous value. NaN does not count as a test. */
static void test_holm(void **state)
{
    (void)state;
    double p[] = {0.03, NAN, 0.01, 0.04, 0.02};
    holm(p, 5, p);
    assert_near(p[2], 0.04, 1e-12);
    assert_near(p[4], 0.06, 1e-12);
    assert_near(p[0], 0.06, 1e-12);
    assert_near(p[3], 0.06, 1e-12);
    assert_true(isnan(p[1]));
    double high[] = {0.5, 0.9};
    holm(high, 2, high);
    assert_true(high[0] == 1 && high[1] == 1);
    holm(high, 0, high);

    /* All 100 hypotheses of a family are true. In at most 5 % of the families, any of them is
     * rejected. */
    seed = 5;
    int wrong = 0;
    for (int round = 0; round < 2000; round++) {
        double family[100];
        bool any = false;
        for (size_t i = 0; i < 100; i++)
            family[i] = random_uniform(&seed);
        holm(family, 100, family);
        for (size_t i = 0; i < 100; i++)
            any |= family[i] <= 0.05;
        wrong += any;
    }
    assert_in_range(wrong, 60, 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fishers_example),  cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_how_many_values),  cmocka_unit_test(test_interval_is_the_tested_one),
        cmocka_unit_test(test_levels_and_power), cmocka_unit_test(test_random_ways),
        cmocka_unit_test(test_weights_by_hand),  cmocka_unit_test(test_levels_and_power_of_weights),
        cmocka_unit_test(test_normal_quantiles), cmocka_unit_test(test_holm),
    };
    return cmocka_run_group_tests_name("analyze/sign_flip", tests, NULL, NULL);
}
