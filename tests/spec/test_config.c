/*
 * The config: what each key gives, and what each wrong value says.
 */
#include "fixture.h"

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

static void text_ranges_are_checked(void **state)
{
    (void)state;
    refused("{\"sizes\": \"8..4\"}", "x.json: sizes: \"8..4\" goes down; expected FROM..TO…");
    refused("{\"sizes\": \"1..\"}", "x.json: sizes: \"\" is not an integer…");
    refused("{\"sizes\": \"0..4\"}", "x.json: sizes: \"0\" is out of range…");
    refused("{\"offsets\": \"0..4\"}", "x.json: offsets: \"0..4\" doubles 0 for ever…");
    refused("{\"sizes\": \"1..9:0\"}", "x.json: sizes: \"0\" is out of range…");
    refused("{\"sizes\": \"1..2^30:1\"}", "x.json: sizes: more than 65536 values");
    refused("{\"blocks\": \"2^5..2^11\"}", "x.json: blocks: \"2^11\" is out of range…");
    refused("{\"seed\": \"1..2\"}", "x.json: seed: \"1..2\" is not an integer…");
    refused("{\"sizes\": \"64Mb\"}", "x.json: sizes: \"64Mb\" is not an integer…");
    refused("{\"sizes\": \"Mi\"}", "x.json: sizes: \"Mi\" is not an integer…");
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
    refused("{\"tunables\": {\"*\": 4}}", "x.json: tunables.*: 4 is a number; expected \"all\"");
    refused("{\"tunables\": \"some\"}", "x.json: tunables: \"some\" is a string…");
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

/* What resume stores and reads again is a config with the overrides in it. */
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
            "x.json: timing.max_samples: 5 is less than min_samples, 6; expected 0 (no timing) "
            "or at least min_samples");
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

/* Whether a config's first exclusion holds for a_point. */
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
    struct config *c = accepted("{\"exclude\": \"block = 64\"}"); /* one needs no array */
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
    assert_string_equal(c->skips[0].reason, "the config skips it");
    config_free(c);
    config_free(accepted("{\"skip\": {}}"));
    refused("{\"skip\": [\"n > 4\"]}",
            "x.json: skip: [\"n > 4\"] is an array; expected an object, such as…");
    refused("{\"skip\": {\"n > \": \"x\"}}", "x.json: skip…");
    refused("{\"skip\": {\"n > 4\": 3}}",
            "x.json: skip.n > 4: 3 is a number; expected a string with the reason");
    refused("{\"skip\": {\"n > 4\": \"\"}}",
            "x.json: skip.n > 4: \"\" is empty; expected the reason");
}

/* An object is refused with the expression that means the same, ready to be pasted. */
static void exclude_objects(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        bool holds;
        const char *source; /* of the expression that it becomes */
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
        char text[400], message[400];
        snprintf(text, sizeof text, "{\"exclude\": [%s, \"n < 0\"]}", cases[i].entry);
        snprintf(message, sizeof message,
                 "x.json: exclude[0]: an object is no longer accepted; write \"%s\"",
                 cases[i].source);
        refused(text, message);
        snprintf(text, sizeof text, "{\"exclude\": [\"%s\", \"n < 0\"]}", cases[i].source);
        assert_true(first_exclude_holds(text, cases[i].source) == cases[i].holds);
    }
    /* what never was an exclusion */
    static const char *const never[] = {"{}",
                                        "{\"a b\": 1}",
                                        "{\"block\": []}",
                                        "{\"block\": null}",
                                        "{\"n\": {\"log2\": 4}}",
                                        "{\"kernel\": \"a\\\"b\"}",
                                        "{\"kernel\": \"it's\"}"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        char text[100], message[200];
        snprintf(text, sizeof text, "{\"exclude\": [%s]}", never[i]);
        snprintf(message, sizeof message, "x.json: exclude[0]: {%.3s…", i ? never[i] + 1 : "} i");
        refused(text, message);
    }
    refused("{\"exclude\": {}}",
            "x.json: exclude: {} is an object; expected a string with an expression");
}

static void exclude_errors(void **state)
{
    (void)state;
    refused(
        "{\"exclude\": [\"block > 5\", \"block >\"]}",
        "x.json: exclude[1]: unexpected end of the expression; expected a number, a name or '('\n"
        "    block >\n"
        "           ^");
    refused("{\"exclude\": [5]}",
            "x.json: exclude[0]: 5 is a number; expected a string with an expression");
}

