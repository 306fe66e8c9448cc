/* Several devices share one sweep; each of them is a lane. Whatever happens to one of them, every
 * point must be measured once, and all points of a group by the same device. */
#include "fixture.h"
#include "../texts/expected.h"

#include <sys/wait.h>

#include "run/judge.h"

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [100, 200, 300, 400, 500, 600, "
    "700, 800], \"blocks\": [32, 64], \"unrolls\": [2], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0, \"point_limit_s\": 20}}";
enum { POINTS = 48 };

static struct bed bed;

static int set_up(void **state)
{
    (void)state;
    bed_open(&bed, config);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bed_close(&bed);
    return 0;
}

static void run_on(const char *devices)
{
    if (!bed_run(&bed, devices))
        fail_msg("%s", bed.e.text);
}

/* Checks that a single device measured each group. Returns how many rows the device `index`
 * measured. */
static size_t check_groups(const char *index)
{
    struct table t;
    size_t found = 0;
    bed_table(&bed, &t);
    for (size_t i = 0; i < t.row_count; i++) {
        found += strcmp(cell(&t, i, "device_index"), index) == 0;
        for (size_t j = 0; j < i; j++)
            if (strcmp(cell(&t, i, "n"), cell(&t, j, "n")) == 0 &&
                strcmp(cell(&t, i, "cache"), cell(&t, j, "cache")) == 0)
                assert_string_equal(cell(&t, i, "device_uuid"), cell(&t, j, "device_uuid"));
    }
    table_free(&t);
    return found;
}

static void lanes_measure_every_point_once(void **state)
{
    (void)state;
    struct table alone, lanes;
    run_on("fault:slow=100,only=check");
    bed_table(&bed, &alone);
    bed_close(&bed);
    bed_open(&bed, config);
    run_on("fault:slow=100,only=check,uuid=A|fault:slow=100,only=check,uuid=B");
    bed_table(&bed, &lanes);
    same_rows(&alone, &lanes);
    bed_check_files(&bed);
    assert_true(check_groups("0") > 0 && check_groups("1") > 0);
    assert_int_equal(check_groups("0") + check_groups("1"), POINTS);
    table_free(&alone);
    table_free(&lanes);
}

/* A device that is lost at every launch is given up after three launches. */
static void a_lost_device_gives_its_group_back(void **state)
{
    (void)state;
    run_on("fault:slow=100,only=check,uuid=A|fault:lost=100,uuid=B");
    assert_false(bed.result.stopped);
    assert_int_equal(bed.result.lanes_lost, 1);
    assert_int_equal(bed.result.rows, POINTS);
    assert_int_equal(bed.result.by_status[STATUS_OK], POINTS);
    bed_check_files(&bed);
    assert_int_equal(check_groups("0"), POINTS);
}

static void the_run_stops_when_all_are_lost(void **state)
{
    (void)state;
    (void)bed_run(&bed, "fault:lost=100,uuid=A|fault:lost=100,uuid=B");
    assert_true(bed.result.stopped);
    texts_expect("all lanes are lost", bed.result.stopped_why);
    bed_check_files(&bed);
}

/* A crash is attributed to its point and its lane. The other lane continues. */
static void a_crash_costs_its_own_lane_one_point(void **state)
{
    (void)state;
    run_on("fault:slow=100,only=check,uuid=A|fault:seed=5,crash=20,slow=50,only=check,uuid=B");
    assert_false(bed.result.stopped);
    assert_int_equal(bed.result.rows, POINTS);
    struct table t;
    bed_table(&bed, &t);
    assert_int_equal(t.row_count, POINTS);
    for (size_t i = 0; i < t.row_count; i++)
        if (strcmp(cell(&t, i, "device_index"), "0") == 0)
            assert_string_not_equal(cell(&t, i, "status"), "crashed");
    table_free(&t);
    bed_check_files(&bed);
}

/* A killed run is resumed on its devices in a different order. Each group must still be measured
 * by a single device. */
static void a_killed_run_is_resumed_with_whole_groups(void **state)
{
    (void)state;
    for (int tries = 1; tries <= 12; tries++) {
        fflush(NULL);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            _exit(bed_run(&bed, "fault:slow=100,only=check,uuid=A|fault:slow=100,only=check,"
                                "uuid=B")
                      ? 0
                      : 1);
        usleep((useconds_t)tries * 12000);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        char file[128];
        snprintf(file, sizeof file, "%s/run.json", bed.out);
        if (access(file, F_OK) == 0) {
            if (!bed_resume(&bed,
                            "fault:slow=100,only=check,uuid=B|fault:slow=100,only=check,uuid=A",
                            false))
                fail_msg("%s", bed.e.text);
            assert_int_equal(bed.result.rows, POINTS);
            bed_check_files(&bed);
            (void)check_groups("0");
        }
        bed_close(&bed);
        bed_open(&bed, config);
    }
}

static void refused(const char *devices)
{
    assert_false(bed_run(&bed, devices));
    texts_expect(devices, bed.e.text);
    assert_int_not_equal(access(bed.out, F_OK), 0);
}

static void devices_that_do_not_belong_together_are_refused(void **state)
{
    (void)state;
    refused("fault:uuid=A|fault:uuid=A");
    refused("fault:uuid=A|fault:uuid=B,sms=5");
    refused("fault:uuid=A|fault:what");
}

/* Returns the warning about a lane with these read speeds: alone at the start, alongside the
 * other lanes, and alone at the end. The clock's step is `step_us`. */
static const char *judged(double start_gbs, double together_gbs, double end_gbs, double step_us)
{
    static struct sweep_result result;
    struct conditions c;
    conditions_clear(&c);
    result.doubt[0] = '\0';
    struct sweep s = {.result = &result};
    struct lane l = {.setup = {.device_name = "cuda:1"}, .conditions = &c};
    c.start.bytes = 1000 * 1000;
    c.launch.step_us = step_us;
    c.start.read_gbs = start_gbs;
    c.together.read_gbs = together_gbs;
    c.end.read_gbs = end_gbs;
    judge_ceilings(&s, &l);
    return result.doubt;
}

static void a_lane_that_is_slower_together_than_alone_is_doubtful(void **state)
{
    (void)state;
    texts_expect("a lane that is slower together", judged(100, 98, 100, 0.032));
    assert_string_equal(judged(100, 98, NAN, 0.032), judged(100, 98, 100, 0.032));
    /* At the end, the lane is just as slow alone. */
    assert_string_equal(judged(100, 98, 98, 0.032), "");
    assert_string_equal(judged(100, 99.5, 100, 0.032), ""); /* a difference of 0.5 % is no reason */
    assert_string_equal(judged(100, 98, 100, 0.2), "");     /* 0.204 us is less than two steps */
    assert_string_equal(judged(100, 102, 100, 0.032), "");
    assert_string_equal(judged(NAN, NAN, NAN, NAN), "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lanes_measure_every_point_once),
        TEST(a_lost_device_gives_its_group_back),
        TEST(the_run_stops_when_all_are_lost),
        TEST(a_crash_costs_its_own_lane_one_point),
        TEST(a_killed_run_is_resumed_with_whole_groups),
        cmocka_unit_test(a_lane_that_is_slower_together_than_alone_is_doubtful),
        TEST(devices_that_do_not_belong_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
