/*
 * Runs the real parent and the real worker on a device that produces faults. Each fault must affect
 * only the point at which it happens, and this point must get the right status. test_schedules.c
 * mixes the faults.
 */
#include "fixture.h"
#include "../texts/reasons.h"

#define KERNELS "\"kernels\": [\"alpha\", \"beta\", \"gamma\"], "
#define SMALL "{" KERNELS "\"sizes\": [1024], \"blocks\": [64, 128], \"unrolls\": [2], "

/* Even on a busy machine, no fault-free point takes as long as point_limit_s. A point that hangs
 * is ended immediately. */
#define TIMING                                                                                     \
    "\"timing\": {\"min_samples\": 2, \"max_samples\": 2, \"warmup\": 1, \"point_limit_s\": 60}"

static const char small[] = SMALL TIMING "}";

static size_t rows_with(const struct table *t, const char *kernel, const char *status)
{
    size_t found = 0;
    for (size_t i = 0; i < t->row_count; i++)
        found +=
            strcmp(cell(t, i, "kernel"), kernel) == 0 && strcmp(cell(t, i, "status"), status) == 0;
    return found;
}

static void a_sound_device_gives_sound_rows(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, "{" KERNELS "\"sizes\": [1, 1000, 4096], \"blocks\": [64], \"unrolls\": [1, 4], "
                 "\"types\": [\"int32\", \"uint32\", \"int64\", \"float32\", \"float64\"], "
                 "\"ops\": [\"sum\", \"max\", \"min\", \"prod\"], "
                 "\"scope\": [\"kernel\", \"complete\"], " TIMING "}");
    if (!bed_run(&b, "fault:"))
        fail_msg("%s", b.e.text);
    bed_table(&b, &t);
    assert_int_equal(t.row_count, b.result.by_status[STATUS_OK]);
    assert_true(t.row_count >= 3 * 5 * 4 * 7);
    for (size_t i = 0; i < t.row_count; i++) {
        assert_string_equal(cell(&t, i, "status"), "ok");
        assert_string_equal(cell(&t, i, "reason"), "");
        assert_string_equal(cell(&t, i, "samples"), "2");
        assert_string_not_equal(cell(&t, i, "gld_transactions"), "");
    }
    table_free(&t);
    bed_close(&b);
}

/* The plan uses the limits that a device states before it is open. The rows are the same even if
 * these limits were wrong. */
static void early_limits_change_no_row(void **state)
{
    (void)state;
    static const char *const devices[] = {"fault:early=1024", "fault:early=64"};
    for (int i = 0; i < 2; i++) {
        struct bed b;
        struct table t;
        bed_open(&b, small);
        if (!bed_run(&b, devices[i]))
            fail_msg("%s: %s", devices[i], b.e.text);
        bed_table(&b, &t);
        assert_int_equal(t.row_count, 6);
        assert_int_equal(b.result.by_status[STATUS_OK], 6);
        table_free(&t);
        bed_close(&b);
    }
}

/* Gives one kernel each kind of fault in each phase, one per run. The kernel's rows must have the
 * status for this fault, and all other rows must be ok. */
static void each_fault_costs_its_point(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *phase, *status;
    } cases[] = {
        {"crash", "check", "crashed"},
        {"crash", "time", "crashed"},
        {"crash", "count", "crashed"},
        {"hang", "check", "timeout"},
        {"hang", "time", "timeout"},
        {"hang", "count", "timeout"},
        {"lie", "check", "wrong"},
        {"oom", "check", "oom"},
        {"oom", "time", "oom"},
        {"oom", "count", "ok"},
        {"starve", "check", "oom"},
        {"starve", "time", "oom"},
        {"starve", "count", "oom"},
        {"error", "check", "launch_error"},
        {"error", "time", "launch_error"},
        {"error", "count", "ok"},
        {"lost", "check", "launch_error"},
        {"lost", "time", "launch_error"},
        {"lost", "count", "ok"},
        {"slow", "check", "ok"},
        {"slow", "time", "ok"},
        {"stop", "check", "ok"},
        {"stop", "time", "ok"},
        {"stop", "count", "ok"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bed b;
        struct table t;
        char device[128];
        snprintf(device, sizeof device, "fault:%s=100,only=%s,kernel=beta", cases[c].fault,
                 cases[c].phase);
        bed_open(&b, small);
        if (!bed_run(&b, device))
            fail_msg("%s: %s", device, b.e.text);
        assert_false(b.result.stopped);
        bed_check_files(&b);
        bed_table(&b, &t);
        assert_int_equal(t.row_count, 6);
        if (rows_with(&t, "alpha", "ok") != 2 || rows_with(&t, "gamma", "ok") != 2 ||
            rows_with(&t, "beta", cases[c].status) != 2)
            fail_msg("%s: the wrong points failed", device);
        for (size_t i = 0; i < t.row_count; i++)
            if (strcmp(cell(&t, i, "kernel"), "beta") != 0)
                assert_string_equal(cell(&t, i, "reason"), "");
        expect_reasons(&t, "beta", device);
        table_free(&t);
        bed_close(&b);
    }
}

/* If a point kills the worker while it is being counted, its samples are kept and its metrics
 * are missing. */
static void samples_of_a_crashed_point_are_kept(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, small);
    assert_true(bed_run(&b, "fault:crash=100,only=count,kernel=beta"));
    bed_table(&b, &t);
    size_t kept = 0;
    for (size_t i = 0; i < t.row_count; i++)
        if (strcmp(cell(&t, i, "status"), "crashed") == 0) {
            assert_string_equal(cell(&t, i, "samples"), "2");
            assert_string_not_equal(cell(&t, i, "time_us_median"), "");
            assert_string_equal(cell(&t, i, "gld_transactions"), "");
            kept++;
        }
    assert_int_equal(kept, 2);
    table_free(&t);
    bed_close(&b);
}

