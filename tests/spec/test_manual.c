/*
 * Checks configs/. Every file there must be a valid config, features.json must contain every key,
 * and for every key the README must state what the table of keys in the source states. The test
 * runs in the repository's root.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include "spec/config.h"
#include "spec/config_fields.h"
#include "metrics/metrics.h"
#include "spec/kernel.h"
#include "plan/plan.h"

/* Returns a name's value at one point. Does not check that each name is an axis or a tunable:
 * the planner does, and tests/docs/test_docs.sh tests that. */
static bool a_point(void *context, const char *name, struct expr_value *value)
{
    (void)context;
    static const struct {
        const char *name, *text;
    } texts[] = {{"kernel", "smem_unroll"},
                 {"type", "int32"},
                 {"op", "sum"},
                 {"cache", "cold"},
                 {"scope", "kernel"}};
    *value = (struct expr_value){NULL, 16};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcasecmp(texts[i].name, name) == 0)
            *value = (struct expr_value){texts[i].text, 0};
    return true;
}

static void shipped_configs(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("configs/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 3);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct config *c;
        struct error e = {0};
        if (!config_read(found.gl_pathv[i], &c, &e))
            fail_msg("%s", e.text);
        const char *base = found.gl_pathv[i] + strlen("configs/");
        assert_int_equal(strncmp(base, c->name, strlen(c->name)), 0);
        assert_string_equal(base + strlen(c->name), ".json");
        /* Checks that each expression can be evaluated for a point. */
        for (int j = 0; j < c->exclude_count; j++) {
            double value;
            if (!expr_number(c->excludes[j], a_point, NULL, &value, &e))
                fail_msg("%s: %s", found.gl_pathv[i], e.text);
        }
        config_free(c);
    }
    globfree(&found);
}

/* Checks that every kernel, tunable and metric in a shipped config exists. Returns how many
 * points the config has. */
static uint32_t points_of(const char *path)
{
    static const char *const folders[] = {"kernels"};
    struct error e = {0};
    struct config *c;
    struct catalogue catalogue;
    struct plan *plan = NULL;
    struct metric_plan metrics;
    if (!config_read(path, &c, &e) || !catalogue_read(folders, 1, &catalogue, &e) ||
        !plan_build(c, &catalogue, NULL, &plan, &e) ||
        !metrics_resolve((const char *const *)c->metrics.names, c->metrics.count, "", NULL, NULL,
                         "no device", &metrics, &e))
        fail_msg("%s: %s", path, e.text);
    uint32_t points = plan->point_count;
    print_message("%s: %u points, %llu excluded\n", path, points,
                  (unsigned long long)plan->excluded);
    const struct config_values *sizes = &c->axis_values[AXIS_n];
    for (int i = 0; i < sizes->count; i++) {
        bool measured = false;
        for (uint32_t j = 0; j < points && !measured; j++)
            measured = plan->points[j].n == sizes->values[i];
        assert_true(measured);
    }
    metric_plan_free(&metrics);
    plan_free(plan);
    catalogue_free(&catalogue);
    config_free(c);
    return points;
}

/* Each config has enough points to be useful, and no more than configs/README.md promises. */
static void shipped_configs_make_sensible_plans(void **state)
{
    (void)state;
    assert_in_range(points_of("configs/quick.json"), 50, 2000);
    assert_in_range(points_of("configs/features.json"), 50, 2000);
    assert_in_range(points_of("configs/full.json"), 5000, 200000);
}

/* features.json contains every key. */
static void features_has_every_key(void **state)
{
    (void)state;
    struct config *c;
    assert_true(config_read("configs/features.json", &c, NULL));
    cJSON *json = cJSON_Parse(c->text);
    for (const struct field *f = config_fields; f->name; f++)
        if (!cJSON_HasObjectItem(json, f->name))
            fail_msg("configs/features.json does not show %s", f->name);
    for (const struct field *f = timing_fields; f->name; f++)
        if (!cJSON_HasObjectItem(cJSON_GetObjectItem(json, "timing"), f->name))
            fail_msg("configs/features.json does not show timing.%s", f->name);
    for (const struct field *f = search_fields; f->name; f++)
        if (!cJSON_HasObjectItem(cJSON_GetObjectItem(json, "search"), f->name))
            fail_msg("configs/features.json does not show search.%s", f->name);
    cJSON_Delete(json);
    config_free(c);
}

/* ---- The manual ---------------------------------------------------------------------------- */

static char *read_manual(void)
{
    FILE *f = fopen("configs/README.md", "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 16) - 1, f), 1000, (1 << 16) - 2);
    fclose(f);
    return text;
}

/* A key's row in the README states the same default and the same range (or the same words) as
 * the table of keys. */
static void assert_row(const char *manual, const struct field *f)
{
    char wanted[200], lo[32], hi[32], row[1000] = "";
    snprintf(wanted, sizeof wanted, "\n| `%s` |", f->name);
    const char *start = strstr(manual, wanted);
    if (!start)
        fail_msg("configs/README.md has no row for %s", f->name);
    snprintf(row, sizeof row, "%.*s", (int)strcspn(start + 1, "\n"), start + 1);
    if (f->fallback) {
        snprintf(wanted, sizeof wanted, "| `%s` |", f->fallback);
        if (!strstr(row, wanted))
            fail_msg("README's row \"%s\" lacks the default %s", row, wanted);
    }
    if (f->max > 0) {
        snprintf(wanted, sizeof wanted, "| %s to %s |", field_limit(f->min, lo),
                 field_limit(f->max, hi));
        if (!strstr(row, wanted))
            fail_msg("README's row \"%s\" lacks the range %s", row, wanted);
    }
    for (int i = 0; i < f->word_count; i++)
        if (!strstr(row, f->words[i]))
            fail_msg("README's row \"%s\" lacks the word %s", row, f->words[i]);
}

static void manual_agrees_with_the_table(void **state)
{
    (void)state;
    char *manual = read_manual();
    for (const struct field *f = config_fields; f->name; f++)
        assert_row(manual, f);
    for (const struct field *f = timing_fields; f->name; f++)
        assert_row(manual, f);
    for (const struct field *f = search_fields; f->name; f++)
        assert_row(manual, f);
    free(manual);
}

/* Each ```json block of the README is a config that is accepted. */
static void examples_of_the_manual(void **state)
{
    (void)state;
    static const char fence[] = "```json\n";
    char *manual = read_manual();
    int examples = 0;
    for (char *start = strstr(manual, fence); start; examples++) {
        start += strlen(fence);
        char *end = strstr(start, "```");
        assert_non_null(end);
        *end = '\0';
        struct config *c;
        struct error e = {0};
        if (!config_parse("example", start, &c, &e))
            fail_msg("%s\n%s", e.text, start);
        config_free(c);
        start = strstr(end + 1, fence);
    }
    assert_true(examples >= 6);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_configs),
        cmocka_unit_test(shipped_configs_make_sensible_plans),
        cmocka_unit_test(features_has_every_key),
        cmocka_unit_test(manual_agrees_with_the_table),
        cmocka_unit_test(examples_of_the_manual),
    };
    return cmocka_run_group_tests_name("shipped configs", tests, NULL, NULL);
}
