/*
 * Checks on recorded samples that comparing a run with itself rarely raises an alarm, and that a
 * real change is found.
 */
#include "diff_fixture.h"
#include "base/statistics.h"
#include "../table/cells.h"

static void shuffle(double *list, size_t count, uint64_t *seed)
{
    for (size_t i = count; i > 1; i--) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)((*seed >> 33) % i);
        double x = list[i - 1];
        list[i - 1] = list[j];
        list[j] = x;
    }
}

/* Makes a run from the first or the second half of the samples of each row of `real`. */
static void take_half(const struct results *real, int second, struct results *half)
{
    static const char *const names[] = {"kernel", "type",   "op",      "n",
                                        "block",  "unroll", "t_loads", "t_blocks_per_sm",
                                        "cache",  "scope",  "status"};
    size_t rows = real->rows.row_count, *first = calloc(rows + 2, sizeof *first);
    double *samples = malloc(real->first_sample[rows] * sizeof *samples);
    struct text csv = {0};
    text_append(&csv,
                "kernel,type,op,n,block,unroll,t_loads,t_blocks_per_sm,grid,cache,scope,status,"
                "time_us_median,time_us_ci95_lo,time_us_ci95_hi\n");
    for (size_t row = 0; row < rows; row++) {
        size_t from = real->first_sample[row], count = real->first_sample[row + 1] - from;
        size_t part = second ? count - count / 2 : count / 2;
        memcpy(samples + first[row], real->samples + from + (second ? count / 2 : 0),
               part * sizeof *samples);
        first[row + 1] = first[row] + part;
        for (int c = 0; c < 11; c++)
            text_append(&csv, "%s%s", c == 8 ? "1," : "",
                        table_cell(&real->rows, row, table_column(&real->rows, names[c]))),
                text_append(&csv, ",");
        struct summary s;
        assert_true(summarize(samples + first[row], part, &s));
        if (part)
            text_append(&csv, "%.17g,%.17g,%.17g\n", s.median, s.ci95_lo, s.ci95_hi);
        else
            text_append(&csv, ",,\n");
    }
    *half = read_run(put(second ? "aa-b" : "aa-a", "results.csv", csv.bytes));
    half->samples = samples;
    half->first_sample = first;
    text_free(&csv);
}

/* Splits the recorded samples of an H200 at random into two runs. Does this 200 times. The two runs
 * do not differ, so at most 5 % of the comparisons may report FAST or SLOW. */
static void test_false_alarms(void **state)
{
    (void)state;
    struct results real = read_run(REAL_RUN);
    uint64_t seed = 2026;
    int alarms = 0;
    for (int round = 0; round < 200; round++) {
        for (size_t row = 0; row < real.rows.row_count; row++)
            shuffle(real.samples + real.first_sample[row],
                    real.first_sample[row + 1] - real.first_sample[row], &seed);
        struct results a, b;
        take_half(&real, 0, &a);
        take_half(&real, 1, &b);
        struct diff d;
        compare(&a, &b, &d);
        assert_int_equal(d.match.pairs.count, real.rows.row_count);
        assert_int_equal(d.all->timed, 57);
        const struct diff_findings *f = &d.findings;
        alarms +=
            f->slow + f->fast + f->slow_cells + f->fast_cells + f->slow_kernels + f->fast_kernels >
                0 ||
            f->all == TIME_SLOW || f->all == TIME_FAST;
        diff_free(&d);
        results_free(&a);
        results_free(&b);
    }
    printf("200 A/A diffs of 57 timed points: %d report anything\n", alarms);
    assert_in_range(alarms, 0, 10);
    results_free(&real);
}

/* Makes all times of a row 5 % longer. */
static void slow_down(struct results *r, size_t row)
{
    static const char *const names[] = {"time_us_median", "time_us_ci95_lo", "time_us_ci95_hi"};
    for (size_t s = r->first_sample[row]; s < r->first_sample[row + 1]; s++)
        r->samples[s] *= 1.05;
    for (int c = 0; c < 3; c++)
        table_find(&r->rows, names[c])->numbers[row] *= 1.05;
}

/* If one kernel's times get 5 % longer, only that kernel is found. */
static void test_a_real_change_is_found(void **state)
{
    (void)state;
    struct results a = read_run(REAL_RUN), b = read_run(REAL_RUN);
    size_t changed = 0;
    for (size_t row = 0; row < b.rows.row_count && changed < 16; row++)
        if (strcmp(column_text(b.known.axes[AXIS_kernel], row), "shuffle") == 0) {
            slow_down(&b, row);
            changed++;
        }
    assert_true(changed >= 2);
    struct diff d;
    compare(&a, &b, &d);
    assert_int_equal(d.all->verdicts[VERDICT_SLOW], changed);
    assert_int_equal(d.all->verdicts[VERDICT_FAST], 0);
    assert_int_equal(point_of(&d, "shuffle")->verdict, VERDICT_SLOW);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_false_alarms),
        cmocka_unit_test(test_a_real_change_is_found),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
