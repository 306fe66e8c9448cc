/*
 * Measures counters with a fake CUPTI (fake_cupti.c), which redsweep finds as it finds the real
 * one. Checks the calls of CUPTI, the values, and the message for each reason why a device cannot
 * count.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/clock.h"
#include "devices/cuda/counters.h"
#include "devices/cuda/cupti_range.h"

static const char *const both[] = {"fake__first.sum", "fake__second.sum"};

/* a session on the fake CUPTI, as counters.c would create it on a GPU */
struct bench {
    struct cupti library;
    struct counter_chip chip;
    struct counter_set set;
    struct range_session session;
    char *log;
    int prepared[1200], launched[1200];
    int fail_prepare, fail_launch; /* the range in which that step fails, or −1 */
    bool lose;                     /* whether the failing launch loses the device */
};

static bool prepare(void *context, int range, struct error *e)
{
    struct bench *b = context;
    b->prepared[range]++;
    return range != b->fail_prepare || FAIL(e, ERROR_LAUNCH, "prepare %d failed", range);
}

static bool launch(void *context, int range, struct error *e)
{
    struct bench *b = context;
    b->launched[range]++;
    if (range != b->fail_launch)
        return true;
    FAIL(e, ERROR_LAUNCH, "launch %d failed", range);
    e->device_lost = b->lose;
    return false;
}

static void clear_environment(void)
{
    unsetenv("FAKE_CUPTI_FAIL");
    unsetenv("FAKE_CUPTI_LEVEL");
    unsetenv("FAKE_CUPTI_PASSES");
    unsetenv("FAKE_CUPTI_DROP");
}

/* Points REDSWEEP_CUPTI at the fake in this program's folder. */
static int point_at_fake(void **state)
{
    (void)state;
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0)
        return -1;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "fake_cupti.so");
    clear_environment();
    return setenv("REDSWEEP_CUPTI", path, 1);
}

static struct bench *open_bench(void)
{
    struct bench *b = test_calloc(1, sizeof *b);
    struct error e = {0};
    b->fail_prepare = b->fail_launch = -1;
    if (!cupti_open(&b->library, &e))
        fail_msg("%s", e.text);
    void *fake = dlopen(b->library.path, RTLD_NOW); /* the library is open */
    assert_non_null(fake);
    void (*reset)(void) = (void (*)(void))dlsym(fake, "fake_cupti_reset");
    b->log = dlsym(fake, "fake_cupti_log");
    assert_true(reset && b->log);
    reset();
    b->chip.library = &b->library;
    snprintf(b->chip.name, sizeof b->chip.name, "FAKE1");
    b->session.chip = &b->chip;
    if (!counter_set_open(&b->chip, both, 2, &b->set, &e))
        fail_msg("%s", e.text);
    return b;
}

static void close_bench(struct bench *b)
{
    range_session_close(&b->session);
    counter_set_close(&b->chip, &b->set);
    test_free(b);
    clear_environment();
}

static bool measure(struct bench *b, int ranges, double *values, struct error *e)
{
    struct range_job job = {.set = &b->set,
                            .range_count = ranges,
                            .prepare = prepare,
                            .launch = launch,
                            .context = b,
                            .values = values};
    return range_session_measure(&b->session, &job, e);
}

static void two_passes_over_three_ranges(void **state)
{
    (void)state;
    setenv("FAKE_CUPTI_PASSES", "2", 1);
    struct bench *b = open_bench();
    struct error e = {0};
    double values[6], since = clock_now_s();
    assert_int_equal(b->set.passes, 2);
    if (!measure(b, 3, values, &e))
        fail_msg("%s", e.text);
    assert_string_equal(b->log, "EzICSPpPpPpsSPpPpPpsd");
    for (int r = 0; r < 3; r++) {
        assert_int_equal(b->prepared[r], 2);
        assert_int_equal(b->launched[r], 2);
        assert_true(values[2 * r] == 100 * r && values[2 * r + 1] == 100 * r + 1);
    }
    /*
     * In the second call, the profiler is still enabled and sized, so only the image is initialised
     * again.
     */
    memset(b->log, 0, strlen(b->log));
    assert_true(measure(b, 3, values, &e));
    assert_string_equal(b->log, "ICSPpPpPpsSPpPpPpsd");
    assert_int_equal(b->session.cost.calls, 2);
    assert_int_equal(b->session.cost.ranges, 6);
    assert_int_equal(b->session.cost.range_runs, 12);
    /* The time of each step is recorded exactly once. */
    const struct counters_cost *c = &b->session.cost;
    const double costs[] = {c->enable_s, c->set_up_s,     c->image_s,  c->prepare_s, c->push_pop_s,
                            c->launch_s, c->start_stop_s, c->decode_s, c->evaluate_s};
    double sum = 0;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        assert_true(costs[i] > 0);
        sum += costs[i];
    }
    assert_true(sum <= clock_now_s() - since);
    /*
     * Other counters need a new session, because a profiler must not be sized twice.
     */
    range_session_forget(&b->session);
    memset(b->log, 0, strlen(b->log));
    assert_true(measure(b, 1, values, &e));
    assert_string_equal(b->log, "DEzICSPpsSPpsd");
    close_bench(b);
}

