/*
 * Checks the effect of each key of a config. The message about each wrong value is in
 * tests/texts/config.txt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "spec/config.h"

static struct config *accepted(const char *text)
{
    struct error e = {0};
    struct config *c = NULL;
    if (!config_parse("some/folder/x.json", text, &c, &e))
        fail_msg("%s\n%s", text, e.text);
    assert_string_equal(c->text, text);
    return c;
}

static void assert_ints(const int *values, int count, int expected_count, const int *expected)
{
    assert_int_equal(count, expected_count);
    for (int i = 0; i < count; i++)
        assert_int_equal(values[i], expected[i]);
}

#define INTS(values, count, ...)                                                                   \
    assert_ints(values, count, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

static void assert_values(const struct config *c, enum axis_index axis, int count,
                          const uint64_t *expected)
{
    assert_int_equal(c->axis_values[axis].count, count);
    for (int i = 0; i < count; i++)
        assert_true(c->axis_values[axis].values[i] == expected[i]);
}

#define VALUES(c, axis, ...)                                                                       \
    assert_values(c, AXIS_##axis, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),            \
                  (uint64_t[]){__VA_ARGS__})

#define SIZES(text, ...)                                                                           \
    do {                                                                                           \
        struct config *with = accepted(text);                                                      \
        VALUES(with, n, __VA_ARGS__);                                                              \
        config_free(with);                                                                         \
    } while (0)

static void defaults(void **state)
{
    (void)state;
    struct config *c = accepted("{}");
    assert_string_equal(c->path, "some/folder/x.json");
    assert_string_equal(c->name, "x");
    assert_int_equal(c->kernels.count, 1);
    assert_string_equal(c->kernels.names[0], "*");
    VALUES(c, n, 1 << 14, 1 << 18, 1 << 22);
    VALUES(c, block, 256);
    assert_int_equal(c->axis_values[AXIS_unroll].count, 64);
    for (int i = 0; i < 64; i++)
        assert_int_equal(c->axis_values[AXIS_unroll].values[i], i + 1);
    VALUES(c, type, TYPE_INT32);
    VALUES(c, op, OP_SUM);
    VALUES(c, cache, CACHE_COLD);
    VALUES(c, scope, SCOPE_KERNEL);
    VALUES(c, offset, 0);
    VALUES(c, row_length, 0);
    assert_int_equal(c->tunable_count, 0);
    assert_int_equal(c->metrics.count, 3);
    assert_string_equal(c->metrics.names[1], "inst_per_warp");
    assert_int_equal(c->timing.min_samples, 20);
    assert_int_equal(c->timing.max_samples, 200);
    assert_true(c->timing.relative_width == 0.01);
    assert_true(c->timing.budget_s == 0.5);
    assert_true(c->timing.point_limit_s == 20);
    assert_true(c->timing.compile_limit_s == 120);
    assert_int_equal(c->timing.compile_memory_mib, 4096);
    assert_true(c->timing.instruction_limit == 1ull << 32);
    assert_true(c->timing.cpu_limit_s == 600);
    assert_int_equal(c->timing.memory_limit_mib, 4096);
    assert_int_equal(c->timing.warmup, 3);
    assert_true(c->timing.energy_s == 0);
    assert_int_equal(c->exclude_count, 0);
    assert_int_equal(c->kernel_folders.count, 0);
    assert_true(c->seed == 1);
    config_free(c);
}

static void numbers(void **state)
{
    (void)state;
    SIZES("{\"sizes\": 5}", 5);
    SIZES("{\"sizes\": [3, 1, 2, 3]}", 1, 2, 3);
    SIZES("{\"sizes\": {\"log2\": [0, 40], \"step\": 20}}", 1, 1 << 20, 1ull << 40);
    SIZES("{\"sizes\": {\"log2\": [14, 20], \"step\": 4}}", 1 << 14, 1 << 18);
    SIZES("{\"sizes\": [{\"log2\": 10}, 7, {\"range\": [6, 8]}]}", 6, 7, 8, 1024);
    SIZES("{\"sizes\": {\"range\": [1, 10], \"step\": 4}}", 1, 5, 9);
    SIZES("{\"sizes\": 1099511627776}", 1ull << 40);
    SIZES("{\"sizes\": 1e3}", 1000);
    SIZES("{\"sizes\": [\"2^20\", \"1e3\", \"7\", {\"log2\": \"5\"}]}", 7, 32, 1000, 1 << 20);
    SIZES("{\"sizes\": [\"2^4..2^6\", \"64Mi\", \"2Ki\"]}", 16, 32, 64, 2048, 64 << 20);
    SIZES("{\"sizes\": \"3..13\"}", 3, 6, 12);
    SIZES("{\"sizes\": [\"1000..1250:100\", \"7..7\"]}", 7, 1000, 1100, 1200);
    struct config *c = accepted("{\"blocks\": [1024, {\"log2\": [5, 7]}], \"unrolls\": [8, 2]}");
    VALUES(c, block, 32, 64, 128, 1024);
    VALUES(c, unroll, 2, 8);
    config_free(c);
    c = accepted("{\"seed\": 9007199254740991}");
    assert_true(c->seed == 9007199254740991u);
    config_free(c);
}

static void tunables_of_a_config(void **state)
{
    (void)state;
    struct config *c = accepted("{}");
    assert_true(!c->all_tunables && c->tunable_count == 0);
    config_free(c);
    c = accepted("{\"tunables\": \"all\"}");
    assert_true(c->all_tunables && c->tunable_count == 0);
    config_free(c);
    c = accepted("{\"tunables\": {\"A\": \"all\", \"B\": 2, \"*\": \"all\"}}");
    assert_true(c->all_tunables && c->tunable_count == 2);
    assert_true(c->tunables[0].all && !c->tunables[1].all && c->tunables[1].values[0] == 2);
    config_free(c);
}

static struct config *overridden(const char *text, const char *overrides)
{
    struct error e = {0};
    struct config *c;
    char *merged;
    if (!config_override("x.json", text, overrides, &merged, &e) ||
        !config_parse("x.json", merged, &c, &e))
        fail_msg("%s", e.text);
    free(merged);
    return c;
}

static void overrides_replace_merge_or_add(void **state)
{
    (void)state;
    struct config *c =
        overridden("{\"sizes\": {\"log2\": [1, 3]}, \"blocks\": 64, \"timing\": {\"warmup\": 9}, "
                   "\"exclude\": [\"n = 4\", \"n = 5\"], \"tunables\": \"all\"}",
                   "{\"sizes\": \"5..10\", \"timing\": {\"contexts\": 2}, \"exclude\": [\"n = 6\", "
                   "\"n = 7\"], "
                   "\"tunables\": {\"A\": [\"1\", \"2\"]}}");
    assert_true(c->axis_values[AXIS_n].count == 2 && c->axis_values[AXIS_n].values[0] == 5 &&
                c->axis_values[AXIS_n].values[1] == 10);
    assert_true(c->axis_values[AXIS_block].count == 1 &&
                c->axis_values[AXIS_block].values[0] == 64);
    assert_true(c->timing.warmup == 9 && c->timing.contexts == 2);
    assert_int_equal(c->exclude_count, 4);
    assert_string_equal(expr_source(c->excludes[0]), "n = 4");
    assert_string_equal(expr_source(c->excludes[1]), "n = 5");
    assert_string_equal(expr_source(c->excludes[3]), "n = 7");
    assert_true(c->all_tunables && c->tunable_count == 1);
    INTS(c->tunables[0].values, c->tunables[0].count, 1, 2);
    config_free(c);
    c = overridden("{\"tunables\": {\"A\": 1, \"B\": 2}}", "{\"tunables\": \"all\"}");
    assert_true(c->all_tunables && c->tunable_count == 0);
    config_free(c);
}

/* resume stores a config with its overrides and reads it back. */
static void a_config_without_a_file(void **state)
{
    (void)state;
    struct error e = {0};
    struct config *c, *again;
    assert_true(config_read_with(NULL, "{\"kernels\":\"unroll\",\"sizes\":\"2^20\"}", &c, &e));
    assert_string_equal(c->name, "sweep");
    assert_string_equal(c->overrides, "{\"kernels\":\"unroll\",\"sizes\":\"2^20\"}");
    assert_true(config_parse(c->path, c->text, &again, &e));
    assert_true(again->axis_values[AXIS_n].count == 1 &&
                again->axis_values[AXIS_n].values[0] == 1 << 20);
    assert_string_equal(again->kernels.names[0], "unroll");
    config_free(again);
    config_free(c);
}

