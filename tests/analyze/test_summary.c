/*
 * The end of a run, on recorded runs: winners of the run's own device, counts where there is no
 * clock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/summary.h"

static char *summary_of(const char *folder)
{
    struct results r;
    struct error e = {0};
    if (!results_read(folder, &r, &e))
        fail_msg("%s", e.text);
    struct view v = {0};
    struct summary *s = summary_make(&r, &v);
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    view_write_text(&v, NULL, to);
    fclose(to);
    view_free(&v);
    summary_free(s);
    results_free(&r);
    return text;
}

static int lines_with(const char *text, const char *words)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, words)); p++)
        count++;
    return count;
}

/* 17 sizes and two types: 34 problems, of which a screen is shown. */
static void winners_of_a_gpu(void **state)
{
    (void)state;
    char *text = summary_of("results/reference/h200-ladder");
    assert_non_null(strstr(text, "Fastest on NVIDIA H200"));
    assert_non_null(strstr(text, "x faster than neighbored"));
    assert_non_null(strstr(text, "% of achievable"));
    assert_non_null(strstr(text, "2^24"));
    assert_non_null(strstr(text, "14 more: see redsweep best"));
    assert_int_equal(lines_with(text, "neighbored"), 1); /* the slowest kernel wins nowhere */
    free(text);
}

/* Functions of the CPU are rows of this run, too. */
static void no_winner_without_a_clock(void **state)
{
    (void)state;
    char *text = summary_of("results/reference/sim-quick");
    assert_non_null(strstr(text, "Counts on simulator"));
    assert_non_null(strstr(text, "n = 2^20"));
    assert_non_null(strstr(text, "gld_transactions"));
    assert_int_equal(lines_with(text, "\n  unroll "), 1);
    assert_null(strstr(text, "cpu_"));
    assert_null(strstr(text, "Fastest"));
    free(text);
}

static void the_cpu_wins_nothing_on_a_gpu(void **state)
{
    (void)state;
    char *text = summary_of("results/reference/h200-catalogue");
    assert_non_null(strstr(text, "Fastest on NVIDIA H200"));
    assert_null(strstr(text, "cpu_"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winners_of_a_gpu),
        cmocka_unit_test(no_winner_without_a_clock),
        cmocka_unit_test(the_cpu_wins_nothing_on_a_gpu),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