/*
 * 1100 ranges make three batches. Each batch uses the same names of ranges, but each range must get
 * its own value.
 */
static void many_ranges_are_batched(void **state)
{
    (void)state;
    enum { RANGES = 1100 };
    struct bench *b = open_bench();
    struct error e = {0};
    double *values = test_calloc(2 * RANGES, sizeof *values);
    if (!measure(b, RANGES, values, &e))
        fail_msg("%s", e.text);
    int starts = 0;
    for (const char *c = b->log; *c; c++)
        starts += *c == 'S';
    assert_int_equal(starts, 3);
    for (int r = 0; r < RANGES; r++) {
        assert_int_equal(b->launched[r], 1);
        assert_true(values[2 * r] == 100 * (r % RANGES_PER_PASS));
    }
    test_free(values);
    close_bench(b);
}

static void steps_that_fail_end_the_call_cleanly(void **state)
{
    (void)state;
    struct bench *b = open_bench();
    struct error e = {0};
    double values[6];
    b->fail_prepare = 1;
    assert_false(measure(b, 3, values, &e));
    assert_string_equal(e.text, "prepare 1 failed");
    assert_string_equal(b->log, "EzICSPpsD");
    b->fail_prepare = -1;

    memset(b->log, 0, strlen(b->log));
    b->fail_launch = 1;
    assert_false(measure(b, 3, values, &e));
    assert_string_equal(e.text, "launch 1 failed");
    assert_string_equal(b->log, "EzICSPpPpsD");
    assert_true(values[0] != values[0]); /* nothing was decoded, so the value is NaN */

    b->fail_launch = -1;
    assert_true(measure(b, 3, values, &e));
    assert_true(values[4] == 200);
    close_bench(b);
}

static void a_lost_device_is_not_touched_again(void **state)
{
    (void)state;
    struct bench *b = open_bench();
    struct error e = {0};
    double values[6];
    b->fail_launch = 1;
    b->lose = true;
    assert_false(measure(b, 3, values, &e));
    assert_true(e.device_lost);
    assert_string_equal(b->log, "EzICSPpP");
    range_session_close(&b->session);
    assert_string_equal(b->log, "EzICSPpP");
    b->session.chip = &b->chip;
    close_bench(b);
}

static const char *named(const char *variable, const char *value)
{
    static char name[160];
    snprintf(name, sizeof name, "%s=%s", variable, value);
    return name;
}

static void expect_failure(const char *variable, const char *value)
{
    struct bench *b = open_bench();
    struct error e = {0};
    double values[6];
    setenv(variable, value, 1);
    assert_false(measure(b, 3, values, &e));
    texts_expect(named(variable, value), e.text);
    clear_environment();
    close_bench(b);
}

/*
 * Makes each CUPTI call fail once while ranges are measured. The message must name the operation.
 */