static void words_and_names(void **state)
{
    (void)state;
    struct config *all = accepted("{\"types\": \"supported\", \"sizes\": 16}");
    assert_int_equal(all->axis_values[AXIS_type].count, TYPE_COUNT);
    assert_true(all->supported_types && !all->supported_ops);
    config_free(all);
    struct config *c = accepted("{\"types\": [\"float64\", \"int32\"], \"ops\": \"all\", "
                                "\"cache\": \"warm\", \"scope\": [\"complete\"], "
                                "\"kernels\": [\"unroll\", \"smem_*\"], \"metrics\": [], "
                                "\"name\": \"a.b_c-9\", \"comment\": [\"one\", \"two\"]}");
    VALUES(c, type, TYPE_INT32, TYPE_FLOAT64);
    VALUES(c, op, OP_SUM, OP_MAX, OP_MIN, OP_PROD, OP_ARGMAX, OP_ARGMIN, OP_SUMSQ, OP_NORM2, OP_DOT,
           OP_MEAN_VAR, OP_LOGSUMEXP);
    VALUES(c, cache, CACHE_WARM);
    VALUES(c, scope, SCOPE_COMPLETE);
    assert_int_equal(c->kernels.count, 2);
    assert_string_equal(c->kernels.names[1], "smem_*");
    assert_int_equal(c->metrics.count, 0);
    assert_string_equal(c->name, "a.b_c-9");
    config_free(c);
    c = accepted("{\"metrics\": \"sm__cycles_active.avg\", \"tunables\": {\"LOADS\": [4, 1], "
                 "\"stages\": 2}, \"kernel_folders\": [\"mine\", \"/abs/o lute\"]}");
    assert_string_equal(c->metrics.names[0], "sm__cycles_active.avg");
    assert_int_equal(c->tunable_count, 2);
    assert_string_equal(c->tunables[0].name, "LOADS");
    INTS(c->tunables[0].values, c->tunables[0].count, 1, 4);
    INTS(c->tunables[1].values, c->tunables[1].count, 2);
    assert_string_equal(c->kernel_folders.names[0], "some/folder/mine");
    assert_string_equal(c->kernel_folders.names[1], "/abs/o lute");
    config_free(c);
}