/* A word is a strategy; what overrides a parameter keeps the strategy. */
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
    refused("{\"search\": 3}", "x.json: search: 3 is a number; expected a strategy, or an object…");
    refused("{\"search\": {\"keep\": 3}}",
            "x.json: search: unknown key \"keep\"; did you mean 'keep_one_in'? Expected one of …");
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
    assert_int_equal(c->shape_count, 3); /* one is there twice */
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
    refused("{\"shapes\": [32, 8192]}", "x.json: shapes: a list of numbers is no list of shapes…");
    refused("{\"shapes\": \"4096\"}", "x.json: shapes: \"4096\" is no shape; expected rows x…");
    refused("{\"shapes\": [[2, 3], [1, 2, 3, 4]]}", "x.json: shapes[1]: [1,2,3,4] is no shape…");
    refused("{\"shapes\": [\"0x7\"]}", "x.json: shapes[0]: …");
    refused("{\"shapes\": [true]}", "x.json: shapes[0]: true is no shape…");
    refused("{\"shapes\": \"7xx7\"}", "x.json: shapes: …");
    refused("{\"shapes\": \"2^30x2^30\"}", "x.json: shapes: the shape has 1152921504606846976…");
    refused("{\"shapes\": \"3x7\", \"row_lengths\": 7}",
            "x.json: row_lengths: the config names shapes and no sizes…");
}

/* On the command line shapes and sizes take each other's place. */
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

static void key_errors(void **state)
{
    (void)state;
    refused("{\"blokcs\": 5}",
            "x.json: unknown key \"blokcs\"; did you mean 'blocks'? Expected one of name, comment, "
            "kernels, types, ops, "
            "sizes, blocks, unrolls, cache, scope, row_lengths, offsets, inners, inputs, shapes, "
            "tunables, "
            "metrics, count_wrong, timing, search, "
            "points, exclude, skip, kernel_folders, seed");
    refused("{\"array_sizes\": 5}",
            "x.json: unknown key \"array_sizes\"; did you mean 'sizes'? Expected…");
    refused("{\"block_sizes\": 5}",
            "x.json: unknown key \"block_sizes\"; did you mean 'blocks'? Expected…");
    refused("{\"unroll_factors\": 5}",
            "x.json: unknown key \"unroll_factors\"; did you mean 'unrolls'? Expected…");
    refused("{\"sizes\": \"1M\"}",
            "x.json: sizes: \"1M\" is not an integer; expected an integer in [1, "
            "2^40]; did you mean 1e6, or 1Mi, which is 1 * 2^20?");
    refused("{\"sizes\": \"2**20\"}",
            "x.json: sizes: \"2**20\" is not an integer; expected an integer "
            "in [1, 2^40]; did you mean 2^20?");
    refused("{\"sizes\": \"2^14-2^20\"}",
            "x.json: sizes: \"2^14-2^20\" is not an integer; expected an "
            "integer in [1, 2^40]; did you mean 2^14..2^20?");
    refused("{\"sizes\": \"M\"}",
            "x.json: sizes: \"M\" is not an integer; expected an integer in [1, 2^40]");
    refused("{\"sizes\": \"x-2\"}",
            "x.json: sizes: \"x-2\" is not an integer; expected an integer in [1, 2^40]");
    refused("{\"zzzzzzzzzzzz\": 5}", "x.json: unknown key \"zzzzzzzzzzzz\"; expected one of name…");
    refused("{\"a\\nb\": 5}", "x.json: unknown key \"a?b\"…");
    refused("{\"Blocks\": 64}",
            "x.json: unknown key \"Blocks\"; did you mean 'blocks'? Expected one of …");
    refused("{\"timing\": {\"min_sample\": 3}}",
            "x.json: timing: unknown key \"min_sample\"; did you mean 'min_samples'? Expected one "
            "of min_samples, max_samples, "
            "relative_width, budget_s, point_limit_s, compile_limit_s, compile_memory_mib, "
            "instruction_limit, cpu_limit_s, memory_limit_mib, warmup, contexts, placements, "
            "energy_s");
    refused("{\"seed\": 1, \"seed\": 2}", "x.json: seed: duplicate key");
    refused("{\"timing\": {\"warmup\": 1, \"w\\u0061rmup\": 1}}",
            "x.json: timing.warmup: duplicate key");
    refused("{\"sizes\": [4, {\"log2\": 4, \"log2\": 5}]}", "x.json: sizes[1].log2: duplicate key");
    refused("{\"tunables\": {\"A\": 1, \"a\": 2}}", "x.json: tunables.a: duplicate tunable…");
    refused("{\"tunables\": {\"9A\": 1}}", "x.json: tunables.9A: invalid name of a tunable…");
    refused("{\"tunables\": {\"A\": -1}}",
            "x.json: tunables.A: -1 is out of range; expected an integer in [0, 2147483647]");
    refused("[1]", "x.json: [1] is an array; expected an object: { … }");
    refused("5", "x.json: 5 is a number; expected an object: { … }");
}

