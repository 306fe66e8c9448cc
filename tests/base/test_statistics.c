/*
 * Checks statistics against cases calculated by hand, published ranks, exact sums of binomial
 * coefficients, and simulated samples with a known median.
 */
#include "base/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../random.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs((double)(b)))

static void nothing_for_no_samples(void **state)
{
    (void)state;
    struct summary s;
    assert_true(summarize(NULL, 0, &s));
    assert_int_equal(s.count, 0);
    assert_true(isnan(s.min) && isnan(s.median) && isnan(s.mean) && isnan(s.max));
    assert_true(isnan(s.stdev) && isnan(s.ci95_lo) && isnan(s.ci95_hi));
    assert_int_equal(s.outliers, 0);
    assert_true(isnan(median_in_place(NULL, 0)));
}

static void one_sample_has_no_spread(void **state)
{
    (void)state;
    struct summary s;
    assert_true(summarize((double[]){3.5}, 1, &s));
    assert_true(s.min == 3.5 && s.median == 3.5 && s.mean == 3.5 && s.max == 3.5);
    assert_true(isnan(s.stdev) && isnan(s.ci95_lo) && isnan(s.ci95_hi));
    assert_int_equal(s.outliers, 0);
}

/* The mean of 2 4 4 4 5 5 7 9 is 5. The squared deviations are 9+1+1+1+0+0+4+16 = 32, so the stdev
 * is sqrt(32/7). */
static void eight_samples_by_hand(void **state)
{
    (void)state;
    const double samples[] = {9, 4, 2, 5, 4, 7, 5, 4};
    double before[8];
    memcpy(before, samples, sizeof before);
    struct summary s;
    assert_true(summarize(samples, 8, &s));
    assert_memory_equal(before, samples, sizeof before);
    assert_true(s.min == 2 && s.max == 9 && s.median == 4.5);
    NEAR(s.mean, 5);
    NEAR(s.stdev, sqrt(32.0 / 7));
    /* With 8 samples, the interval between the outermost ones (rank 1) has a confidence of 1 -
     * 2/256, and the interval of rank 2 has 1 - 18/256. The confidence 0.95 is 0.675 of the way
     * between these two. The lower end of its interval is 7 · 0.675 / (1 + 6 · 0.675) = 0.935644
     * of the way from the smallest sample to the second smallest. */
    NEAR(s.ci95_lo, 2 + 4.725 / 5.05 * 2);
    NEAR(s.ci95_hi, 9 - 4.725 / 5.05 * 2);
    /* The median of the deviations from 4.5 is 0.5. */
    /*
     * The limit for outliers is 3 · 1.4826 · 0.5 = 2.22. The values 2 and 7 are 2.5 away from the
     * median, and 9 is 4.5 away.
     */
    assert_int_equal(s.outliers, 3);
}

/* An interval of 95 % takes at least six samples: with five, the largest interval misses the
 * median with a probability of 2/2^5 = 6.25 %; with six, it is 3.1 %. */
static void interval_starts_at_six(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {1, 2, 3, 4, 5, 6};
    assert_true(summarize(samples, 5, &s));
    assert_true(isnan(s.ci95_lo) && isnan(s.ci95_hi));
    assert_true(summarize(samples, 6, &s));
    /* The confidences of ranks 1 and 2 are 0.96875 and 0.78125, and 0.95 is a tenth of the way
     * between them, so the end is 5 · 0.1 / (1 + 4 · 0.1) = 5/14 of the way between the samples. */
    assert_true(s.median == 3.5);
    NEAR(s.ci95_lo, 1 + 5.0 / 14);
    NEAR(s.ci95_hi, 6 - 5.0 / 14);
}

/* the ranks that tables of the sign test give for a two-sided level of 5 % */
static void published_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t count, rank;
    } table[] = {{0, 0},  {1, 0},  {2, 0},   {5, 0},   {6, 1},   {8, 1},   {9, 2},
                 {10, 2}, {11, 2}, {12, 3},  {14, 3},  {15, 4},  {16, 4},  {17, 5},
                 {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(median_interval_rank(table[i].count), table[i].rank);
}

/* Up to 57 samples, the binomial coefficients fit into integers, which give the exact rank k. It
 * is the largest k with 40·(C(n,0) + … + C(n,k-1)) ≤ 2^n. */
static void ranks_by_whole_numbers(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 57; n++) {
        unsigned __int128 coefficient = 1, sum = 0;
        size_t rank = 0;
        for (unsigned j = 0; j <= n / 2; j++) {
            sum += coefficient;
            if (40 * sum > (unsigned __int128)1 << n)
                break;
            rank = j + 1;
            coefficient = coefficient * (n - j) / (j + 1);
        }
        assert_int_equal(median_interval_rank(n), rank);
    }
}

/* For large n, the rank is close to n/2 - 0.98·sqrt(n). The function must not be slow there, and
 * its sums must not underflow. */
