/*
 * Checks finding_missed_share(), a bound for the share of all points that may be faster than the
 * best of some random points. Compares the bound with an exact count, and its confidence with
 * random draws.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "base/random.h"
#include "search/finding.h"

/* Drawing 2 of 4 points misses the best one with a probability of 1/2, and the best two with
 * 1/6. At least one is among the best three. */
static void the_bound_of_small_spaces_is_that_of_counting(void **state)
{
    (void)state;
    assert_true(finding_missed_share(4, 2) == 0.5);
    assert_true(finding_missed_share(4, 4) == 0);
    assert_true(finding_missed_share(4, 1) == 0.75);
    assert_true(finding_missed_share(1, 1) == 0);
    assert_true(isnan(finding_missed_share(0, 0)));
}

/* For M random points in an infinite space, the bound is 1 - 0.05^(1/M). */
static void the_bound_of_large_spaces_is_the_rule_of_three(void **state)
{
    (void)state;
    for (uint32_t probes = 16; probes <= 256; probes *= 2)
        assert_true(fabs(finding_missed_share(10000000, probes) - (1 - pow(0.05, 1.0 / probes))) <
                    1e-6);
}

/* In at least 95 % of the draws, but not in all of them, the best drawn point is within the
 * bound. */
static void the_bound_holds_as_often_as_it_says(void **state)
{
    (void)state;
    enum { POINTS = 600, PROBES = 16, DRAWS = 20000 };
    uint64_t random = 12345;
    int holds = 0;
    for (int d = 0; d < DRAWS; d++) {
        uint8_t drawn[POINTS] = {0};
        uint32_t best = POINTS;
        for (int i = 0; i < PROBES;) {
            uint32_t at = (uint32_t)(random_next(&random) % POINTS);
            if (drawn[at])
                continue;
            drawn[at] = 1;
            best = at < best ? at : best;
            i++;
        }
        holds += best <= finding_missed_share(POINTS, PROBES) * POINTS;
    }
    assert_in_range(holds, (int)(0.945 * DRAWS), (int)(0.96 * DRAWS));
}

/* The numbers are from runs of configs/fastest.json on an H200. For the first n, 192 random points
 * were measured. For every other n, 16 random points, 8 points of the previous n and 64 guesses
 * were measured, some of which coincide. Batches of 64 points followed. */
static void the_batches_of_a_descent_follow_from_the_points(void **state)
{
    const struct config_search c = {
        .start = 192, .probes = 16, .tops = 8, .guesses = 64, .batch = 64};
    const struct {
        int64_t measured, probes, more;
    } cases[] = {{192 + 128, 192, 0}, {192 + 6 * 64, 192, 4}, {88 + 128, 16, 0}, {88 + 192, 16, 1},
                 {85 + 128, 15, 0},   {85 + 7 * 64, 16, 5},   {40, 16, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct search_finding f = {.measured = cases[i].measured, .probes = cases[i].probes};
        assert_true(finding_more(&f, &c) == (double)cases[i].more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_of_small_spaces_is_that_of_counting),
        cmocka_unit_test(the_bound_of_large_spaces_is_the_rule_of_three),
        cmocka_unit_test(the_bound_holds_as_often_as_it_says),
        cmocka_unit_test(the_batches_of_a_descent_follow_from_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
