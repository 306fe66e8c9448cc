/*
 * The config: what each key gives, and what each wrong value says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "config/config.h"

static struct config *accepted(const char *text)
{
    struct error e = {0};
    struct config *c = NULL;
    if (!config_parse("some/folder/x.json", text, &c, &e))
        fail_msg("%s\n%s", text, e.text);
    assert_string_equal(c->text, text);
    return c;
}

/* The whole message, or its beginning when `message` ends in "…". */
static void refused(const char *text, const char *message)
{
    struct error e = {0};
    struct config *c = NULL;
    size_t length = strlen(message);
    bool beginning = length > 3 && strcmp(message + length - 3, "…") == 0;
    if (config_parse("x.json", text, &c, &e)) {
        config_free(c);
        fail_msg("accepted: %s", text);
    }
    assert_int_equal(e.kind, ERROR_CONFIG);
    if (beginning ? strncmp(e.text, message, length - 3) != 0 : strcmp(e.text, message) != 0)
        fail_msg("%s\nsaid   %s\nwanted %s", text, e.text, message);
    assert_false(config_parse("x.json", text, &c, NULL));
}

static void assert_ints(const int *values, int count, int expected_count, const int *expected)
{
    assert_int_equal(count, expected_count);
    for (int i = 0; i < count; i++)
        assert_int_equal(values[i], expected[i]);
}

