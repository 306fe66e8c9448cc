/* A kernel fails at every point. Three of its points report the failure, and the rest are
 * skipped. All other kernels have the same rows as in an undisturbed run. */
#include "fixture.h"
#include "../texts/expected.h"

#include "measure/group.h"
#include "record/outcome.h"

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [100, 200, 300], "
    "\"blocks\": [32, 64], \"unrolls\": [2], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0, \"point_limit_s\": 60}}";
enum { POINTS = 18, OF_KERNEL = 6 };

/* Fails unless beta has three rows with this status, followed by three that were skipped because
 * it was given up. */
static void expect_given_up(struct bed *b, const char *status)
{
    struct table t;
    int failed = 0, skipped = 0;
    char flag[64];
    snprintf(flag, sizeof flag, "given_up_%s", status);
    bed_table(b, &t);
    assert_int_equal(t.row_count, POINTS);
    for (size_t i = 0; i < t.row_count; i++) {
        const char *is = cell(&t, i, "status");
        if (strcmp(cell(&t, i, "kernel"), "beta") != 0) {
            assert_string_equal(is, "ok");
        } else if (failed < 3) {
            assert_string_equal(is, status);
            failed++;
        } else {
            assert_string_equal(is, "skipped");
            texts_expect(flag, cell(&t, i, "reason"));
            assert_string_equal(cell(&t, i, "flags"), flag);
            skipped++;
        }
    }
    assert_int_equal(failed, 3);
    assert_int_equal(skipped, OF_KERNEL - 3);
    table_free(&t);
}

static const struct {
    const char *fault, *status;
    enum status number;
} failures[] = {
    {"fault:crash=100,kernel=beta", "crashed", STATUS_CRASHED},
    {"fault:crash=100,kernel=beta,only=time", "crashed", STATUS_CRASHED},
    {"fault:hang=100,kernel=beta", "timeout", STATUS_TIMEOUT},
    {"fault:hang=100,kernel=beta,only=time", "timeout", STATUS_TIMEOUT},
    {"fault:lost=100,kernel=beta", "launch_error", STATUS_LAUNCH_ERROR},
    {"fault:error=100,kernel=beta", "launch_error", STATUS_LAUNCH_ERROR},
};
enum { FAILURES = sizeof failures / sizeof failures[0] };

static void three_failures_of_one_kind_give_a_kernel_up(void **state)
{
    (void)state;
    for (int i = 0; i < FAILURES; i++) {
        struct bed b;
        bed_open(&b, config);
        if (!bed_run(&b, failures[i].fault) || b.result.stopped)
            fail_msg("%s: %s%s", failures[i].fault, b.e.text, b.result.stopped_why);
        expect_given_up(&b, failures[i].status);
        bed_check_files(&b);
        bed_close(&b);
    }
}

/* A resumed run skips the points again. `--retry` with the failed points' status measures all
 * six points of the kernel; with another status, it measures none. */
static void a_retry_takes_the_skipped_points_along(void **state)
{
    (void)state;
    struct bed healthy;
    struct table expected, actual;
    bed_open(&healthy, config);
    assert_true(bed_run(&healthy, "fault:"));
    bed_table(&healthy, &expected);
    for (int i = 0; i < FAILURES; i += 2) {
        struct bed b;
        bed_open(&b, config);
        assert_true(bed_run(&b, failures[i].fault));
        assert_true(bed_resume(&b, "fault:", false));
        expect_given_up(&b, failures[i].status);
        b.retry[STATUS_OOM] = true;
        assert_true(bed_resume(&b, "fault:", false));
        expect_given_up(&b, failures[i].status);
        b.retry[failures[i].number] = true;
        assert_true(bed_resume(&b, "fault:", false));
        bed_table(&b, &actual);
        same_rows(&expected, &actual);
        table_free(&actual);
        bed_close(&b);
    }
    table_free(&expected);
    bed_close(&healthy);
}

/* Cuts results.csv off after the first row that says the kernel was given up. The resumed run
 * does not try the kernel's remaining points. */
static void a_resumed_run_does_not_try_it_again(void **state)
{
    (void)state;
    struct bed b;
    char command[1000];
    bed_open(&b, config);
    assert_true(bed_run(&b, failures[0].fault));
    snprintf(command, sizeof command,
             "cd '%s' && n=$(grep -n 'given up' results.csv | head -1 | cut -d: -f1) && "
             "head -n $n results.csv >cut && mv cut results.csv",
             b.out);
    assert_int_equal(system(command), 0);
    struct table t;
    bed_table(&b, &t);
    assert_true(t.row_count < POINTS);
    table_free(&t);
    /* On this device, beta would give right results. */
    assert_true(bed_resume(&b, "fault:", false));
    expect_given_up(&b, "crashed");
    bed_close(&b);
}

/* A kernel is given up after three failures in a row. Any other outcome between failures resets the
 * count. */
static void other_outcomes_begin_the_count_anew(void **state)
{
    (void)state;
    static const char *const faults[] = {"fault:lie=100,kernel=beta", "fault:oom=100,kernel=beta"};
    static const enum status statuses[] = {STATUS_WRONG, STATUS_OOM};
    for (int i = 0; i < 2; i++) {
        struct bed b;
        bed_open(&b, config);
        assert_true(bed_run(&b, faults[i]));
        assert_int_equal(b.result.by_status[statuses[i]], OF_KERNEL); /* Every point was tried. */
        assert_int_equal(b.result.by_status[STATUS_SKIPPED], 0);
        bed_close(&b);
    }
    int seen = 0;
    for (int seed = 1; seed <= 40; seed++) {
        struct bed b;
        struct table t;
        char fault[80];
        bed_open(&b, config);
        snprintf(fault, sizeof fault, "fault:seed=%d,crash=50,kernel=beta,only=check", seed);
        assert_true(bed_run(&b, fault));
        bed_table(&b, &t);
        /* The rows are in plan order, as in an undisturbed run. */
        int in_a_row = 0, most = 0, skipped = 0;
        for (size_t i = 0; i < t.row_count; i++) {
            if (strcmp(cell(&t, i, "kernel"), "beta") != 0)
                continue;
            bool crashed = strcmp(cell(&t, i, "status"), "crashed") == 0;
            skipped += strcmp(cell(&t, i, "status"), "skipped") == 0;
            in_a_row = crashed ? in_a_row + 1 : 0;
            most = in_a_row > most ? in_a_row : most;
        }
        assert_true(skipped == 0 || most == 3);
        assert_true(skipped > 0 || most <= 3 || t.row_count == POINTS);
        seen += skipped > 0;
        table_free(&t);
        bed_close(&b);
    }
    print_message("40 mixed runs, in %d the kernel is given up\n", seen);
    assert_true(seen > 2 && seen < 38);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_failures_of_one_kind_give_a_kernel_up),
        cmocka_unit_test(a_retry_takes_the_skipped_points_along),
        cmocka_unit_test(a_resumed_run_does_not_try_it_again),
        cmocka_unit_test(other_outcomes_begin_the_count_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
