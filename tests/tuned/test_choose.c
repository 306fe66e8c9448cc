/*
 * Checks choices from several runs, and the requirements that a run must meet.
 * tests/texts/choices.txt contains the chosen configurations.
 */
#include "choosing_fixture.h"

/* A library names the run that it was made from, and that run's device and start time. */
static void a_library_names_its_run(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .001", 1);
    assert_int_equal(t.cc, 90);
    assert_string_equal(t.device, "D");
    assert_string_equal(t.run, "invented");
    assert_string_equal(t.started, "2026-01-02T03:04:05Z");
    tuned_free(&t);
}

/* Two runs are used together if both have the same device and the current kernels. */
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
    assert_int_equal(t.functions[sum].range_count, 1);
    assert_int_equal(t.functions[sum].ranges[0].variant.tunables[0], 2);
    tuned_free(&t);
    results_free(&runs[1]);

    put_told("second", "E", "9.0", even_hash());
    runs[1] = make_run("second", "E", "even int32 sum 4096 2 complete 9 .001");
    assert_false(tuned_choose(runs, 2, &kernels, false, &t, &e));
    texts_expect("runs of two devices", e.text);
    results_free(&runs[1]);

    put_told("second", "D", "9.0", even_hash() + 1);
    runs[1] = make_run("second", "D", "even int32 sum 4096 2 complete 9 .001");
    assert_false(tuned_choose(runs, 2, &kernels, false, &t, &e));
    texts_expect("a kernel that has changed", e.text);
    results_free(&runs[0]);
    results_free(&runs[1]);
}

static void a_run_must_tell_its_device(void **state)
{
    (void)state;
    static struct error e;
    struct tuned t;
    put_told("untold", "D", "", even_hash());
    struct results r = make_run("untold", "D", "even int32 sum 4096 1 complete 10 .001");
    assert_false(tuned_choose(&r, 1, &kernels, false, &t, &e));
    texts_expect("a run without a compute capability", e.text);
    results_free(&r);
}

/* Runs are sorted by compute capability, newest first. Those with the same capability keep their
 * order. */
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
        cmocka_unit_test(a_library_names_its_run),
        cmocka_unit_test(several_runs),
        cmocka_unit_test(a_run_must_tell_its_device),
        cmocka_unit_test(runs_are_sorted_by_capability),
    };
    return cmocka_run_group_tests_name("choosing", tests, set_up, tear_down);
}
