/*
 * Times of different numbers of launches between two events: what diff and best claim of them.
 */
#include "diff_fixture.h"

#include <math.h>

#include "compare/best.h"
#include "compare/repeat.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,repeat,"              \
    "time_us_median,time_us_ci95_lo,time_us_ci95_hi\n"

/* "kernel repeat time" … with intervals of ± 0.1 %; `empty_us` 0: results.json does not tell it. */
static struct results make_run(const char *folder, double empty_us, const char *rows)
{
    struct text csv = {0};
    char kernel[32], repeat[8], json[512];
    double time;
    int used, id = 0;
    text_append(&csv, HEADER);
    for (; sscanf(rows, " %31s %7s %lf%n", kernel, repeat, &time, &used) == 3; rows += used)
        text_append(&csv, "%d,cuda,D,%s,int32,sum,1024,64,1,1,warm,kernel,ok,%s,%.9g,%.9g,%.9g\n",
                    id++, kernel, strcmp(repeat, "-") == 0 ? "" : repeat, time, time * 0.999,
                    time * 1.001);
    snprintf(json, sizeof json,
             "{\n\"schema\": 1,\n\"provenance\": {\"device\": {\"backend\": \"cuda\", \"name\": "
             "\"D\"}},\n\"conditions\": [\n{\"ceilings_start\": {\"empty_us\": %g}, "
             "\"ceilings_end\": {\"empty_us\": null}},\n{\"ceilings_start\": {\"empty_us\": %g}}\n"
             "],\n\"rows\": [\n]\n}\n",
             empty_us, empty_us / 2);
    put(folder, "results.json",
        empty_us > 0 ? json : "{\n\"schema\": 1,\n\"provenance\": {},\n\"rows\": [\n]\n}\n");
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    return r;
}

static void the_excess_by_hand(void **state)
{
    (void)state;
    struct results a = make_run("e-a", 3, "k 1 20 l 10 5 m - 20"), b = make_run("e-b", 0, "k 4 18");
    assert_float_equal(repeat_of(&a, 1), 10, 0);
    assert_float_equal(repeat_of(&a, 2), 1, 0); /* a run that does not tell timed one by one */
    /* The longest empty kernel of both sessions, 3 µs: all of it in one, a quarter in each of 4. */
    assert_float_equal(repeat_excess_us(&a, 0, &b, 0), 3 - 3 / 4.0, 1e-12);
    assert_float_equal(repeat_excess_us(&a, 1, &a, 0), 0, 0);
    assert_float_equal(repeat_excess_us(&a, 0, &a, 2), 0, 0);
    assert_float_equal(repeat_excess_us(&a, 0, &a, 1), 2.7, 1e-12);
    assert_true(isnan(repeat_excess_us(&b, 0, &a, 1))); /* not told */
    results_free(&a);
    results_free(&b);
}

static void a_change_must_outlast_the_repeat(void **state)
{
    (void)state;
    struct results a = make_run("d-a", 3,
                                "slow 10 5   small 10 5    ends 1 20   fast 1 20 "
                                "against 9 5 equal 10 5    quick 9 5   same 10 5");
    struct results b = make_run("d-b", 3,
                                "slow 9 5.2  small 9 5.07  ends 4 17.9 fast 4 15 "
                                "against 10 5.07 equal 10 5.07 quick 10 4.93 same 9 5");
    struct diff d = compare(&a, &b);
    /* 5.2 − 3/9 + 3/10 is still 3 % more than 5; 5.07 less that is only 0.7 % more */
    assert_string_equal(verdict_name(point_of(&d, "slow")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "small")->verdict), "AMBIG");
    assert_true(point_of(&d, "small")->by_repeat);
    /* 20 − 3 + 3/4 = 17.75 is less than 17.9, and more than 15 */
    assert_string_equal(verdict_name(point_of(&d, "ends")->verdict), "AMBIG");
    assert_string_equal(verdict_name(point_of(&d, "fast")->verdict), "FAST");
    /* more launches and yet slower: nothing can be taken off */
    assert_string_equal(verdict_name(point_of(&d, "against")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "equal")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "quick")->verdict), "AMBIG");
    assert_string_equal(verdict_name(point_of(&d, "same")->verdict), "SAME");
    assert_int_equal(d.all.other_repeat, 7);
    assert_int_equal(d.all.by_repeat, 3);

    char *bytes;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);
    diff_print(&d, f);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(bytes, "7 of the points have a time of another number of launches"));
    assert_non_null(strstr(bytes, "3 of them are AMBIG because their change may come from that"));
    free(bytes);
    f = open_memstream(&bytes, &length);
    assert_true(diff_write_csv(&d, f));
    assert_int_equal(fclose(f), 0);
    struct table t;
    assert_true(table_parse("diff.csv", bytes, length, &t, NULL));
    assert_string_equal(table_cell(&t, 0, table_column(&t, "repeat_a")), "10");
    assert_string_equal(table_cell(&t, 0, table_column(&t, "repeat_b")), "9");
    table_free(&t);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Where no run tells an empty kernel's time, no change between unequal repeats is claimed. */
static void an_unknown_excess_claims_nothing(void **state)
{
    (void)state;
    struct results a = make_run("u-a", 0, "slow 10 5 fast 1 20 against 9 5    equal 10 5");
    struct results b = make_run("u-b", 0, "slow 9 7  fast 4 10 against 10 5.2 equal 10 5.2");
    struct diff d = compare(&a, &b);
    assert_string_equal(verdict_name(point_of(&d, "slow")->verdict), "AMBIG");
    assert_string_equal(verdict_name(point_of(&d, "fast")->verdict), "AMBIG");
    assert_string_equal(verdict_name(point_of(&d, "against")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "equal")->verdict), "SLOW");
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

static void best_names_who_may_be_as_fast(void **state)
{
    (void)state;
    static struct error e;
    struct results r = make_run("best", 3,
                                "winner 10 5 close 9 5.03 far 9 5.2 alike 10 5.03 "
                                "alone 1 7.6 tied 9 5.001");
    const struct best_options o = {"time_us_median", false};
    struct best b;
    assert_true(best_find(&r, 1, &o, &b, &e));
    assert_int_equal(b.problem_count, 1);
    const struct problem *p = &b.problems[0];
    assert_int_equal(p->other_repeat, 4);
    for (size_t i = 0; i < p->count; i++) {
        const char *kernel = results_text(&r, p->candidates[i].row, "kernel");
        bool may = strcmp(kernel, "close") == 0 || strcmp(kernel, "alone") == 0;
        assert_int_equal(p->candidates[i].by_repeat, may); /* 7.6 − 3 + 3/10 is less than 5 */
    }
    assert_int_equal(p->tied, 2);
    char *bytes;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);
    best_print(&b, f);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(bytes, "4 times are of another number of launches than their winner's"));
    assert_non_null(
        strstr(bytes, "n = 2^10: close, block 64 (+0.6 %); alone, block 64 (+52.0 %)\n"));
    free(bytes);
    f = open_memstream(&bytes, &length);
    assert_true(best_write_csv(&b, f));
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(bytes, ",bandwidth_gbs,repeat\n"));
    free(bytes);
    best_free(&b);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_excess_by_hand),
        cmocka_unit_test(a_change_must_outlast_the_repeat),
        cmocka_unit_test(an_unknown_excess_claims_nothing),
        cmocka_unit_test(best_names_who_may_be_as_fast),
    };
    return cmocka_run_group_tests_name("repeat", tests, make_scratch, remove_scratch);
}