static void timing(void **state)
{
    (void)state;
    struct config *c = accepted("{\"timing\": {\"max_samples\": 5, \"budget_s\": 0.25}}");
    assert_int_equal(c->timing.min_samples, 5); /* max_samples lowers the default of 20. */
    assert_int_equal(c->timing.max_samples, 5);
    assert_true(c->timing.budget_s == 0.25);
    config_free(c);
    c = accepted("{\"timing\": {\"min_samples\": 500}}");
    assert_int_equal(c->timing.max_samples, 500);
    config_free(c);
    c = accepted("{\"timing\": {\"max_samples\": 0, \"min_samples\": 20}}");
    assert_int_equal(c->timing.max_samples, 0);
    config_free(c);
}

/* A config without a name lends its file's name to the results folder. */
static void names_from_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {
        {"configs/quick.json", "quick"},
        {"a b'\"\n.json", "a-b---"},
        {"", "sweep"},
        {"../..", "-."},
        {"x/.hidden", "-hidden"},
        {"ü.json", "--"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config *c;
        struct error e = {0};
        if (!config_parse(cases[i].path, "{}", &c, &e))
            fail_msg("%s", e.text);
        assert_string_equal(c->name, cases[i].name);
        config_free(c);
    }
}

static bool a_point(void *context, const char *name, struct expr_value *value)
{
    (void)context;
    static const struct {
        const char *name, *text;
        double number;
    } point[] = {{"kernel", "smem_unroll", 0}, {"type", "int32", 0},   {"op", "sum", 0},
                 {"n", NULL, 16384},           {"block", NULL, 512},   {"unroll", NULL, 8},
                 {"cache", "cold", 0},         {"scope", "kernel", 0}, {"LOADS", NULL, 2}};
    for (size_t i = 0; i < sizeof point / sizeof point[0]; i++)
        if (strcmp(point[i].name, name) == 0) {
            *value = (struct expr_value){point[i].text, point[i].number};
            return true;
        }
    return false;
}

