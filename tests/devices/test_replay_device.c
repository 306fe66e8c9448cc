/*
 * Uses a recorded run as a device. Checks the device's description, its options, the recordings
 * that it refuses, and the times that it draws if the recording has no samples.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "devices/device.h"

extern const struct device_driver replay_driver;

static char folder[] = "/tmp/redsweep-replay-XXXXXX";

#define HEADER                                                                                     \
    "id,device,status,reason,blocks_per_sm,grid,samples,time_us_median,time_us_min,"               \
    "time_us_ci95_lo,time_us_ci95_hi,time_us_max\n"
/* Half of this row's times are below 11 µs, and about a third of them are below 10 µs. */
#define SLOW "00000000000000aa,Card 7,ok,,2,264,50,11,1,10,12,100\n"
/* The two ends of this row's confidence interval are one step of the clock apart. */
#define STEP "00000000000000ee,Card 7,ok,,2,264,50,100.25,100,100.25,100.25,100.25\n"
#define NONE "00000000000000bb,Card 7,wrong,off by 3,2,264,,,,,,\n"

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!text) {
        (void)remove(path);
        return;
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static struct device *opened(const char *options)
{
    char argument[128];
    struct device *d;
    struct error e = {0};
    snprintf(argument, sizeof argument, "%s%s", folder, options);
    if (!replay_driver.open(argument, NULL, &d, &e))
        fail_msg("%s: %s", argument, e.text);
    return d;
}

/* The expected messages are in tests/texts/devices.txt. */
static void refused(const char *options, enum error_kind kind)
{
    char argument[128];
    struct device *d;
    struct error e = {0};
    snprintf(argument, sizeof argument, "%s%s", folder, options);
    assert_false(replay_driver.open(argument, NULL, &d, &e));
    if (e.kind != kind)
        fail_msg("%s error: %s", error_kind_name(e.kind), e.text);
    error_clear(&e);
}

static struct device_info info_of(const char *options)
{
    struct device_info info;
    struct device *d = opened(options);
    replay_driver.describe(d, &info);
    replay_driver.close(d);
    return info;
}

/*
 * If the recording has no run.json, the device has an H100's limits, and its number of
 * multiprocessors follows from the recorded grids.
 */
static void without_a_manifest_it_is_what_its_rows_tell(void **state)
{
    (void)state;
    put("results.csv", HEADER SLOW NONE);
    struct device_info info = info_of("");
    assert_string_equal(info.name, "replay of Card 7");
    assert_int_equal(info.limits.cc, 90);
    assert_int_equal(info.limits.sms, 132);
    assert_int_equal(info.limits.max_block, 1024);
    assert_int_equal(info.limits.max_grid_x, INT32_MAX);
    assert_true(info.can_time && !info.can_count && info.no_contents);
    assert_int_equal(info_of(",sms=10000").limits.sms, 10000);
    put("results.csv", "id,status,time_us_median\n00000000000000aa,ok,3\n");
    refused("", ERROR_USAGE);
    assert_int_equal(info_of(",sms=1").limits.sms, 1);
}

static void its_manifest_says_what_the_device_was(void **state)
{
    (void)state;
    put("results.csv", HEADER SLOW);
    put("run.json", "{\"schema\": 2, \"provenance\": {\"device\": {\"name\": \"Card 7\", "
                    "\"compute_capability\": "
                    "\"8.6\", \"multiprocessors\": 46, \"l2_bytes\": 4096, \"memory_bytes\": 8192, "
                    "\"peak_gbs\": "
                    "448}}}");
    struct device_info info = info_of("");
    assert_int_equal(info.limits.cc, 86);
    assert_int_equal(info.limits.sms, 46);
    assert_int_equal(info.l2_bytes, 4096);
    assert_int_equal(info.memory_bytes, 8192);
    assert_true(info.peak_gbs == 448);
    put("run.json", "{\"schema\": 2, \"provenance\": {\"device\": {\"name\": \"Card 7\"}}}");
    info = info_of("");
    assert_int_equal(info.limits.cc, 90);
    assert_int_equal(info.limits.sms, 132);
    put("run.json", NULL);
}

static void options_have_limits(void **state)
{
    (void)state;
    put("results.csv", HEADER SLOW);
    replay_driver.close(opened(",seed=9007199254740991,sms=3"));
    replay_driver.close(opened(",sms=3,seed=0"));
    refused(",seed=9007199254740992", ERROR_USAGE);
    refused(",sms=10001", ERROR_USAGE);
    refused(",seed=", ERROR_USAGE);
    refused(",seed=-1", ERROR_USAGE);
    refused(",seed=3x", ERROR_USAGE);
}

static void what_is_no_recording_is_refused(void **state)
{
    (void)state;
    put("results.csv", "id,status,time_us\n00000000000000aa,ok,3\n");
    refused("", ERROR_CONFIG);
    put("results.csv", "status,time_us_median\nok,3\n");
    refused("", ERROR_CONFIG);
    put("results.csv", HEADER NONE);
    refused("", ERROR_CONFIG);
    put("results.csv", HEADER SLOW SLOW);
    refused("", ERROR_CONFIG);
    put("results.csv", HEADER "0aa,Card 7,ok,,2,264,50,11,1,10,12,100\n");
    refused("", ERROR_CONFIG);
    put("results.csv", HEADER SLOW);
    static const char *const samples[] = {
        "id,sample,time_us\n00000000000000aa,0,-1\n",
        "id,sample,time_us\n00000000000000aa,first,1\n", "id,sample,time_us\n00000000000000aa,0,\n",
        "id,sample,time_us\n00000000000000aa,0,1\n00000000000000cc,0,1\n00000000000000aa,1,1\n",
        "id,sample\n00000000000000aa,0\n"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        put("samples.csv", samples[i]);
        refused("", ERROR_CONFIG);
    }
    put("samples.csv", NULL);
}

static void draw(struct device *d, uint64_t point, int count, double *us)
{
    struct trial t = {.point = point};
    struct error e = {0};
    for (int i = 0; i < count; i++)
        assert_true(replay_driver.time(d, &t, 1, &us[i], &e));
}

/*
 * If the recording has quantiles but no samples, the device draws times that are evenly distributed
 * between each two neighboring quantiles.
 */
static void without_samples_times_are_spread_between_the_quantiles(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    static double us[COUNT];
    put("results.csv", HEADER SLOW NONE STEP);
    struct device *d = opened(",seed=5");
    struct device_info info;
    replay_driver.describe(d, &info);
    assert_true(info.time_step_us == 0.25);
    draw(d, 0xaa, COUNT, us);
    for (int i = 0; i < COUNT; i++)
        assert_true(fmod(us[i], 0.25) == 0);
    static const double ends[] = {1, 5.5, 10, 11, 12, 56, 100};
    /*
     * For 50 samples, the ends of the median's interval are the quantiles 0.5 ± 0.98 / sqrt(50) =
     * 0.5 ± 0.139.
     */
    static const double shares[] = {0.1807, 0.1807, 0.1386, 0.1386, 0.1807, 0.1807};
    for (int k = 0; k < 6; k++) {
        int within = 0;
        for (int i = 0; i < COUNT; i++)
            within += us[i] >= ends[k] - (k == 0) && us[i] < ends[k + 1] + (k == 5);
        /* A time at the end of an interval may be counted in either neighboring interval. */
        double share = (double)within / COUNT;
        if (share < shares[k] - 0.04 || share > shares[k] + 0.04)
            fail_msg("%g of the times are between %g and %g", share, ends[k], ends[k + 1]);
    }
    struct device_health health;
    replay_driver.health(d, &health);
    assert_int_equal(health.recalled, RECALLED_MEDIANS);
    struct error e = {0};
    double time;
    assert_false(replay_driver.time(d, &(struct trial){.point = 0xbb}, 1, &time, &e));
    assert_int_equal(e.kind, ERROR_SKIPPED);
    assert_false(replay_driver.run(d, &(struct trial){.point = 0xcc}, &e));
    assert_int_equal(e.kind, ERROR_SKIPPED);
    replay_driver.close(d);
}

/*
 * Only recorded samples are drawn, and each of them is drawn at some time. The seed determines the
 * order.
 */
static void samples_are_drawn_where_there_are_some(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    double us[COUNT], again[COUNT], other[COUNT];
    put("results.csv", HEADER SLOW "00000000000000cc,Card 7,ok,,2,264,1,5,5,5,5,5\n");
    put("samples.csv", "id,sample,time_us\n00000000000000cc,0,5\n00000000000000aa,0,7\n"
                       "00000000000000aa,1,8\n00000000000000aa,2,9\n00000000000000dd,0,77\n");
    struct device *d = opened("");
    struct device_health health;
    replay_driver.health(d, &health);
    assert_int_equal(health.recalled, RECALLED_SAMPLES);
    draw(d, 0xaa, COUNT, us);
    int seen[3] = {0};
    for (int i = 0; i < COUNT; i++) {
        assert_true(us[i] == 7 || us[i] == 8 || us[i] == 9);
        seen[(int)us[i] - 7]++;
    }
    assert_true(seen[0] > 60 && seen[1] > 60 && seen[2] > 60);
    draw(d, 0xcc, 1, us + COUNT - 1);
    assert_true(us[COUNT - 1] == 5);
    replay_driver.close(d);
    d = opened(",seed=1");
    draw(d, 0xaa, COUNT, again);
    assert_memory_equal(us, again, sizeof us - sizeof *us);
    replay_driver.close(d);
    d = opened(",seed=2");
    draw(d, 0xaa, COUNT, other);
    assert_memory_not_equal(again, other, sizeof again);
    replay_driver.close(d);
    put("samples.csv", NULL);
}

/* Buffers have no contents, but no two buffers overlap. */
static void buffers_and_modules_are_names_alone(void **state)
{
    (void)state;
    put("results.csv", HEADER SLOW);
    struct device *d = opened("");
    struct buffer a, b;
    struct error e = {0};
    char host[4] = "abc";
    assert_true(replay_driver.alloc(d, 1000, &a, &e) && replay_driver.alloc(d, 8, &b, &e));
    assert_true(a.address > 0 && b.address >= a.address + 1000 && b.bytes == 8);
    assert_false(replay_driver.read(d, b, 0, host, sizeof host, &e));
    assert_int_equal(host[0], 0);
    struct module *m;
    struct module_info info = {.registers = 7};
    assert_true(replay_driver.load(d, NULL, &m, NULL, &e));
    replay_driver.unload(d, m);
    assert_true(replay_driver.load(d, NULL, &m, &info, &e));
    assert_int_equal(info.registers, -1);
    replay_driver.unload(d, m);
    replay_driver.close(d);
    replay_driver.close(NULL);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    put("results.csv", NULL);
    put("samples.csv", NULL);
    put("run.json", NULL);
    return remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_manifest_it_is_what_its_rows_tell),
        cmocka_unit_test(its_manifest_says_what_the_device_was),
        cmocka_unit_test(options_have_limits),
        cmocka_unit_test(what_is_no_recording_is_refused),
        cmocka_unit_test(without_samples_times_are_spread_between_the_quantiles),
        cmocka_unit_test(samples_are_drawn_where_there_are_some),
        cmocka_unit_test(buffers_and_modules_are_names_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
