/*
 * Which configuration serves which n: ranges, small losses, ties, what may not be chosen, refusals.
 */
#include "choosing_fixture.h"

static void expect_range(const struct tuned_range *r, const char *kernel, int loads, uint64_t first,
                         uint64_t last)
{
    assert_string_equal(r->kernel->name, kernel);
    assert_int_equal(r->variant.block, 128);
    assert_int_equal(r->variant.tunables[0], loads);
    assert_int_equal(r->first, first);
    assert_int_equal(r->last, last);
}

#define ALL ((uint64_t)1 << TUNED_MOST_LOG2)

/* even is best at 4096 and 16384, odd at 65536; between two sizes the ranges meet halfway. */
static void each_range_has_its_winner(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096  1 complete 10 .001  odd int32 sum 4096  2 "
                            "complete 12 .001 cub int32 sum 4096 - complete 15 .001 "
                            "even int32 sum 16384 1 complete 20 .001  odd int32 sum 16384 2 "
                            "complete 22 .001 "
                            "even int32 sum 65536 1 complete 50 .001  odd int32 sum 65536 2 "
                            "complete 40 .001 cub int32 sum 65536 - complete 44 .001",
                            2);
    const struct tuned_range *r = t.functions[0].ranges;
    expect_range(&r[0], "even", 1, 1, 32768); /* the root of 16384 * 65536 */
    expect_range(&r[1], "odd", 2, 32769, ALL);
    assert_int_equal(r[0].sizes[0], 4096);
    assert_int_equal(r[0].sizes[1], 16384);
    assert_near(r[0].us[0], 10, 1e-9);
    assert_near(r[0].us[1], 20, 1e-9);
    assert_near(r[0].reference_us[0], 15, 1e-9);
    assert_true(isnan(r[0].reference_us[1])); /* CUB was not measured there */
    assert_int_equal(r[1].sizes[0], 65536);
    assert_int_equal(r[1].sizes[1], 65536);
    assert_near(r[1].reference_us[1], 44, 1e-9);
    assert_int_equal(t.function_count, 1);
    assert_int_equal(t.functions[0].type, TYPE_INT32);
    assert_int_equal(t.functions[0].op, OP_SUM);
    assert_int_equal(t.cc, 90);
    assert_string_equal(t.device, "D");
    assert_string_equal(t.run, "invented");
    assert_string_equal(t.started, "2026-01-02T03:04:05Z");
    tuned_free(&t);
}

/* 0.2 % behind, surely: the range goes on. 0.4 % behind, surely: it ends. */
static void a_small_loss_is_taken_for_a_longer_range(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .0001    even int32 sum 4096 2 "
                            "complete 11 .0001 "
                            "even int32 sum 8192 1 complete 10.02 .0001 even int32 sum 8192 2 "
                            "complete 10 .0001",
                            1);
    expect_range(&t.functions[0].ranges[0], "even", 1, 1, ALL);
    assert_near(t.functions[0].ranges[0].us[1], 10.02, 1e-9); /* its own time, not the best */
    tuned_free(&t);
    t = choose("even int32 sum 4096 1 complete 10 .0001    even int32 sum 4096 2 complete 11 .0001 "
               "even int32 sum 8192 1 complete 10.04 .0001 even int32 sum 8192 2 complete 10 .0001",
               2);
    expect_range(&t.functions[0].ranges[1], "even", 2, 5793,
                 ALL); /* root of 4096 * 8192 = 5792.6 */
    tuned_free(&t);
}

/* What cannot be told apart may be 1 % behind, and no more. */
static void ties_may_lose_more(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .0001  even int32 sum 4096 2 "
                            "complete 11 .0001 "
                            "even int32 sum 8192 1 complete 10.08 .3  even int32 sum 8192 2 "
                            "complete 10 .3",
                            1);
    expect_range(&t.functions[0].ranges[0], "even", 1, 1, ALL);
    tuned_free(&t);
    t = choose("even int32 sum 4096 1 complete 10 .0001  even int32 sum 4096 2 complete 11 .0001 "
               "even int32 sum 8192 1 complete 10.15 .3  even int32 sum 8192 2 complete 10 .3",
               2);
    tuned_free(&t);
}

/*
 * Between two sizes a configuration has to run wherever it is chosen. Behind the largest, whose
 * range has no end, it has to run where it was measured: the library looks at `requires` when it is
 * called.
 */