/* Returns whether a config's first exclusion applies to a_point. */
static bool first_exclude_holds(const char *text, const char *source)
{
    struct error e = {0};
    double value;
    struct config *c = accepted(text);
    assert_int_equal(c->exclude_count, 2);
    assert_string_equal(expr_source(c->excludes[0]), source);
    if (!expr_number(c->excludes[0], a_point, NULL, &value, &e))
        fail_msg("%s", e.text);
    config_free(c);
    return value == 1;
}

static void excludes(void **state)
{
    (void)state;
    assert_true(
        first_exclude_holds("{\"exclude\": [\"kernel = smem_unroll and block > 256\", \"n < 0\"]}",
                            "kernel = smem_unroll and block > 256"));
    assert_false(first_exclude_holds("{\"exclude\": [\"n = 2^14 and unroll != 8\", \"n < 0\"]}",
                                     "n = 2^14 and unroll != 8"));
    struct config *c = accepted("{\"exclude\": \"block = 64\"}"); /* one expression, no array */
    assert_int_equal(c->exclude_count, 1);
    config_free(c);
}

static void skips_have_reasons(void **state)
{
    (void)state;
    struct config *c = accepted(
        "{\"skip\": {\"n > 2^20 and device = sim\": \"too slow\", \"block = 64\": \"too small\"}}");
    assert_int_equal(c->skip_count, 2);
    assert_string_equal(expr_source(c->skips[0].where), "n > 2^20 and device = sim");
    assert_string_equal(c->skips[1].reason, "too small");
    config_free(c);
    c = accepted("{\"skip\": \"n > 4\"}"); /* as on a command line */
    assert_int_equal(c->skip_count, 1);
    texts_expect("a skip without a reason", c->skips[0].reason);
    config_free(c);
    config_free(accepted("{\"skip\": {}}"));
}

/* An `exclude` entry that is an object is refused. The message has an equivalent expression,
 * which the user can paste into the config. */
static void exclude_objects(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        bool holds;
        const char *source; /* the expression that the message suggests */
    } cases[] = {
        {"{\"kernel\": \"smem_*\", \"block\": [512, 1024]}", true,
         "kernel = 'smem_*' and (block = 512 or block = 1024)"},
        {"{\"kernel\": \"unroll\", \"block\": [512]}", false,
         "kernel = 'unroll' and (block = 512)"},
        {"{\"type\": [\"int64\", \"int32\"], \"n\": 16384, \"LOADS\": 2}", true,
         "(type = 'int64' or type = 'int32') and n = 16384 and LOADS = 2"},
        {"{\"cache\": \"warm\"}", false, "cache = 'warm'"},
        {"{\"op\": \"s*\", \"scope\": \"kernel\", \"unroll\": [2, 8]}", true,
         "op = 's*' and scope = 'kernel' and (unroll = 2 or unroll = 8)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config *c = NULL;
        struct error e = {0};
        char text[400];
        snprintf(text, sizeof text, "{\"exclude\": [%s, \"n < 0\"]}", cases[i].entry);
        assert_false(config_parse("x.json", text, &c, &e));
        assert_non_null(strstr(e.text, cases[i].source));
        snprintf(text, sizeof text, "{\"exclude\": [\"%s\", \"n < 0\"]}", cases[i].source);
        assert_true(first_exclude_holds(text, cases[i].source) == cases[i].holds);
    }
}