static void ranks_of_large_counts(void **state)
{
    (void)state;
    const size_t counts[] = {1000, 1075, 5000, 100000, 1000000};
    for (size_t i = 0; i < 5; i++) {
        double expected = (double)counts[i] / 2 - 0.98 * sqrt((double)counts[i]);
        assert_true(fabs((double)median_interval_rank(counts[i]) - expected) <= 1.5);
    }
    assert_int_equal(median_interval_rank(1000), 469); /* found by an exact sum */
}

static void outliers_are_counted_not_removed(void **state)
{
    (void)state;
    struct summary s;
    /* The median is 10, and the deviations are 1 1 0 1 90 …. Their median is 1, so 100 is an
     * outlier: it is further than 3 · 1.4826 from the median. */
    const double spread[] = {9, 11, 10, 9, 100, 11, 10};
    assert_true(summarize(spread, 7, &s));
    assert_int_equal(s.outliers, 1);
    assert_true(s.max == 100);
    NEAR(s.mean, 160.0 / 7);
    /* The resolution of events is limited, so most samples are equal. Four of ten samples that
     * are one step off are not outliers. */
    const double steps[] = {2, 2, 2, 2, 2, 2, 2.5, 2.5, 2.5, 2.5};
    assert_true(summarize(steps, 10, &s));
    assert_int_equal(s.outliers, 0);
    /* If just one of ten samples differs, it is an outlier: the mean deviation is 0.1, and the
     * limit is 0.376. */
    const double one[] = {2, 2, 2, 2, 3, 2, 2, 2, 2, 2};
    assert_true(summarize(one, 10, &s));
    assert_int_equal(s.outliers, 1);
    const double equal[] = {4, 4, 4, 4, 4, 4};
    assert_true(summarize(equal, 6, &s));
    assert_int_equal(s.outliers, 0);
    assert_true(s.stdev == 0 && s.ci95_lo == 4 && s.ci95_hi == 4);
}

/* The samples are large but close together, so simple sums of squares would lose all digits
 * here. */
static void offset_does_not_hurt(void **state)
{
    (void)state;
    struct summary s;
    const double samples[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    assert_true(summarize(samples, 4, &s));
    assert_true(s.mean == 1e9 + 10);
    NEAR(s.stdev, sqrt(30));
}

static double exponential(uint64_t *seed)
{
    return -log(random_uniform(seed));
}

static double cauchy(uint64_t *seed)
{
    return tan(M_PI * (random_uniform(seed) - 0.5));
}

/* Returns a random number distributed like launch times, which have a sharp minimum. One in ten
 * is ten times as long as the others. */
static double with_stalls(uint64_t *seed)
{
    double u = random_uniform(seed);
    return u < 0.9 ? 1 + u : 10 + u;
}

/* For every distribution and number of samples, the interval contains the true median in 95 ±
 * 1.5 % of 20000 trials. The standard error of these percentages is 0.15 %. */
static void coverage_is_as_stated(void **state)
{
    (void)state;
    enum { TRIALS = 20000 };
    static const struct {
        const char *name;
        double (*draw)(uint64_t *);
        double median;
    } shapes[] = {{"uniform", random_uniform, 0.5},
                  {"exponential", exponential, M_LN2},
                  {"cauchy", cauchy, 0},
                  {"stalls", with_stalls, 1.5}};
    static const size_t sizes[] = {6, 7, 8, 9, 10, 12, 14, 20, 21, 30, 50};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            uint64_t seed = 1000 * i + j;
            int held = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                double samples[50];
                for (size_t m = 0; m < sizes[j]; m++)
                    samples[m] = shapes[i].draw(&seed);
                struct summary s;
                assert_true(summarize(samples, sizes[j], &s));
                held += s.ci95_lo <= shapes[i].median && shapes[i].median <= s.ci95_hi;
            }
            double share = (double)held / TRIALS;
            if (fabs(share - 0.95) > 0.015)
                fail_msg("%s, %zu samples: held %.2f %% of %d", shapes[i].name, sizes[j],
                         100 * share, TRIALS);
        }
}

/* Trimming the samples 1 … 10 cuts the smallest and the largest and leaves 2 … 9. The winsorized
 * samples are 2 2 3 4 5 6 7 8 9 9. */
static void trimmed_mean_by_hand(void **state)
{
    (void)state;
    const double samples[] = {10, 1, 9, 2, 8, 3, 7, 4, 6, 5};
    struct trimmed_mean m;
    assert_true(trim_mean(samples, 10, 1, &m));
    NEAR(m.mean, 5.5);
    NEAR(m.error, sqrt(66.5 / 9 / 10) / 0.8);
    assert_true(isnan(m.between));
    /* The two placements have the samples 10 9 8 7 6 and 1 2 3 4 5. Without one of them, nothing
     * is cut from the other, and the means are 3 and 8. Winsorized, the placements are 9 9 8 7 6
     * and 2 2 3 4 5, and their squared deviations add up to 6.8 each. */
    assert_true(trim_mean(samples, 10, 2, &m));
    NEAR(m.error, sqrt(2 * 2.5 * 2.5 / 2));
    NEAR(m.between, sqrt(2 * (6.25 - 13.6 / 8 / 10 / 0.64)));
    assert_true(trim_mean(samples, 3, 2, &m) && m.mean == 20.0 / 3);
    assert_true(isnan(m.error) && isnan(m.between));
    assert_true(trim_mean(NULL, 0, 8, &m) && isnan(m.mean));
}

