/* Runs a sweep on a device without counters. The metrics must be empty, run.json must say why, and
 * times must be measured. On a device with counters, no metric may be missing. */
#include "fixture.h"
#include "../texts/expected.h"

#include <cjson/cJSON.h>

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\"], \"sizes\": [100, 200], \"blocks\": [32], "
    "\"unrolls\": [2], \"metrics\": [\"gld_transactions\", \"sm__cycles_active.avg\"], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0}}";

/* Returns the member `missing` of a column in run.json, or NULL. The caller frees it. */
static char *missing_of(const struct bed *b, const char *column)
{
    char path[128], *text = calloc(1, 1 << 20), *found = NULL;
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/run.json", b->out);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    cJSON *json = cJSON_Parse(text), *c;
    assert_non_null(json);
    cJSON_ArrayForEach(c, cJSON_GetObjectItem(json, "columns"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(c, "name"));
        const char *why = cJSON_GetStringValue(cJSON_GetObjectItem(c, "missing"));
        if (strcmp(name, column) == 0 && why)
            found = strdup(why);
    }
    cJSON_Delete(json);
    free(text);
    return found;
}

static void the_sweep_goes_on_without_counters(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, config);
    if (!bed_run(&b, "fault:nocount"))
        fail_msg("%s", b.e.text);
    assert_int_equal(b.result.by_status[STATUS_OK], 4);
    texts_expect("metrics on a device without counters", b.result.missing_metrics);
    bed_table(&b, &t);
    assert_int_equal(t.row_count, 4);
    for (size_t i = 0; i < t.row_count; i++) {
        assert_string_equal(cell(&t, i, "gld_transactions"), "");
        assert_string_equal(cell(&t, i, "sm__cycles_active_avg"), "");
        assert_string_equal(cell(&t, i, "samples"), "3"); /* times are measured nevertheless */
    }
    table_free(&t);
    char *why = missing_of(&b, "gld_transactions");
    texts_expect("a column of counts in run.json", why);
    free(why);
    bed_close(&b);
}

static void with_counters_nothing_is_missing(void **state)
{
    (void)state;
    struct bed b;
    struct table t;
    bed_open(&b, config);
    if (!bed_run(&b, "fault:seed=1"))
        fail_msg("%s", b.e.text);
    assert_string_equal(b.result.missing_metrics, "");
    bed_table(&b, &t);
    for (size_t i = 0; i < t.row_count; i++)
        assert_true(cell(&t, i, "gld_transactions")[0] != '\0');
    table_free(&t);
    assert_null(missing_of(&b, "gld_transactions"));
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sweep_goes_on_without_counters),
        cmocka_unit_test(with_counters_nothing_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