static void three_losses_in_a_row_stop_the_run(void **state)
{
    (void)state;
    static const char *const faults[] = {"fault:crash=100", "fault:hang=100", "fault:lost=100"};
    for (int i = 0; i < 3; i++) {
        struct bed b;
        struct table t;
        bed_open(&b, small);
        assert_true(bed_run(&b, faults[i]));
        assert_true(b.result.stopped);
        texts_expect(faults[i], b.result.stopped_why);
        bed_table(&b, &t);
        assert_int_equal(t.row_count, 3);
        table_free(&t);
        bed_close(&b);
    }
}

/* All samples are equal, so the interval's width is always 0. Nevertheless, a relative_width of 0
 * must not end the sampling. */
static void a_relative_width_of_0_never_ends_sampling(void **state)
{
    (void)state;
    static const struct {
        const char *width, *stopped_by;
        double samples;
    } cases[] = {{"0", "samples", 40}, {"1e-9", "width", 10}};
    for (int c = 0; c < 2; c++) {
        struct bed b;
        struct table t;
        char config[512];
        snprintf(config, sizeof config,
                 "{" KERNELS "\"sizes\": [1024], \"blocks\": [64], \"unrolls\": [2], \"timing\": "
                 "{\"min_samples\": 10, \"max_samples\": 40, \"warmup\": 0, \"budget_s\": 100, "
                 "\"relative_width\": %s}}",
                 cases[c].width);
        bed_open(&b, config);
        if (!bed_run(&b, "fault:took=5"))
            fail_msg("%s", b.e.text);
        bed_table(&b, &t);
        assert_int_equal(t.row_count, 3);
        for (size_t i = 0; i < t.row_count; i++) {
            assert_string_equal(cell(&t, i, "stopped_by"), cases[c].stopped_by);
            assert_true(table_number(&t, i, table_column(&t, "samples")) == cases[c].samples);
            assert_string_equal(cell(&t, i, "time_us_ci95_lo"), "5");
            assert_string_equal(cell(&t, i, "time_us_ci95_hi"), "5");
        }
        table_free(&t);
        bed_close(&b);
    }
}

/* A correct result between two losses proves that the device works, even if its row is written
 * much later. */
static void losses_with_right_results_between_do_not_stop(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, "{" KERNELS "\"sizes\": [512, 1024, 2048, 4096], \"blocks\": [64], "
                 "\"unrolls\": [2, 4], " TIMING "}");
    assert_true(bed_run(&b, "fault:crash=100,kernel=beta"));
    assert_false(b.result.stopped);
    assert_int_equal(b.result.by_status[STATUS_CRASHED], 3);
    assert_int_equal(b.result.by_status[STATUS_SKIPPED], 1); /* see test_give_up.c */
    assert_int_equal(b.result.by_status[STATUS_OK], 12);
    bed_close(&b);
}

static void a_device_that_stays_away_stops_the_run(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, small);
    assert_true(bed_run(&b, "fault:crash=100,kernel=beta,reopen=no"));
    assert_true(b.result.stopped);
    texts_expect("a device that stays away", b.result.stopped_why);
    bed_table(&b, &t);
    /* Only the point that crashed is reported as failed. */
    assert_int_equal(t.row_count, 1);
    table_free(&t);
    fault_device_forget();
    assert_true(bed_resume(&b, "fault:crash=100,kernel=beta", false));
    assert_false(b.result.stopped);
    assert_int_equal(b.result.rows, 6);
    bed_close(&b);
}

static void a_device_that_does_not_open_leaves_nothing(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, small);
    assert_false(bed_run(&b, "fault:nonsense=1"));
    assert_int_equal(b.e.kind, ERROR_USAGE);
    assert_int_not_equal(access(b.out, F_OK), 0);
    bed_close(&b);
}

/* A workspace that does not fit into memory rules out only its own kernel. An input that does not
 * fit rules out all kernels. */
static void memory_is_refused_with_numbers(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, "{\"kernels\": [\"alpha\", \"beta\", \"hungry\"], \"sizes\": [1024, 300000], "
                 "\"blocks\": [64], \"unrolls\": [2], " TIMING "}");
    assert_true(bed_run(&b, "fault:memory=1000000"));
    bed_check_files(&b);
    bed_table(&b, &t);
    for (size_t i = 0; i < t.row_count; i++) {
        bool refused =
            strcmp(cell(&t, i, "n"), "300000") == 0 || strcmp(cell(&t, i, "kernel"), "hungry") == 0;
        assert_string_equal(cell(&t, i, "status"), refused ? "oom" : "ok");
    }
    expect_reasons(&t, NULL, "not enough memory");
    assert_int_equal(t.row_count, 6);
    table_free(&t);
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_device_gives_sound_rows),
        cmocka_unit_test(early_limits_change_no_row),
        cmocka_unit_test(each_fault_costs_its_point),
        cmocka_unit_test(samples_of_a_crashed_point_are_kept),
        cmocka_unit_test(a_relative_width_of_0_never_ends_sampling),
        cmocka_unit_test(three_losses_in_a_row_stop_the_run),
        cmocka_unit_test(losses_with_right_results_between_do_not_stop),
        cmocka_unit_test(a_device_that_stays_away_stops_the_run),
        cmocka_unit_test(a_device_that_does_not_open_leaves_nothing),
        cmocka_unit_test(memory_is_refused_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