static void number_errors(void **state)
{
    (void)state;
    refused("{\"sizes\": {\"log2\": [14, 70]}}",
            "x.json: sizes.log2[1]: 70 is out of range; expected an integer in [0, 40]");
    refused("{\"sizes\": [1, {\"log2\": [14, 1.5]}]}",
            "x.json: sizes[1].log2[1]: 1.5 is not an integer; expected an integer in [0, 40]");
    refused("{\"sizes\": 0}", "x.json: sizes: 0 is out of range; expected an integer in [1, 2^40]");
    refused("{\"sizes\": [-5]}", "x.json: sizes[0]: -5 is out of range…");
    refused("{\"sizes\": [1.5]}", "x.json: sizes[0]: 1.5 is not an integer…");
    refused("{\"sizes\": [1e400]}", "x.json: sizes[0]: a number beyond 1.8e308 is out of range…");
    refused("{\"sizes\": [-1e400]}", "x.json: sizes[0]: a number beyond…");
    refused("{\"sizes\": 9223372036854775808}", "x.json: sizes: 9.223372036854776e+18 is out…");
    refused("{\"sizes\": []}", "x.json: sizes: the list is empty…");
    refused("{\"sizes\": \"many\"}",
            "x.json: sizes: \"many\" is not an integer; expected an integer…");
    refused("{\"sizes\": null}",
            "x.json: sizes: null is not a value; expected an integer, an array of…");
    refused("{\"sizes\": [true]}", "x.json: sizes[0]: true is a boolean; expected…");
    refused("{\"sizes\": [[1]]}", "x.json: sizes[0]: [1] is an array; expected an integer…");
    refused("{\"sizes\": {\"log2\": [20, 14]}}",
            "x.json: sizes.log2: 20 is greater than 14; expected [from, to]");
    refused("{\"sizes\": {\"log2\": [1, 2, 3]}}", "x.json: sizes.log2: [1,2,3] is an array; …");
    refused("{\"sizes\": {\"log2\": [1, 2], \"step\": 0}}", "x.json: sizes.step: 0 is out of…");
    refused("{\"sizes\": {\"step\": 2}}", "x.json: sizes: not a range; expected…");
    refused("{\"sizes\": {\"log\": [1, 2]}}", "x.json: sizes: not a range; expected…");
    refused("{\"sizes\": {\"log2\": 4, \"range\": 5}}", "x.json: sizes: not a range; expected…");
    refused("{\"sizes\": {\"range\": [1, 1000000]}}", "x.json: sizes: more than 65536…");
    refused("{\"blocks\": {\"log2\": [4, 10]}}",
            "x.json: blocks.log2[0]: 4 is out of range; expected an integer in [5, 10]");
    refused("{\"blocks\": \"all\"}", "x.json: blocks: \"all\" is not an integer…");
    refused("{\"unrolls\": [65]}", "x.json: unrolls[0]: 65 is out of range…");
    refused("{\"seed\": 9007199254740992}", "x.json: seed: 9007199254740992 is out of range…");
    refused("{\"timing\": {\"budget_s\": 0}}",
            "x.json: timing.budget_s: 0 is out of range; expected a number in [0.001, 3600]");
    refused("{\"timing\": {\"budget_s\": \"1 s\"}}",
            "x.json: timing.budget_s: \"1 s\" is not a number; expected a number in [0.001, 3600]");
    static const char *const not_numbers[] = {"",   " 1", "1 ",    "0x10", "inf", "nan",
                                              "2^", "^2", "2^3^4", "1e",   "--1", "1,5"};
    for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++) {
        char text[100], message[200];
        snprintf(text, sizeof text, "{\"seed\": \"%s\"}", not_numbers[i]);
        snprintf(message, sizeof message,
                 "x.json: seed: \"%s\" is not an integer; expected an integer in [0, "
                 "9007199254740991]",
                 not_numbers[i]);
        refused(text, message);
    }
    refused("{\"seed\": \"2^0.5\"}", "x.json: seed: \"2^0.5\" is not an integer…");
    refused("{\"seed\": \"2^53\"}", "x.json: seed: \"2^53\" is out of range…");
    refused("{\"types\": [\"int32\", \"int32\"]}", "x.json: types[1]: duplicate entry \"int32\"");
    refused("{\"timing\": {\"energy_s\": 0.5}}",
            "x.json: timing.energy_s: 0.5 is too short for a counter of energy…");
    refused("{\"timing\": {\"energy_s\": 61}}", "x.json: timing.energy_s: 61 is out of range…");
    refused("{\"timing\": {\"warmup\": 1.5}}", "x.json: timing.warmup: 1.5 is not an integer…");
    refused("{\"timing\": 5}", "x.json: timing: 5 is a number; expected an object…");
}