/* More and more of the samples belong to a second peak. At half of them, the median jumps, but
 * the trimmed mean does not. */
static void trimmed_mean_does_not_jump(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    double samples[COUNT], last = NAN, last_median = NAN, jump = 0, median_jump = 0;
    for (int slow = 0; slow <= COUNT; slow++) {
        struct trimmed_mean m;
        struct summary s;
        for (int i = 0; i < COUNT; i++)
            samples[i] = 24.4 + 0.8 * (i < slow);
        assert_true(trim_mean(samples, COUNT, 1, &m) && summarize(samples, COUNT, &s));
        jump = fmax(jump, slow ? fabs(m.mean - last) : 0);
        median_jump = fmax(median_jump, slow ? fabs(s.median - last_median) : 0);
        last = m.mean;
        last_median = s.median;
    }
    assert_true(jump < 1.3 * 0.8 / COUNT && median_jump >= 0.4);
}

/* The times of simulated samples vary between placements, and by noise within a placement. The
 * computed error of the mean and the spread between placements must match the true ones, whichever
 * of the two variations is larger. */
static void error_contains_the_placements(void **state)
{
    (void)state;
    static const struct {
        double placement, noise;
        int count;
    } cases[] = {{0.3, 0.1, 32}, {0.1, 0.3, 64}, {0, 0.2, 40}, {0.5, 0.01, 80}};
    enum { PLACEMENTS = 8, TRIES = 4000 };
    uint64_t random = 20261124;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double squares = 0, errors = 0, between = 0;
        for (int t = 0; t < TRIES; t++) {
            double samples[80], place[PLACEMENTS];
            struct trimmed_mean m;
            for (int p = 0; p < PLACEMENTS; p++)
                place[p] = cases[c].placement * random_normal(&random);
            for (int i = 0; i < cases[c].count; i++)
                samples[i] = place[i % PLACEMENTS] + cases[c].noise * random_normal(&random);
            assert_true(trim_mean(samples, (size_t)cases[c].count, PLACEMENTS, &m));
            squares += m.mean * m.mean;
            errors += m.error * m.error;
            between += m.between * m.between;
        }
        double true_error = sqrt(squares / TRIES), error = sqrt(errors / TRIES);
        print_message("placements %g, noise %g: error %.4f, is %.4f; spread %.4f\n",
                      cases[c].placement, cases[c].noise, error, true_error, sqrt(between / TRIES));
        assert_true(error > 0.9 * true_error && error < 1.1 * true_error);
        double spread = sqrt(between / TRIES), noise = cases[c].noise;
        assert_true(cases[c].placement == 0 ? spread < 0.5 * noise
                                            : fabs(spread / cases[c].placement - 1) < 0.15);
    }
}

/* The weights of 1, 2, 3 and 10 are 1, 1, 1 and 3, so the mean is (1 + 2 + 3 + 30) / 6.
 * Together, 1, 2 and 3 have half of the total weight. */
static void weights_by_hand(void **state)
{
    (void)state;
    const double values[] = {10, 2, 3, 1}, weights[] = {3, 1, 1, 1}, equal[] = {1, 1, 1, 1};
    NEAR(weighted_mean(values, weights, 4), 6);
    NEAR(weighted_median(values, weights, 4), 3);
    NEAR(weighted_mean(values, equal, 4), 4);
    NEAR(weighted_median(values, equal, 4), 2);
    const double heavier[] = {3.1, 1, 1, 1};
    NEAR(weighted_median(values, heavier, 4), 10);
    assert_true(isnan(weighted_mean(values, weights, 0)));
    assert_true(isnan(weighted_median(values, weights, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_for_no_samples),
        cmocka_unit_test(one_sample_has_no_spread),
        cmocka_unit_test(eight_samples_by_hand),
        cmocka_unit_test(interval_starts_at_six),
        cmocka_unit_test(published_ranks),
        cmocka_unit_test(ranks_by_whole_numbers),
        cmocka_unit_test(ranks_of_large_counts),
        cmocka_unit_test(outliers_are_counted_not_removed),
        cmocka_unit_test(offset_does_not_hurt),
        cmocka_unit_test(coverage_is_as_stated),
        cmocka_unit_test(trimmed_mean_by_hand),
        cmocka_unit_test(trimmed_mean_does_not_jump),
        cmocka_unit_test(error_contains_the_placements),
        cmocka_unit_test(weights_by_hand),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
