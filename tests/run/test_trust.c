/*
 * Checks what a run says about the reliability of its times. Checks points that were timed while
 * the device was slowed down, times below the clock's resolution, and the conditions in run.json.
 */
#include "fixture.h"
#include "../texts/reasons.h"

#include <cjson/cJSON.h>

static const char config[] =
    "{\"name\": \"trust\", \"kernels\": [\"alpha\", \"beta\", \"gamma\", \"hungry\"],"
    " \"sizes\": [1000], \"blocks\": [32, 64], \"unrolls\": [1], \"types\": \"int32\","
    " \"ops\": \"sum\", \"cache\": \"all\", \"scope\": \"kernel\", \"metrics\": [],"
    " \"timing\": {\"min_samples\": 7, \"max_samples\": 7, \"warmup\": 1}}";

static cJSON *read_json(const struct bed *b)
{
    char path[256];
    snprintf(path, sizeof path, "%s/run.json", b->out);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    return json;
}

static int timed_again(const struct table *t, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        char reason[REASON_TEXT];
        if (!*cell(t, i, "reason"))
            continue;
        texts_expect(name, row_reason(t, i, reason));
        assert_string_equal(cell(t, i, "status"), "ok");
        assert_string_equal(cell(t, i, "samples"), "7");
        count++;
    }
    return count;
}

/* At the first query, in the first group, the device reports that it was slowed down. This
 * group's points are timed again and come out ok. */
static void slowed_points_are_timed_again(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, config);
    assert_true(bed_run(&b, "fault:slowed=1"));
    bed_check_files(&b); /* The first samples are gone. */
    bed_table(&b, &t);
    assert_int_equal(t.row_count, 16);
    assert_int_equal(timed_again(&t, "fault:slowed=1"), 8);
    for (size_t i = 0; i < t.row_count; i++) {
        assert_string_equal(cell(&t, i, "throttle"), "power_cap"); /* no reason to time again */
        assert_string_equal(cell(&t, i, "mem_clock_mhz"), "2000");
        assert_string_equal(cell(&t, i, "power_w"), "");
    }
    table_free(&t);
    bed_close(&b);
}

/* Points that are slowed down again when retimed keep their rows, which name the reason for the
 * throttling. */
static void always_slowed_points_stay(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, config);
    assert_true(bed_run(&b, "fault:slowed=1000000"));
    bed_check_files(&b);
    bed_table(&b, &t);
    assert_int_equal(t.row_count, 16);
    assert_int_equal(timed_again(&t, "fault:slowed=1000000"), 16);
    for (size_t i = 0; i < t.row_count; i++)
        assert_string_equal(cell(&t, i, "throttle"), "power_cap hw_thermal");
    table_free(&t);
    bed_close(&b);
}

/* 32 steps of the fault device's clock are 1 us. A point with a smaller median is flagged, but
 * stays ok. */
static void times_below_the_clock_s_resolution_say_so(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        bool below;
    } cases[] = {{"fault:took=0.999", true}, {"fault:took=1", false}};
    for (int k = 0; k < 2; k++) {
        struct bed b;
        struct table t;
        bed_open(&b, config);
        assert_true(bed_run(&b, cases[k].device));
        bed_check_files(&b);
        bed_table(&b, &t);
        assert_int_equal(t.row_count, 16);
        for (size_t i = 0; i < t.row_count; i++) {
            assert_string_equal(cell(&t, i, "status"), "ok");
            assert_string_equal(cell(&t, i, "samples"), "7");
            assert_string_equal(cell(&t, i, "flags"), cases[k].below ? "unresolved" : "");
        }
        expect_reasons(&t, NULL, cases[k].device);
        table_free(&t);
        bed_close(&b);
    }
}

/* If a point was timed again and its time is below the clock's resolution, its row states both. */
static void slowed_and_below_the_resolution_are_both_said(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, config);
    assert_true(bed_run(&b, "fault:took=0.5,slowed=1000000"));
    bed_table(&b, &t);
    for (size_t i = 0; i < t.row_count; i++)
        assert_string_equal(cell(&t, i, "flags"), "unresolved retimed");
    expect_reasons(&t, NULL, "fault:took=0.5,slowed=1000000");
    table_free(&t);
    bed_close(&b);
}

static double seconds(const cJSON *conditions, const char *phase)
{
    const cJSON *s = cJSON_GetObjectItem(conditions, "seconds");
    return cJSON_GetNumberValue(cJSON_GetObjectItem(s, phase));
}

static void conditions_are_kept_over_a_resumption(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, config);
    assert_true(bed_run(&b, "fault:"));
    cJSON *json = read_json(&b);
    const cJSON *list = cJSON_GetObjectItem(json, "sessions");
    assert_int_equal(cJSON_GetArraySize(list), 1);
    const cJSON *c = cJSON_GetArrayItem(list, 0);
    assert_true(seconds(c, "measuring") > 0 && seconds(c, "check") > 0 && seconds(c, "time") > 0);
    assert_true(seconds(c, "check") + seconds(c, "time") <= seconds(c, "measuring"));
    assert_true(seconds(c, "record") > 0);
    const cJSON *start = cJSON_GetObjectItem(c, "ceilings_start");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(start, "read_gbs")));
    texts_expect("ceilings that are not there",
                 cJSON_GetStringValue(cJSON_GetObjectItem(start, "missing")));
    char *first = cJSON_PrintUnformatted(c);
    cJSON_Delete(json);

    /* Removes the last three rows, so the second session measures their points. */
    char command[256];
    snprintf(command, sizeof command, "cd '%s' && head -n 14 results.csv > r && mv r results.csv",
             b.out);
    assert_int_equal(system(command), 0);
    assert_true(bed_resume(&b, "fault:", false));
    json = read_json(&b);
    list = cJSON_GetObjectItem(json, "sessions");
    assert_int_equal(cJSON_GetArraySize(list), 2);
    char *kept = cJSON_PrintUnformatted(cJSON_GetArrayItem(list, 0));
    assert_string_equal(kept, first);
    assert_true(seconds(cJSON_GetArrayItem(list, 1), "measuring") > 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "status")), "complete");
    free(first);
    free(kept);
    cJSON_Delete(json);
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slowed_points_are_timed_again),
        cmocka_unit_test(always_slowed_points_stay),
        cmocka_unit_test(times_below_the_clock_s_resolution_say_so),
        cmocka_unit_test(slowed_and_below_the_resolution_are_both_said),
        cmocka_unit_test(conditions_are_kept_over_a_resumption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