static void the_last_range_needs_no_more_than_its_size(void **state)
{
    (void)state;
    struct tuned t = choose(
        "even int32 sum 4096 1 complete 10 .0001 narrow int32 sum 4096 1 complete 11 .0001 "
        "even int32 sum 65536 1 complete 50 .0001 narrow int32 sum 65536 2 complete 40 .0001",
        2);
    expect_range(&t.functions[0].ranges[0], "even", 1, 1, 16384);
    expect_range(&t.functions[0].ranges[1], "narrow", 2, 16385, ALL);
    tuned_free(&t);
    t = choose(
        "even int32 sum 65536 1 complete 50 .0001 narrow int32 sum 65536 2 complete 40 .0001 "
        "even int32 sum 4194304 1 complete 90 .0001",
        1);
    expect_range(&t.functions[0].ranges[0], "even", 1, 1, ALL);
    tuned_free(&t);
    refuse("narrow int32 sum 65536 2 complete 40 .0001 bound int32 sum 4194304 1 complete 90 .0001",
           "serves sum int32 at n = 65536");
}

/* The one that reaches furthest is taken, though another one is best at the first size. */
static void the_longest_range_wins(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .0001  even int32 sum 4096 2 "
                            "complete 10.02 .0001 "
                            "even int32 sum 8192 1 complete 22 .0001  even int32 sum 8192 2 "
                            "complete 20 .0001",
                            1);
    expect_range(&t.functions[0].ranges[0], "even", 2, 1, ALL);
    assert_near(t.functions[0].ranges[0].us[0], 10.02, 1e-9);
    tuned_free(&t);
}

/* `bound` is no kernel for a library; `odd` may not run at n = 1, which the first range begins
 * with. */
static void only_what_a_library_can_call(void **state)
{
    (void)state;
    struct tuned t = choose("bound int32 sum 4096 1 complete 5 .001  odd int32 sum 4096 1 complete "
                            "7 .001 even int32 sum 4096 4 complete 10 .001 "
                            "gone int32 sum 4096 1 complete 4 .001",
                            1);
    expect_range(&t.functions[0].ranges[0], "even", 4, 1, ALL);
    tuned_free(&t);
    t = choose(
        "even int32 sum 4096 4 complete 10 .001 "
        "bound int32 sum 65536 1 complete 5 .001  odd int32 sum 65536 1 complete 7 .001 even "
        "int32 sum 65536 4 complete 10 .001",
        2);
    expect_range(&t.functions[0].ranges[0], "even", 4, 1, 16384);
    expect_range(&t.functions[0].ranges[1], "odd", 1, 16385, ALL);
    tuned_free(&t);
    refuse("bound int32 sum 4096 1 complete 5 .001 odd int32 sum 4096 1 complete 7 .001",
           "(its facts say standalone: yes) serves sum int32 at n = 4096");
}

/* A function for each type and operation that was measured, and for no other. */
/* Two vectors are for kernels that take a second one. */
static void a_dot_product_needs_a_second_vector(void **state)
{
    (void)state;
    struct tuned t = choose("even float32 dot 4096 1 complete 9 .001 "
                            "twin float32 dot 4096 2 complete 10 .001",
                            1);
    expect_range(&t.functions[0].ranges[0], "twin", 2, 1, ALL);
    tuned_free(&t);
    refuse("even float32 dot 4096 1 complete 10 .001", "no configuration of a kernel");
}

static void one_function_per_type_and_operation(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .001   even int32 sum 4096 2 "
                            "complete 11 .001 "
                            "even float64 max 4096 1 complete 11 .001 even float64 max 4096 2 "
                            "complete 10 .001 "
                            "even int64 min 4096 1 kernel 10 .001",
                            1);
    assert_int_equal(t.function_count, 2);
    int sum = t.functions[0].op == OP_SUM ? 0 : 1;
    assert_int_equal(t.functions[sum].type, TYPE_INT32);
    expect_range(&t.functions[sum].ranges[0], "even", 1, 1, ALL);
    assert_int_equal(t.functions[!sum].type, TYPE_FLOAT64);
    assert_int_equal(t.functions[!sum].op, OP_MAX);
    expect_range(&t.functions[!sum].ranges[0], "even", 2, 1, ALL);
    tuned_free(&t);
    refuse("even int64 min 4096 1 kernel 10 .001",
           "no GPU times with cold caches and scope complete");
}