static void text_errors(void **state)
{
    (void)state;
    refused("{\"types\": \"int23\"}",
            "x.json: types: unknown value \"int23\"; expected int32, uint32, int64, float32, "
            "float64, float16, bfloat16, int8, uint8, uint64; did you mean 'int32'?");
    refused("{\"types\": [\"int32\", 5]}", "x.json: types[1]: 5 is a number; expected int32…");
    refused("{\"ops\": []}", "x.json: ops: the list is empty…");
    refused("{\"cache\": \"lukewarm\"}",
            "x.json: cache: unknown value \"lukewarm\"; expected cold, warm");
    refused("{\"scope\": \"\"}", "x.json: scope: unknown value \"\"…");
    refused("{\"kernels\": []}", "x.json: kernels: the list is empty…");
    refused("{\"kernels\": {}}", "x.json: kernels: {} is an object…");
    refused("{\"kernels\": [\"a\", \"a\"]}", "x.json: kernels[1]: duplicate entry \"a\"");
    refused("{\"kernels\": \"../x\"}", "x.json: kernels: \"../x\" is not a kernel's name or glob…");
    refused("{\"metrics\": [\"a b\"]}", "x.json: metrics[0]: \"a b\" is not a metric's name…");
    refused("{\"kernel_folders\": [\"\"]}",
            "x.json: kernel_folders[0]: \"\" is empty; expected a folder's path");
    refused("{\"comment\": 5}", "x.json: comment: 5 is a number; expected a string…");
    refused("{\"comment\": [\"a\", 5]}", "x.json: comment[1]: 5 is a number…");
    refused("{\"name\": \"../escape\"}",
            "x.json: name: \"../escape\" is not a part of a folder's name…");
    refused("{\"name\": \"/tmp\"}", "x.json: name: \"/tmp\" is not a part…");
    refused("{\"name\": \"..\"}", "x.json: name: \"..\" begins with a dot…");
    refused("{\"name\": \"a\\nb\"}", "x.json: name: \"a\\nb\" is not a part…");
    refused("{\"name\": \"ü\"}", "x.json: name: \"ü\" is not a part…");
    refused("{\"name\": \"\"}", "x.json: name: \"\" is empty; expected a part of a folder's name");
    refused("{\"tunables\": []}", "x.json: tunables: [] is an array…");

    char longer[300]; /* a value is shown cut, a name of more than 100 bytes refused */
    snprintf(longer, sizeof longer, "{\"name\": \"%0120d\"}", 0);
    refused(longer, "x.json: name: too long, 120 bytes; expected a part of a folder's name of "
                    "at most 100 bytes");
    snprintf(longer, sizeof longer, "{\"types\": \"%0120d\"}", 0);
    refused(longer, "x.json: types: unknown value "
                    "\"00000000000000000000000000000000000000000000000000000000000…; expected "
                    "int32, uint32, int64, float32, float64, float16, bfloat16, int8, uint8, "
                    "uint64");
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
        cmocka_unit_test(exclude_errors),
        cmocka_unit_test(shapes_are_texts_or_lists_of_two_or_three_numbers),
        cmocka_unit_test(shapes_and_sizes_replace_each_other),
        cmocka_unit_test(key_errors),
        cmocka_unit_test(a_search_is_a_word_or_an_object),
        cmocka_unit_test(number_errors),
        cmocka_unit_test(text_errors),
        cmocka_unit_test(text_ranges_are_checked),
        cmocka_unit_test(tunables_of_a_config),
        cmocka_unit_test(overrides_replace_merge_or_add),
        cmocka_unit_test(a_config_without_a_file),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