/* If `search` is a single word, it sets the strategy. An override of the search's parameters
 * alone does not change the strategy. */
static void a_search_is_a_word_or_an_object(void **state)
{
    (void)state;
    struct config *c;
    struct error e = {0};
    assert_true(config_parse("x.json", "{}", &c, &e));
    assert_int_equal(c->search.strategy, SEARCH_EXHAUSTIVE);
    assert_true(c->search.rung_count == 4 && c->search.rungs[3] == 31);
    config_free(c);
    char *text;
    assert_true(config_override("x.json", "{\"search\": \"transfer\"}",
                                "{\"search\": {\"seed\": 7, \"rungs\": [5, 2]}}", &text, &e));
    assert_true(config_parse("x.json", text, &c, &e));
    assert_int_equal(c->search.strategy, SEARCH_TRANSFER);
    assert_true(c->search.seed == 7 && c->search.rung_count == 2 && c->search.rungs[0] == 2);
    config_free(c);
    free(text);
}

static void assert_shape(const struct config *c, int i, uint64_t n, uint64_t length, uint64_t inner)
{
    assert_true(i < c->shape_count);
    assert_true(c->shapes[i].n == n && c->shapes[i].row_length == length);
    assert_true(c->shapes[i].inner == inner);
}

static void shapes_are_texts_or_lists_of_two_or_three_numbers(void **state)
{
    (void)state;
    struct config *c;
    struct error e = {0};
    assert_true(config_parse("x.json",
                             "{\"shapes\": [\"4096x5120\", [32, \"2^13\"], \"8x2^12x64\", "
                             "\"32x8192x1\"]}",
                             &c, &e));
    assert_int_equal(c->shape_count, 3); /* one of the shapes is given twice */
    assert_shape(c, 0, 32 * 8192, 8192, 1);
    assert_shape(c, 1, 8 * 4096 * 64, 4096, 64);
    assert_shape(c, 2, 4096 * 5120, 5120, 1);
    assert_true(c->only_shapes);
    config_free(c);
    assert_true(config_parse("x.json", "{\"shapes\": \"3x7\", \"sizes\": 64}", &c, &e));
    assert_shape(c, 0, 21, 7, 1);
    assert_false(c->only_shapes);
    config_free(c);
    assert_true(config_parse("x.json", "{\"shapes\": []}", &c, &e));
    assert_int_equal(c->shape_count, 0);
    assert_false(c->only_shapes);
    config_free(c);
}

/* Shapes on the command line replace the config's sizes, and sizes replace its shapes. */
static void shapes_and_sizes_replace_each_other(void **state)
{
    (void)state;
    struct config *c;
    struct error e = {0};
    char *text;
    assert_true(config_override("x.json", "{\"sizes\": 64, \"row_lengths\": [4, 8]}",
                                "{\"shapes\": \"3x7\"}", &text, &e));
    assert_true(config_parse("x.json", text, &c, &e));
    assert_true(c->only_shapes && c->axis_values[AXIS_row_length].count <= 1);
    config_free(c);
    free(text);
    assert_true(config_override("x.json", "{\"shapes\": \"3x7\"}", "{\"sizes\": 64}", &text, &e));
    assert_true(config_parse("x.json", text, &c, &e));
    assert_int_equal(c->shape_count, 0);
    config_free(c);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(numbers),
        cmocka_unit_test(words_and_names),
        cmocka_unit_test(timing),
        cmocka_unit_test(names_from_paths),
        cmocka_unit_test(excludes),
        cmocka_unit_test(skips_have_reasons),
        cmocka_unit_test(exclude_objects),
        cmocka_unit_test(shapes_are_texts_or_lists_of_two_or_three_numbers),
        cmocka_unit_test(shapes_and_sizes_replace_each_other),
        cmocka_unit_test(a_search_is_a_word_or_an_object),
        cmocka_unit_test(tunables_of_a_config),
        cmocka_unit_test(overrides_replace_merge_or_add),
        cmocka_unit_test(a_config_without_a_file),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