/* Two runs are one choice, when they are of one device and of the kernels as they are. */
static void several_runs(void **state)
{
    (void)state;
    static struct error e;
    struct tuned t;
    struct results runs[2];
    put_told("first", "D", "9.0", even_hash());
    put_told("second", "D", "9.0", even_hash());
    runs[0] = make_run("first", "D", "even int32 sum 4096 1 complete 10 .001");
    runs[1] = make_run("second", "D",
                       "even int32 sum 4096 2 complete 9 .001 "
                       "even float32 sum 4096 1 complete 9 .001");
    assert_true(tuned_choose(runs, 2, &kernels, false, &t, &e));
    assert_int_equal(t.function_count, 2);
    int sum = t.functions[0].type == TYPE_INT32 ? 0 : 1;
    expect_range(&t.functions[sum].ranges[0], "even", 2, 1, ALL);
    tuned_free(&t);
    results_free(&runs[1]);

    put_told("second", "E", "9.0", even_hash());
    runs[1] = make_run("second", "E", "even int32 sum 4096 2 complete 9 .001");
    assert_false(tuned_choose(runs, 2, &kernels, false, &t, &e));
    assert_non_null(strstr(e.text, "first (D) and "));
    results_free(&runs[1]);

    put_told("second", "D", "9.0", even_hash() + 1);
    runs[1] = make_run("second", "D", "even int32 sum 4096 2 complete 9 .001");
    assert_false(tuned_choose(runs, 2, &kernels, false, &t, &e));
    assert_non_null(strstr(e.text, "even.cu has changed since "));
    assert_non_null(strstr(e.text, "second was measured"));
    results_free(&runs[0]);
    results_free(&runs[1]);
}

/* Where it is the fastest: left out, it would make room for a slower one. */
static void a_kernel_with_another_tunable_is_refused(void **state)
{
    (void)state;
    refuse("even int32 sum 4096 - complete 9 .001 odd int32 sum 4096 2 complete 12 .001",
           "even.cu has changed since ");
    struct tuned t = choose("odd int32 sum 4096 - complete 19 .001 "
                            "even int32 sum 4096 2 complete 12 .001",
                            1);
    expect_range(&t.functions[0].ranges[0], "even", 2, 1, ALL);
    tuned_free(&t);
}

/* The other functions are made. */
static void a_changed_kernel_costs_its_function_alone(void **state)
{
    (void)state;
    struct tuned t =
        choose("even int32 sum 4096 - complete 9 .001 even float32 sum 4096 2 complete 12 .001", 1);
    assert_int_equal(t.function_count, 1);
    assert_int_equal(t.functions[0].type, TYPE_FLOAT32);
    assert_int_equal(t.left_out.count, 1);
    assert_int_equal(t.left_out.items[0].function.type, TYPE_INT32);
    assert_string_equal(t.left_out.items[0].kernel->name, "even");
    tuned_free(&t);
}

static void a_run_must_tell_its_device(void **state)
{
    (void)state;
    static struct error e;
    struct tuned t;
    put_told("untold", "D", "", even_hash());
    struct results r = make_run("untold", "D", "even int32 sum 4096 1 complete 10 .001");
    assert_false(tuned_choose(&r, 1, &kernels, false, &t, &e));
    assert_non_null(strstr(e.text, "does not say the compute capability"));
    results_free(&r);
}

/* Runs of several capabilities: the newest first, otherwise as they were given. */
static void runs_are_sorted_by_capability(void **state)
{
    (void)state;
    static const char *const given[] = {"8.0", "9.0", "", "8.0", "10.0"};
    static const char *const wanted[] = {"10.0", "9.0", "8.0", "8.0", ""};
    struct results runs[5] = {0};
    for (int i = 0; i < 5; i++) {
        strcpy(runs[i].manifest.provenance.device.compute_capability, given[i]);
        runs[i].rows.row_count = (size_t)i;
    }
    tuned_sort_runs(runs, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(runs[i].manifest.provenance.device.compute_capability, wanted[i]);
    assert_true(runs[2].rows.row_count == 0 && runs[3].rows.row_count == 3);
    assert_int_equal(tuned_alike(runs, 5), 1);
    assert_int_equal(tuned_alike(&runs[2], 3), 2);
    assert_int_equal(tuned_alike(&runs[4], 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_range_has_its_winner),
        cmocka_unit_test(a_small_loss_is_taken_for_a_longer_range),
        cmocka_unit_test(ties_may_lose_more),
        cmocka_unit_test(the_last_range_needs_no_more_than_its_size),
        cmocka_unit_test(the_longest_range_wins),
        cmocka_unit_test(only_what_a_library_can_call),
        cmocka_unit_test(a_dot_product_needs_a_second_vector),
        cmocka_unit_test(one_function_per_type_and_operation),
        cmocka_unit_test(several_runs),
        cmocka_unit_test(a_kernel_with_another_tunable_is_refused),
        cmocka_unit_test(a_changed_kernel_costs_its_function_alone),
        cmocka_unit_test(a_run_must_tell_its_device),
        cmocka_unit_test(runs_are_sorted_by_capability),
    };
    return cmocka_run_group_tests_name("choosing", tests, set_up, tear_down);
}