#define INTS(values, count, ...)                                                                   \
    assert_ints(values, count, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

static void assert_sizes(const char *text, int count, const uint64_t *expected)
{
    struct config *c = accepted(text);
    assert_int_equal(c->size_count, count);
    for (int i = 0; i < count; i++)
        assert_true(c->sizes[i] == expected[i]);
    config_free(c);
}

#define SIZES(text, ...)                                                                           \
    assert_sizes(text, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                       \
                 (uint64_t[]){__VA_ARGS__})

static void defaults(void **state)
{
    (void)state;
    struct config *c = accepted("{}");
    assert_string_equal(c->path, "some/folder/x.json");
    assert_string_equal(c->name, "x");
    assert_int_equal(c->kernels.count, 1);
    assert_string_equal(c->kernels.names[0], "*");
    assert_int_equal(c->size_count, 3);
    assert_true(c->sizes[0] == 1 << 14 && c->sizes[1] == 1 << 18 && c->sizes[2] == 1 << 22);
    INTS(c->blocks, c->block_count, 256);
    assert_int_equal(c->unroll_count, 64);
    for (int i = 0; i < 64; i++)
        assert_int_equal(c->unrolls[i], i + 1);
    for (int i = 0; i < TYPE_COUNT; i++)
        assert_int_equal(c->types[i], i == TYPE_INT32);
    for (int i = 0; i < OP_COUNT; i++)
        assert_int_equal(c->ops[i], i == OP_SUM);
    assert_true(c->caches[CACHE_COLD] && !c->caches[CACHE_WARM]);
    assert_true(c->scopes[SCOPE_KERNEL] && !c->scopes[SCOPE_COMPLETE]);
    assert_int_equal(c->tunable_count, 0);
    assert_int_equal(c->metrics.count, 3);
    assert_string_equal(c->metrics.names[1], "inst_per_warp");
    assert_int_equal(c->timing.min_samples, 20);
    assert_int_equal(c->timing.max_samples, 200);
    assert_true(c->timing.relative_width == 0.01);
    assert_true(c->timing.budget_s == 0.5);
    assert_true(c->timing.point_limit_s == 20);
    assert_int_equal(c->timing.warmup, 3);
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
    struct config *c = accepted("{\"blocks\": [1024, {\"log2\": [5, 7]}], \"unrolls\": [8, 2]}");
    INTS(c->blocks, c->block_count, 32, 64, 128, 1024);
    INTS(c->unrolls, c->unroll_count, 2, 8);
    config_free(c);
    c = accepted("{\"seed\": 9007199254740991}");
    assert_true(c->seed == 9007199254740991u);
    config_free(c);
}

static void words_and_names(void **state)
{
    (void)state;
    struct config *c = accepted("{\"types\": [\"float64\", \"int32\"], \"ops\": \"all\", "
                                "\"cache\": \"warm\", \"scope\": [\"complete\"], "
                                "\"kernels\": [\"unroll\", \"smem_*\"], \"metrics\": [], "
                                "\"name\": \"a.b_c-9\", \"comment\": [\"one\", \"two\"]}");
    assert_true(c->types[TYPE_FLOAT64] && c->types[TYPE_INT32] && !c->types[TYPE_INT64]);
    for (int i = 0; i < OP_COUNT; i++)
        assert_true(c->ops[i]);
    assert_true(c->caches[CACHE_WARM] && !c->caches[CACHE_COLD]);
    assert_true(c->scopes[SCOPE_COMPLETE] && !c->scopes[SCOPE_KERNEL]);
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
    assert_int_equal(c->timing.min_samples, 5); /* the default of 20 gives way */
    assert_int_equal(c->timing.max_samples, 5);
    assert_true(c->timing.budget_s == 0.25);
    config_free(c);
    c = accepted("{\"timing\": {\"min_samples\": 500}}");
    assert_int_equal(c->timing.max_samples, 500);
    config_free(c);
    c = accepted("{\"timing\": {\"max_samples\": 0, \"min_samples\": 20}}");
    assert_int_equal(c->timing.max_samples, 0);
    config_free(c);
    refused("{\"timing\": {\"max_samples\": 5, \"min_samples\": 6}}",
            "x.json: timing.max_samples: 5 is less than min_samples, 6; allowed are 0 (no timing) "
            "and numbers from min_samples");
}

/* The result folder's name comes from the file when the config has none. */
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

static void excludes(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        bool holds;
        const char *source; /* of the expression that it becomes */
    } cases[] = {
        {"\"kernel = smem_unroll and block > 256\"", true, "kernel = smem_unroll and block > 256"},
        {"\"n = 2^14 and unroll != 8\"", false, "n = 2^14 and unroll != 8"},
        {"{\"kernel\": \"smem_*\", \"block\": [512, 1024]}", true,
         "kernel = \"smem_*\" and (block = 512 or block = 1024)"},
        {"{\"kernel\": \"unroll\", \"block\": [512]}", false,
         "kernel = \"unroll\" and (block = 512)"},
        {"{\"type\": [\"int64\", \"int32\"], \"n\": 16384, \"LOADS\": 2}", true,
         "(type = \"int64\" or type = \"int32\") and n = 16384 and LOADS = 2"},
        {"{\"cache\": \"warm\"}", false, "cache = \"warm\""},
        {"{\"op\": \"s*\", \"scope\": \"kernel\", \"unroll\": [2, 8]}", true,
         "op = \"s*\" and scope = \"kernel\" and (unroll = 2 or unroll = 8)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text t = {0};
        struct error e = {0};
        double value;
        text_append(&t, "{\"exclude\": [%s, \"n < 0\"]}", cases[i].entry);
        struct config *c = accepted(t.bytes);
        assert_int_equal(c->exclude_count, 2);
        assert_string_equal(expr_source(c->excludes[0]), cases[i].source);
        if (!expr_number(c->excludes[0], a_point, NULL, &value, &e))
            fail_msg("%s", e.text);
        assert_true(value == cases[i].holds);
        config_free(c);
        text_free(&t);
    }
    struct config *c = accepted("{\"exclude\": \"block = 64\"}"); /* one needs no list */
    assert_int_equal(c->exclude_count, 1);
    config_free(c);
}

static void exclude_errors(void **state)
{
    (void)state;
    refused("{\"exclude\": [\"block > 5\", \"block >\"]}",
            "x.json: exclude[1]: the expression ends here, but a number, a name or '(' is missing\n"
            "    block >\n"
            "           ^");
    refused("{\"exclude\": [5]}", "x.json: exclude[0]: 5 is a number; allowed is an expression …");
    refused("{\"exclude\": [{}]}", "x.json: exclude[0]: the object is empty…");
    refused("{\"exclude\": [{\"kernal\": \"unroll\"}]}",
            "x.json: exclude[0].kernal: unknown key, did you mean \"kernel\"?…");
    refused("{\"exclude\": [{\"a b\": 1}]}", "x.json: exclude[0].a b: unknown key…");
    refused("{\"exclude\": [{\"type\": [\"int32\", \"int23\"]}]}",
            "x.json: exclude[0].type[1]: \"int23\" is not known here, did you mean \"int32\"?…");
    refused("{\"exclude\": [{\"kernel\": 5}]}", "x.json: exclude[0].kernel: 5 is a number…");
    refused("{\"exclude\": [{\"kernel\": \"a\\\"b\"}]}", "x.json: exclude[0].kernel: the text…");
    refused("{\"exclude\": [{\"block\": \"big\"}]}", "x.json: exclude[0].block: \"big\" is text…");
    refused("{\"exclude\": [{\"block\": 2048}]}",
            "x.json: exclude[0].block: 2048 is out of range; allowed are whole numbers from 32 to "
            "1024");
    refused("{\"exclude\": [{\"block\": []}]}", "x.json: exclude[0].block: the list is empty…");
}

static void key_errors(void **state)
{
    (void)state;
    refused("{\"blokcs\": 5}",
            "x.json: blokcs: unknown key, did you mean \"blocks\"?; the keys here are name, "
            "comment, kernels, sizes, blocks, …");
    refused("{\"zzzzzzzzzzzz\": 5}", "x.json: zzzzzzzzzzzz: unknown key; the keys here are name…");
    refused("{\"a\\nb\": 5}", "x.json: a?b: unknown key…");
    refused("{\"Blocks\": 64}", "x.json: Blocks: unknown key, did you mean \"blocks\"?…");
    refused("{\"timing\": {\"min_sample\": 3}}",
            "x.json: timing.min_sample: unknown key, did you mean \"min_samples\"?; the keys here "
            "are min_samples, max_samples, …");
    refused("{\"seed\": 1, \"seed\": 2}",
            "x.json: seed: the key stands twice in one object; keep one of them");
    refused("{\"timing\": {\"warmup\": 1, \"w\\u0061rmup\": 1}}",
            "x.json: timing.warmup: the key…");
    refused("{\"sizes\": [4, {\"log2\": 4, \"log2\": 5}]}", "x.json: sizes[1].log2: the key…");
    refused("{\"tunables\": {\"A\": 1, \"a\": 2}}",
            "x.json: tunables.a: the tunable stands twice…");
    refused("{\"tunables\": {\"9A\": 1}}", "x.json: tunables.9A: no name of a tunable…");
    refused("{\"tunables\": {\"A\": -1}}",
            "x.json: tunables.A: -1 is out of range; allowed are whole numbers from 0 to "
            "2147483647");
    refused("[1]", "x.json: [1] is a list; allowed is an object: { … }");
    refused("5", "x.json: 5 is a number; allowed is an object: { … }");
}

static void number_errors(void **state)
{
    (void)state;
    refused("{\"sizes\": {\"log2\": [14, 70]}}",
            "x.json: sizes.log2[1]: 70 is out of range; allowed are whole numbers from 0 to 40");
    refused("{\"sizes\": [1, {\"log2\": [14, 1.5]}]}",
            "x.json: sizes[1].log2[1]: 1.5 is no whole number; allowed are whole numbers from 0 to "
            "40");
    refused("{\"sizes\": 0}", "x.json: sizes: 0 is out of range; allowed are whole numbers from 1 "
                              "to 1099511627776 (2^40)");
    refused("{\"sizes\": [-5]}", "x.json: sizes[0]: -5 is out of range…");
    refused("{\"sizes\": [1.5]}", "x.json: sizes[0]: 1.5 is no whole number…");
    refused("{\"sizes\": [1e400]}", "x.json: sizes[0]: a number beyond 1.8e308 is out of range…");
    refused("{\"sizes\": [-1e400]}", "x.json: sizes[0]: a number beyond…");
    refused("{\"sizes\": 9223372036854775808}", "x.json: sizes: 9.223372036854776e+18 is out…");
    refused("{\"sizes\": []}", "x.json: sizes: the list is empty…");
    refused("{\"sizes\": \"many\"}", "x.json: sizes: \"many\" is text; allowed is a whole number…");
    refused("{\"sizes\": null}", "x.json: sizes: null is nothing; allowed is…");
    refused("{\"sizes\": [true]}", "x.json: sizes[0]: true is a truth value; allowed is…");
    refused("{\"sizes\": [[1]]}", "x.json: sizes[0]: [1] is a list; allowed is a whole number…");
    refused("{\"sizes\": {\"log2\": [20, 14]}}",
            "x.json: sizes.log2: 20 is greater than 14; the smaller one comes first");
    refused("{\"sizes\": {\"log2\": [1, 2, 3]}}", "x.json: sizes.log2: [1,2,3] is a list; …");
    refused("{\"sizes\": {\"log2\": [1, 2], \"step\": 0}}", "x.json: sizes.step: 0 is out of…");
    refused("{\"sizes\": {\"step\": 2}}", "x.json: sizes: the ends are missing…");
    refused("{\"sizes\": {\"log\": [1, 2]}}", "x.json: sizes.log: unknown key…");
    refused("{\"sizes\": {\"log2\": 4, \"range\": 5}}", "x.json: sizes: a range has either…");
    refused("{\"sizes\": {\"range\": [1, 1000000]}}", "x.json: sizes: there are more than 65536…");
    refused("{\"blocks\": {\"log2\": [4, 10]}}",
            "x.json: blocks.log2[0]: 4 is out of range; allowed are whole numbers from 5 to 10");
    refused("{\"blocks\": \"all\"}", "x.json: blocks: \"all\" is text…");
    refused("{\"unrolls\": [65]}", "x.json: unrolls[0]: 65 is out of range…");
    refused("{\"seed\": 9007199254740992}", "x.json: seed: 9007199254740992 is out of range…");
    refused("{\"timing\": {\"budget_s\": 0}}",
            "x.json: timing.budget_s: 0 is out of range; allowed is a number from 0.001 to 3600");
    refused("{\"timing\": {\"budget_s\": \"1\"}}", "x.json: timing.budget_s: \"1\" is text; …");
    refused("{\"timing\": {\"warmup\": 1.5}}", "x.json: timing.warmup: 1.5 is no whole number…");
    refused("{\"timing\": 5}", "x.json: timing: 5 is a number; allowed is an object…");
}

static void text_errors(void **state)
{
    (void)state;
    refused("{\"types\": \"int23\"}",
            "x.json: types: \"int23\" is not known here, did you mean \"int32\"?; allowed are "
            "int32, uint32, int64, float32, float64");
    refused("{\"types\": [\"int32\", 5]}", "x.json: types[1]: 5 is a number; allowed is int32…");
    refused("{\"ops\": []}", "x.json: ops: the list is empty…");
    refused("{\"cache\": \"lukewarm\"}", "x.json: cache: \"lukewarm\" is not known here; …");
    refused("{\"scope\": \"\"}", "x.json: scope: the text is empty…");
    refused("{\"kernels\": []}", "x.json: kernels: the list is empty…");
    refused("{\"kernels\": {}}", "x.json: kernels: {} is an object…");
    refused("{\"kernels\": [\"a\", \"a\"]}", "x.json: kernels[1]: \"a\" stands twice");
    refused("{\"kernels\": \"../x\"}", "x.json: kernels: \"../x\" is no kernel's name or glob…");
    refused("{\"metrics\": [\"a b\"]}", "x.json: metrics[0]: \"a b\" is no metric's name…");
    refused("{\"kernel_folders\": [\"\"]}", "x.json: kernel_folders[0]: the text is empty…");
    refused("{\"comment\": 5}", "x.json: comment: 5 is a number; allowed is text…");
    refused("{\"comment\": [\"a\", 5]}", "x.json: comment[1]: 5 is a number…");
    refused("{\"name\": \"../escape\"}", "x.json: name: \"../escape\" is no name for a sweep…");
    refused("{\"name\": \"/tmp\"}", "x.json: name: \"/tmp\" is no name…");
    refused("{\"name\": \"..\"}", "x.json: name: \"..\" begins with a dot…");
    refused("{\"name\": \"a\\nb\"}", "x.json: name: \"a\nb\" is no name…");
    refused("{\"name\": \"ü\"}", "x.json: name: \"ü\" is no name…");
    refused("{\"name\": \"\"}", "x.json: name: the text is empty…");
    refused("{\"tunables\": []}", "x.json: tunables: [] is a list…");

    char longer[300]; /* a value is shown cut, a name of more than 100 bytes refused */
    snprintf(longer, sizeof longer, "{\"name\": \"%0120d\"}", 0);
    refused(longer, "x.json: name: the name has 120 bytes; allowed are 100");
    snprintf(longer, sizeof longer, "{\"types\": \"%0120d\"}", 0);
    refused(longer, "x.json: types: \"00000000000000000000000000000000000000000000000000000000000… "
                    "is not known here; allowed are int32, uint32, int64, float32, float64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),         cmocka_unit_test(numbers),
        cmocka_unit_test(words_and_names),  cmocka_unit_test(timing),
        cmocka_unit_test(names_from_paths), cmocka_unit_test(excludes),
        cmocka_unit_test(exclude_errors),   cmocka_unit_test(key_errors),
        cmocka_unit_test(number_errors),    cmocka_unit_test(text_errors),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
