/*
 * Checks verdicts on times that are means over several placements of the buffers. Varies the errors
 * due to placement, and what part of such an error a kernel's points share.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../random.h"
#include "recorded.h"

static uint64_t seed;

/* Judges four kernels with five points each in eight groups. Times are means over placements, and
 * those of run b are longer by `more[kernel]`. `error` is the standard error of ln(b / a). `shared`
 * is the part of this error that a kernel's points share, and `freedom` is its number of degrees of
 * freedom. The medians of run b are longer by `of_medians` times `more[kernel]`. */
static void judge_placed(const double *more, double error, double shared, double freedom,
                         double of_medians, struct times *t)
{
    enum {
        PLACED_KERNELS = 4,
        PLACED_GROUPS = 8,
        PLACED_POINTS = 5,
        ALL = PLACED_KERNELS * PLACED_GROUPS * PLACED_POINTS
    };
    static const struct times_rule rule = {0.01, 0.05, {0.001, 0.001, false}};
    struct timed_pair pairs[ALL];
    for (size_t i = 0; i < ALL; i++) {
        size_t kernel = i % PLACED_KERNELS;
        double a = 100, b = 100 * (1 + more[kernel] + 1e-5 * random_normal(&seed));
        double half = 1.959964 * error / M_SQRT2;
        pairs[i] = (struct timed_pair){.kernel = (uint32_t)kernel,
                                       .group = (uint32_t)(i / PLACED_KERNELS / PLACED_POINTS),
                                       .a = {a, a * (1 - half), a * (1 + half)},
                                       .b = {b, b * (1 - half), b * (1 + half)},
                                       .placed = true,
                                       .median_a = a,
                                       .median_b = a * (1 + more[kernel] * of_medians),
                                       .shared = shared,
                                       .freedom = freedom};
    }
    times_judge(listed(pairs, ALL), PLACED_GROUPS, PLACED_KERNELS, &rule, t);
}

static size_t slow_of_kernel(const struct times *t, size_t kernel, size_t *points, size_t *cells)
{
    *points = *cells = 0;
    for (size_t i = 0; i < t->point_count; i++)
        *points += i % 4 == kernel && t->points[i].verdict == TIME_SLOW;
    for (size_t i = 0; i < t->cell_count; i++)
        *cells += t->cells[i].kernel == kernel && t->cells[i].verdict == TIME_SLOW;
    return t->kernels[kernel].verdict == TIME_SLOW;
}

static void test_placements(void **state)
{
    (void)state;
    seed = 21;
    const double more[] = {0.03, 0, 0, 0};
    size_t points, cells;
    struct times t;
    /* The change of each point is 7.5 standard errors. */
    judge_placed(more, 0.004, 0, 1000, 1, &t);
    assert_int_equal(slow_of_kernel(&t, 0, &points, &cells), 1);
    assert_true(points == 40 && cells == 8);
    times_free(&t);
    judge_placed(more, 0.004, 0, 3, 1, &t); /* With 4 placements, this is not significant. */
    assert_int_equal(slow_of_kernel(&t, 0, &points, &cells), 1);
    assert_true(points == 0 && cells == 8);
    times_free(&t);
    judge_placed(more, 0.02, 0.02, 7, 1, &t); /* The points share the whole error. */
    assert_int_equal(slow_of_kernel(&t, 0, &points, &cells), 0);
    assert_true(points == 0 && cells == 0);
    assert_true(t.kernels[0].detectable > 0.04);
    times_free(&t);
    judge_placed(more, 0.02, 0, 7, 1, &t); /* Each point has its own error. */
    assert_int_equal(slow_of_kernel(&t, 0, &points, &cells), 1);
    times_free(&t);
    judge_placed(more, 0.004, 0, 1000, 0, &t); /* The medians are the same. */
    (void)slow_of_kernel(&t, 0, &points, &cells);
    assert_int_equal(points, 0);
    times_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements),
    };
    return cmocka_run_group_tests_name("analyze/times of placements", tests, NULL, NULL);
}