static void every_call_may_fail(void **state)
{
    (void)state;
    static const char *const calls[] = {"cuptiRangeProfilerEnable",
                                        "cuptiRangeProfilerGetCounterDataSize",
                                        "cuptiRangeProfilerCounterDataImageInitialize",
                                        "cuptiRangeProfilerSetConfig",
                                        "cuptiRangeProfilerStart",
                                        "cuptiRangeProfilerPushRange",
                                        "cuptiRangeProfilerPopRange",
                                        "cuptiRangeProfilerStop",
                                        "cuptiRangeProfilerDecodeData",
                                        "cuptiRangeProfilerGetCounterDataInfo",
                                        "cuptiProfilerHostGetRangeName",
                                        "cuptiProfilerHostEvaluateToGpuValues"};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char failure[128];
        snprintf(failure, sizeof failure, "%s:9", calls[i]);
        expect_failure("FAKE_CUPTI_FAIL", failure);
    }
    /* Asking for more ranges than fit releases the counters. */
    struct bench *b = open_bench();
    struct error e = {0};
    double values[40];
    assert_true(measure(b, 3, values, &e));
    setenv("FAKE_CUPTI_FAIL", "cuptiRangeProfilerDisable:9", 1);
    assert_false(measure(b, 20, values, &e));
    texts_expect("FAKE_CUPTI_FAIL=cuptiRangeProfilerDisable:9", e.text);
    clear_environment();
    close_bench(b);
    expect_failure("FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:26");
    expect_failure("FAKE_CUPTI_DROP", "2");
    expect_failure("FAKE_CUPTI_PASSES", "3");
}

/*
 * Sets `variable` to `value`, so that the device cannot count. Expects that the counters can be
 * opened, and that counters_missing() returns the reason and a remedy.
 */
static void expect_missing(const char *variable, const char *value)
{
    struct error e = {0};
    setenv(variable, value, 1);
    struct counters *c = counters_open(0, NULL);
    clear_environment();
    texts_expect(named(variable, value), counters_missing(c));
    double value_of_one;
    assert_false(counters_measure(c, both, 1, 1, prepare, launch, NULL, &value_of_one, &e));
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    assert_string_equal(e.text, counters_missing(c));
    counters_close(c);
}

static void obstacles_have_remedies(void **state)
{
    (void)state;
    static const int results[] = {26, 35, 36, 39, 33, 40, 41, 42, 43, 44, 45, 38, 46, 15, 999};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        char failure[64];
        snprintf(failure, sizeof failure, "cuptiProfilerInitialize:%d", results[i]);
        expect_missing("FAKE_CUPTI_FAIL", failure);
    }
    expect_missing("FAKE_CUPTI_FAIL", "cuptiDeviceGetChipName:43");
    expect_missing("FAKE_CUPTI_FAIL", "cuptiProfilerDeviceSupported:35");
    expect_missing("FAKE_CUPTI_LEVEL", "vGpu=1");
    expect_missing("FAKE_CUPTI_LEVEL", "vGpu=2");
    expect_missing("FAKE_CUPTI_LEVEL", "wsl=1");
    expect_missing("FAKE_CUPTI_LEVEL", "confidentialCompute=1");
    expect_missing("FAKE_CUPTI_LEVEL", "architecture=1");
}

static void the_host_half_needs_no_device(void **state)
{
    (void)state;
    /* CUPTI returns 999 on a machine without a driver. */
    setenv("FAKE_CUPTI_FAIL", "cuptiProfilerInitialize:999", 1);
    struct error e = {0};
    struct counters *c = counters_open(-1, "FAKE1");
    clear_environment();
    assert_string_equal(counters_missing(c), "");
    assert_string_equal(counters_library(c), "CUPTI 13.0");
    assert_string_equal(counters_chip(c), "FAKE1");
    char why[256] = "";
    assert_true(counters_has(c, "fake__first.sum", why));
    assert_false(counters_has(c, "fake__frist.sum", why));
    texts_expect("fake__frist.sum", why);
    setenv("FAKE_CUPTI_PASSES", "5", 1);
    assert_int_equal(counters_passes(c, both, 2), 5);
    double values[2];
    assert_false(counters_measure(c, both, 2, 1, prepare, launch, NULL, values, &e));
    /* Counters that were opened without a device cannot be measured. */
    assert_int_equal(e.kind, ERROR_INTERNAL);
    counters_close(c);
    clear_environment();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_passes_over_three_ranges),
        cmocka_unit_test(many_ranges_are_batched),
        cmocka_unit_test(steps_that_fail_end_the_call_cleanly),
        cmocka_unit_test(a_lost_device_is_not_touched_again),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(obstacles_have_remedies),
        cmocka_unit_test(the_host_half_needs_no_device),
    };
    return cmocka_run_group_tests_name("counters", tests, point_at_fake, NULL);
}
