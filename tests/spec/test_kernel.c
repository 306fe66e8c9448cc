/*
 * Kernel facts: every key, every refusal, and that the manual knows every key.
 */
#include "../fixture_kernels.h"
#include "spec/kernel_names.h"

#include <ctype.h>

#include "base/text.h"
#include "spec/facts.h"

#define ENTRY                                                                                      \
    "extern \"C\" __global__ void demo(element *input, element *output, index_t n)\n{\n}\n"
#define NEEDED                                                                                     \
    "// kernel: demo\n// idea: none\n// source: a test\n// result: partial\n"                      \
    "// input: untouched\n// covers: BLOCK\n// blocks: power of two\n// uniform: yes\n"

/* demo.cu with a text, which must be right. */
static struct kernel *parse(const char *code)
{
    struct kernel *k;
    struct error e = {0};
    if (!kernel_parse("some/demo.cu", code, strlen(code), &k, &e))
        fail_msg("%s", e.text);
    return k;
}

/* The text of `length` bytes must be refused with a message that begins and contains so. */
static void refused_bytes(const char *code, size_t length, const char *begins, const char *holds)
{
    struct kernel *k;
    struct error e = {0};
    assert_false(kernel_parse("some/demo.cu", code, length, &k, &e));
    assert_null(k);
    assert_int_equal(e.kind, ERROR_CONFIG);
    if (strncmp(e.text, begins, strlen(begins)) != 0 || !strstr(e.text, holds))
        fail_msg("expected \"%s…%s\", got: %s", begins, holds, e.text);
}

static void refused(const char *code, const char *begins, const char *holds)
{
    refused_bytes(code, strlen(code), begins, holds);
}

/* A right kernel with one further line, which stands in line 9, must be refused. */
static void refused_line(const char *line, const char *begins, const char *holds)
{
    char code[8192];
    snprintf(code, sizeof code, NEEDED "%s\n" ENTRY, line);
    refused(code, begins, holds);
}

/* A right kernel in which the value of one needed fact is replaced. */
static void refused_value(const char *key, const char *value, const char *holds)
{
    char code[4096], start[64], begins[512];
    int line = 0;
    struct text built = {0};
    const char *p = NEEDED ENTRY;
    snprintf(start, sizeof start, "// %s: ", key);
    for (int number = 1; *p; number++) {
        size_t length = strcspn(p, "\n") + 1;
        if (strncmp(p, start, strlen(start)) == 0) {
            text_append(&built, "%s%s\n", start, value);
            line = number;
        } else {
            text_append_bytes(&built, p, length);
        }
        p += length;
    }
    assert_true(line > 0);
    snprintf(code, sizeof code, "%s", built.bytes);
    text_free(&built);
    snprintf(begins, sizeof begins, "some/demo.cu:%d: %s: %s: ", line, key, value);
    refused(code, begins, holds);
}

static void needed_facts_and_defaults(void **state)
{
    (void)state;
    struct kernel *k = parse(NEEDED ENTRY);
    assert_string_equal(k->name, "demo");
    assert_string_equal(k->path, "some/demo.cu");
    assert_string_equal(k->idea, "none");
    assert_string_equal(k->source, "a test");
    assert_string_equal(k->workload->name, "reduce");
    assert_false(k->complete || k->in_place || k->varies || k->device_runtime ||
                 k->block_constant || k->counts_vary);
    assert_true(k->uniform);
    assert_null(k->racy);
    assert_string_equal(k->role, "reduction");
    assert_string_equal(expr_source(k->covers), "BLOCK");
    assert_true(!k->grid[0] && !k->threads[0] && k->backend == BACKEND_GPU && !k->shared &&
                !k->workspace && !k->depth && !k->cluster);
    assert_int_equal(k->requires_count + k->tunable_count + k->unrolls.count, 0);
    assert_int_equal(k->block_rule, BLOCKS_POWER_OF_TWO);
    for (int i = 0; i < TYPE_COUNT; i++)
        for (int j = 0; j < OP_COUNT; j++) /* what needs no accumulator of its own */
            assert_true(kernel_supports(k, (enum element_type)i, (enum operation)j) ==
                        operation_is_plain((enum operation)j, (enum element_type)i));
    assert_int_equal(k->min_cc, 60);
    assert_int_equal(k->launch, LAUNCH_PLAIN);
    assert_int_equal(k->code_length, strlen(NEEDED ENTRY));
    assert_string_equal(k->code, NEEDED ENTRY);
    kernel_free(k);
}

static void all_is_every_type_and_operation_that_go_together(void **state)
{
    (void)state;
    struct kernel *k =
        parse("// types: all\n// ops: all\n// parameters: second input output n\n" NEEDED ENTRY);
    for (int i = 0; i < TYPE_COUNT; i++)
        for (int j = 0; j < OP_COUNT; j++)
            assert_true(kernel_supports(k, (enum element_type)i, (enum operation)j) ==
                        operation_allows((enum operation)j, (enum element_type)i));
    assert_false(kernel_supports(k, TYPE_INT8, OP_MEAN_VAR));
    assert_true(kernel_supports(k, TYPE_FLOAT16, OP_MEAN_VAR));
    assert_int_equal(k->parameters[0].kind, PARAMETER_SECOND);
    kernel_free(k);
}

static void every_fact_is_read(void **state)
{
    (void)state;
    struct kernel *k = parse(
        "// kernel:    demo\n// idea:      one sentence,\n//            on two lines\n//\n"
        "// source:    http://example.org: chapter 3\n// workload:  reduce\n"
        "// result:    complete\n// input:     in place\n// covers:    BLOCK * UNROLL * LOADS\n"
        "// grid:      min(ceil_div(N, COVERS), SMS)\n// shared:    BLOCK * SIZEOF\n"
        "// workspace: 8 * GRID\n// depth:     log2(BLOCK) + GRID\n// blocks:    64 96\t128\n"
        "// constant:  BLOCK\n// unroll:    2 4\n// tunable:   LOADS 1 2 4 8\n"
        "// tunable:   BIAS_2 0 7\n// requires:  BLOCK * LOADS <= 4096\n"
        "// requires:  BIAS_2 < 1\n// types:     int64 float32\n// ops:       max\n"
        "// min_arch:  sm_90\n// launch:    cluster(LOADS * 2)\n// link:      device runtime\n"
        "// uniform:   no\n// varies:    yes\n// counts:    vary\n// racy:      for "
        "study\n\n" ENTRY);
    assert_string_equal(k->idea, "one sentence, on two lines");
    assert_string_equal(k->source, "http://example.org: chapter 3");
    assert_true(k->complete && k->in_place && k->varies && k->device_runtime && k->block_constant);
    assert_true(k->counts_vary);
    assert_false(k->uniform);
    assert_string_equal(k->racy, "for study");
    assert_string_equal(expr_source(k->grid[0]), "min(ceil_div(N, COVERS), SMS)");
    assert_string_equal(expr_source(k->cluster), "LOADS * 2");
    assert_int_equal(k->block_rule, BLOCKS_LISTED);
    assert_int_equal(k->blocks.count, 3);
    assert_int_equal(k->blocks.values[2], 128);
    assert_int_equal(k->unrolls.count, 2);
    assert_int_equal(k->tunable_count, 2);
    assert_string_equal(k->tunables[0].name, "LOADS");
    assert_int_equal(k->tunables[0].allowed.count, 4);
    assert_int_equal(k->tunables[1].allowed.values[1], 7);
    assert_int_equal(k->requires_count, 2);
    assert_true(k->types[TYPE_INT64] && k->types[TYPE_FLOAT32] && !k->types[TYPE_INT32]);
    assert_true(k->ops[OP_MAX] && !k->ops[OP_SUM]);
    assert_int_equal(k->min_cc, 90);
    assert_int_equal(k->launch, LAUNCH_CLUSTER);
    kernel_free(k);
}

/* A kernel that keeps its author's name, parameters and expectations. */
static void a_kernel_may_stay_as_written(void **state)
{
    (void)state;
    struct kernel *k =
        parse(NEEDED "// output: zeroed\n// entry: mine::reduce<element, BLOCK>\n"
                     "// parameters: int(N)  output\tinput n workspace\n"
                     "//   workspace_bytes float(1 / 2) size_t(min(N, GRID)) long(0)\n"
                     "//   unsigned(BLOCK) double(2) element(1)\n"
                     "template <class T, int B> __global__ void reduce(int n) {}\n");
    static const enum parameter_kind kinds[] = {
        PARAMETER_INT,       PARAMETER_OUTPUT,          PARAMETER_INPUT,  PARAMETER_N,
        PARAMETER_WORKSPACE, PARAMETER_WORKSPACE_BYTES, PARAMETER_FLOAT,  PARAMETER_SIZE_T,
        PARAMETER_LONG,      PARAMETER_UNSIGNED,        PARAMETER_DOUBLE, PARAMETER_ELEMENT};
    assert_true(k->output_zeroed);
    assert_string_equal(k->entry, "mine::reduce<element, BLOCK>");
    assert_int_equal(k->parameter_count, KERNEL_MAX_PARAMETERS);
    for (int i = 0; i < KERNEL_MAX_PARAMETERS; i++) {
        assert_int_equal(k->parameters[i].kind, kinds[i]);
        assert_true((k->parameters[i].value != NULL) == (kinds[i] >= PARAMETER_INT));
    }
    assert_string_equal(expr_source(k->parameters[7].value), "min(N, GRID)");
    kernel_free(k);
    k = parse(NEEDED ENTRY);
    assert_true(!k->output_zeroed && !k->entry && k->parameter_count == 0);
    kernel_free(k);
    static const char *const wrong[][2] = {
        {"// output: poisoned", "expected written, zeroed"},
        {"// parameters: in out", "\"in\" is not a parameter; expected input, output, n"},
        {"// parameters: input int output", "\"int\" is not a parameter"},
        {"// parameters: input(N)", "\"input(N)\" is not a parameter"},
        {"// parameters: int(N", "\"int(N\" is not a parameter"},
        {"// parameters: int()", "parameters"},
        {"// parameters: int(M)", "unknown name M"},
        {"// parameters: input half(1)", "\"half(1)\" is not a parameter"},
        {"// parameters: n n n n n n n n n n n n n", "more than 12 parameters"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused_line(wrong[i][0], "some/demo.cu:", wrong[i][1]);
    refused_line("// parameters: input element(GRID)\n// types: int8 bfloat16", "some/demo.cu:9",
                 "element(GRID) cannot be a float16 or bfloat16; take float(GRID)");
    kernel_free(parse(NEEDED "// parameters: input float(2)\n// types: float16\n" ENTRY));
}

static void a_role_follows_from_the_workload_or_is_stated(void **state)
{
    (void)state;
    static const char *const roles[][2] = {
        {"", "reduction"},
        {"// workload: axis\n", "reduction"},
        {"// workload: matrix_sum\n", "teaching"},
        {"// workload: matrix_sum\n// role: peer\n", "peer"},
        {"// workload: read\n// role: limit of reduce\n", "limit of reduce"},
        {"// role: harness\n", "harness"},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        char code[1024];
        snprintf(code, sizeof code, "%s%s%s", NEEDED, roles[i][0], ENTRY);
        struct kernel *k = parse(code);
        assert_string_equal(k->role, roles[i][1]);
        kernel_free(k);
    }
    refused_line(
        "// role: pear", "some/demo.cu:9: role: pear: ",
        "expected reduction, peer, limit of WORKLOAD, harness, teaching; did you mean 'peer'?");
    refused_line("// role: limit", "some/demo.cu:9: role: limit: ", "expected reduction, peer");
    refused_line("// role: limit of ", "some/demo.cu:9: role: limit of", "expected reduction");
    refused_line("// role: limit of rowz",
                 "some/demo.cu:9: role: limit of rowz: ", "no workload is called \"rowz\"");
}

static void other_launches_and_forms(void **state)
{
    (void)state;
    struct kernel *k = parse(NEEDED "// launch: cooperative\n" ENTRY);
    assert_int_equal(k->launch, LAUNCH_COOPERATIVE);
    kernel_free(k);
    k = parse(NEEDED "// launch: dependent\n" ENTRY);
    assert_int_equal(k->launch, LAUNCH_DEPENDENT);
    kernel_free(k);
    k = parse(NEEDED
              "\r\n// launch: plain\r\n/* remarks: go here */\n// remark: and here\n"
              "extern \"C\" __global__ void\n__launch_bounds__(512)\ndemo (element *x)\n{\n}");
    assert_int_equal(k->launch, LAUNCH_PLAIN);
    kernel_free(k);
}

static void malformed_lines_are_refused(void **state)
{
    (void)state;
    refused("", "some/demo.cu:1: the fact \"kernel\" is missing", "// kernel: …");
    refused("//  more\n" NEEDED ENTRY, "some/demo.cu:1: this line continues", "no fact");
    refused_line("//unroll: 2", "some/demo.cu:9: \"//unroll: 2\" is not a fact", "one space");
    refused_line("// a remark", "some/demo.cu:9: \"// a remark\" is not a fact", "key: value");
    refused_line("// : 2", "some/demo.cu:9: \"// : 2\" is not a fact", "key: value");
    refused_line("// racy:", "some/demo.cu:9: racy: the value is missing", "");
    refused_line("// unrol: 2 4", "some/demo.cu:9: unknown fact \"unrol\"; did you mean 'unroll'?",
                 "Expected one of");
    refused_line("// Unroll: 2 4",
                 "some/demo.cu:9: unknown fact \"Unroll\"; did you mean 'unroll'?",
                 "Expected one of");
    refused_line("// frobnicate: 2", "some/demo.cu:9: unknown fact \"frobnicate\"; expected one of",
                 "kernel, idea, source");
}

static void text_must_be_text(void **state)
{
    (void)state;
    refused_line("// racy: caf\xe9", "some/demo.cu:9: the byte 0xe9 is not UTF-8", "UTF-8 text");
    refused_line("// racy: \xc0\xaf", "some/demo.cu:9: the byte 0xc0", "");         /* overlong */
    refused_line("// racy: \xe0\x80\xaf", "some/demo.cu:9: the byte 0xe0", "");     /* overlong */
    refused_line("// racy: \xed\xa0\x80", "some/demo.cu:9: the byte 0xed", "");     /* surrogate */
    refused_line("// racy: \xf4\x90\x80\x80", "some/demo.cu:9: the byte 0xf4", ""); /* > 10ffff */
    refused_line("// racy: \x1b[2J", "some/demo.cu:9: the control character 0x1b", "remove");
    const char with_nul[] = NEEDED "// racy: a\0b\n" ENTRY;
    refused_bytes(with_nul, sizeof with_nul - 1, "some/demo.cu:9: the control character 0x00", "");
    const char cut[] = NEEDED ENTRY "/* \xe2\x82";
    refused_bytes(cut, sizeof cut - 1, "some/demo.cu:12: the byte 0xe2", "");
    struct kernel *k = parse(NEEDED "// racy: für € 𝄞\n" ENTRY);
    assert_string_equal(k->racy, "für € 𝄞");
    kernel_free(k);
    char *large = malloc(KERNEL_MAX_BYTES + 1);
    assert_non_null(large);
    memset(large, ' ', KERNEL_MAX_BYTES + 1);
    refused_bytes(large, KERNEL_MAX_BYTES + 1, "some/demo.cu: the file has 1048577 bytes", "1 MiB");
    memcpy(large, NEEDED ENTRY, strlen(NEEDED ENTRY));
    struct error e = {0};
    assert_true(kernel_parse("some/demo.cu", large, KERNEL_MAX_BYTES, &k, &e));
    kernel_free(k);
    free(large);
}

static void missing_and_double_facts_are_refused(void **state)
{
    (void)state;
    static const char *const needed[] = {"kernel", "idea",   "source", "result",
                                         "input",  "covers", "blocks", "uniform"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char code[1024] = "", start[64], expected[128];
        snprintf(start, sizeof start, "// %s: ", needed[i]);
        const char *text = NEEDED ENTRY, *line = strstr(text, start);
        assert_non_null(line);
        memcpy(code, text, (size_t)(line - text));
        strcat(code, strchr(line, '\n') + 1);
        snprintf(expected, sizeof expected, "some/demo.cu:1: the fact \"%s\" is missing",
                 needed[i]);
        refused(code, expected, "docs/kernels.md");
        char twice[128];
        snprintf(twice, sizeof twice, "// %s: x", needed[i]);
        snprintf(expected, sizeof expected,
                 "some/demo.cu:9: duplicate fact \"%s\", also in line %zu", needed[i], i + 1);
        refused_line(twice, expected, "");
    }
    refused_line("// grid: 1\n// grid: 1",
                 "some/demo.cu:10: duplicate fact \"grid\", also in line 9", "");
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    refused_value("kernel", "Demo", "lower-case");
    refused_value("kernel", "2demo", "lower-case");
    refused_value("kernel", "de-mo", "lower-case");
    refused_value("kernel", "demo2", "must be that of the file, \"demo\"");
    refused_value("kernel", "dem", "must be that of the file, \"demo\"");
    refused_value("result", "complet", "expected partial, complete; did you mean 'complete'?");
    refused_value("input", "in-place", "expected untouched, in place; did you mean 'in place'?");
    refused_value("uniform", "maybe", "unknown value \"maybe\"; expected no, yes");
    refused_value("blocks", "odd", "expected power of two, multiple of 32, 1024 512 …");
    refused_value("blocks", "64 2048",
                  "\"2048\" is out of range; expected an integer in [1, 1024]");
    refused_value("blocks", "64 64", "duplicate entry 64");
    refused_value("blocks", "64,128", "\"64,128\" is not an integer");
    refused_line("// workload: sorting", "some/demo.cu:9: workload: sorting: ", "reduce");
    refused_line("// constant: UNROLL", "some/demo.cu:9: constant: UNROLL: ", "expected BLOCK");
    refused_line("// unroll: 0", "some/demo.cu:9: unroll: 0: \"0\" is out of range", "[1, 64]");
    refused_line("// unroll: 65", "some/demo.cu:9: unroll: 65: \"65\" is out of range", "[1, 64]");
    refused_line("// unroll: 1e3", "some/demo.cu:9: unroll: 1e3: \"1e3\" is out of range", "");
    refused_line("// unroll: 2.5", "some/demo.cu:9: unroll: 2.5: \"2.5\" is not an integer", "");
    refused_line("// unroll: 99999999999999999999", "some/demo.cu:9: unroll", "out of range");
    refused_line("// unroll: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "some/demo.cu:9: unroll",
                 "more than 16");
    refused_line("// types: int32 int16", "some/demo.cu:9: types", "unknown value \"int16\"");
    refused_line("// types: int32 int32", "some/demo.cu:9: types", "duplicate entry \"int32\"");
    refused_line("// ops: sum avg", "some/demo.cu:9: ops", "expected sum, max, min, prod");
    refused_line("// least: sm_90", "some/demo.cu:9: the fact \"least\"", "called \"min_arch\"");
    refused_line("// min_arch: sm_52", "some/demo.cu:9: min_arch: sm_52: ", "sm_60 to sm_121");
    refused_line("// min_arch: sm_122", "some/demo.cu:9: min_arch: sm_122: ", "sm_60 to sm_121");
    refused_line("// min_arch: 90", "some/demo.cu:9: min_arch: 90: ", "sm_90");
    refused_line("// min_arch: sm_90a", "some/demo.cu:9: min_arch: sm_90a: ", "sm_60 to sm_121");
    refused_line("// launch: fast", "some/demo.cu:9: launch: fast: ", "cooperative");
    refused_line("// launch: cluster()", "some/demo.cu:9: launch: cluster(): ", "cluster(");
    refused_line("// library: cub", "some/demo.cu:9: library: cub: ", "lib….so");
    refused_line("// library: /opt/libcub.so", "some/demo.cu:9: library: ", "without a folder");
    refused_line("// link: cublas", "some/demo.cu:9: link: cublas: ", "device runtime");
    refused_line("// repeats: yes", "some/demo.cu:9: ", "repeats"); /* a fact that there was */
    refused_line("// counts: no", "some/demo.cu:9: counts: no: ", "expected fixed, vary");
    refused_line("// varies: 1", "some/demo.cu:9: varies: 1: ", "expected no, yes");
}

static uint64_t hash_with(const char *facts, const char *entry)
{
    char code[4096];
    struct kernel *k;
    struct error e = {0};
    snprintf(code, sizeof code, "%s%s%s", NEEDED, facts, entry);
    if (!kernel_parse("some/demo.cu", code, strlen(code), &k, &e))
        fail_msg("%s", e.text);
    uint64_t hash = k->code_hash;
    kernel_free(k);
    return hash;
}

/* What a fact decides is in the hash, how it is written is not; nor is what it tells readers. */
static void facts_that_decide_count_in_the_hash(void **state)
{
    (void)state;
    static const char *const describe[] = {"// varies: yes\n",
                                           "// counts: vary\n",
                                           "// racy: two threads\n",
                                           "// role: peer\n",
                                           "// launch: plain\n", /* the default, said aloud */
                                           "//\n\n",
                                           "// tunable: LOADS 1 2\n// default: LOADS 2\n"};
    static const char *const decide[] = {"// shared: BLOCK\n",
                                         "// shared: BLOCK + 1\n",
                                         "// workspace: 64\n",
                                         "// depth: 7\n",
                                         "// constant: BLOCK\n",
                                         "// unroll: 2 4\n",
                                         "// tunable: WAYS 1 2\n",
                                         "// tunable: WAYS 2 1\n",
                                         "// requires: BLOCK > 64\n",
                                         "// types: int32\n",
                                         "// ops: sum\n",
                                         "// min_arch: sm_90\n",
                                         "// launch: cooperative\n",
                                         "// launch: dependent\n",
                                         "// link: device runtime\n",
                                         "// output: zeroed\n",
                                         "// standalone: yes\n",
                                         "// grid: 1\n"};
    uint64_t plain = hash_with("", ENTRY), tunable = hash_with("// tunable: LOADS 1 2\n", ENTRY);
    for (size_t i = 0; i < sizeof describe / sizeof *describe; i++)
        if (hash_with(describe[i], ENTRY) != (strstr(describe[i], "LOADS") ? tunable : plain))
            fail_msg("'%s' counts", describe[i]);
    uint64_t seen[sizeof decide / sizeof *decide];
    for (size_t i = 0; i < sizeof decide / sizeof *decide; i++) {
        seen[i] = hash_with(decide[i], ENTRY);
        for (size_t j = 0; j < i; j++)
            if (seen[i] == plain || seen[i] == seen[j])
                fail_msg("'%s' has the hash of '%s'", decide[i], seen[i] == plain ? "" : decide[j]);
    }
    /* Spaces, a continued line, the order of the facts; not the order of two tunables. */
    assert_true(hash_with("// shared:   BLOCK+1\n", ENTRY) == seen[1]);
    assert_true(hash_with("// shared: BLOCK\n//     + 1\n", ENTRY) == seen[1]);
    assert_true(hash_with("// shared: BLOCK\n// unroll: 2\n", ENTRY) ==
                hash_with("// unroll: 2\n// shared: BLOCK\n", ENTRY));
    assert_true(hash_with("// tunable: A 1\n// tunable: B 1\n", ENTRY) !=
                hash_with("// tunable: B 1\n// tunable: A 1\n", ENTRY));
    assert_true(hash_with("", "/* text */\n" ENTRY "// more\n") == plain);
    assert_true(hash_with("", ENTRY "int more;\n") != plain);
}

/* The names of a book's functions, and nothing else that stands in parentheses. */
static void a_source_names_the_kernel(void **state)
{
    (void)state;
    static const struct {
        const char *source, *names;
    } cases[] = {
        {"Professional CUDA C Programming, ch. 3 (reduceNeighbored)", "reduceNeighbored "},
        {"ch. 3 (reduceUnrolling2, 4, 8)", "reduceUnrolling2 reduceUnrolling4 reduceUnrolling8 "},
        {"ch. 3 (reduceSmem, reduceGmem), ch. 5 (mathKernel1)",
         "reduceSmem reduceGmem mathKernel1 "},
        {"guide (grid synchronization)", ""},
        {"ch. 3 (exercise 8)", ""},
        {"a study (its third neighbored kernel), (8)", ""},
        {"redsweep", ""},
        {"torn (", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char **names = NULL;
        int count = 0;
        struct text joined = {0};
        source_names(cases[i].source, &names, &count);
        for (int k = 0; k < count; k++) {
            text_append(&joined, "%s ", names[k]);
            free(names[k]);
        }
        assert_string_equal(text_shown(&joined), cases[i].names);
        text_free(&joined);
        free(names);
    }
}

/* The default of a tunable is its first value or the one that `default` names; a run's hash of the
 * source is the same with and without that line. */
static void defaults_of_tunables(void **state)
{
    (void)state;
    struct kernel *with, *without;
    struct error e = {0};
    static const char facts[] = NEEDED "// tunable: LOADS 1 2 4\n// tunable: WAYS 8 7\n";
    char code[4096];
    snprintf(code, sizeof code, "%s" ENTRY, facts);
    if (!kernel_parse("some/demo.cu", code, strlen(code), &without, &e))
        fail_msg("%s", e.text);
    assert_true(without->tunables[0].otherwise == 1 && without->tunables[1].otherwise == 8);
    snprintf(code, sizeof code, "%s// default: LOADS 4\n" ENTRY, facts);
    if (!kernel_parse("some/demo.cu", code, strlen(code), &with, &e))
        fail_msg("%s", e.text);
    assert_true(with->tunables[0].otherwise == 4 && with->tunables[1].otherwise == 8);
    assert_true(with->code_hash == without->code_hash);
    kernel_free(with);
    kernel_free(without);
    refused_line("// default: LOADS 4\n// tunable: LOADS 4", "some/demo.cu:9: default",
                 "no tunable LOADS");
    refused_line("// tunable: LOADS 4\n// default: LOADS 2", "some/demo.cu:10: default",
                 "2 is not a value");
    refused_line("// tunable: LOADS 4\n// default: LOADS", "some/demo.cu:10: default",
                 "expected pairs");
    refused_line("// tunable: LOADS 4\n// default: LOADS x", "some/demo.cu:10: default",
                 "is not an integer");
}

static void tunables_are_checked(void **state)
{
    (void)state;
    refused_line("// tunable: loads 1 2", "some/demo.cu:9: tunable: loads 1 2: ", "upper-case");
    refused_line("// tunable: 8 9", "some/demo.cu:9: tunable: 8 9: ", "upper-case");
    refused_line("// tunable: LOADS", "some/demo.cu:9: tunable: LOADS: the list is empty", "");
    refused_line("// tunable: LOADS 1 x", "some/demo.cu:9: tunable", "\"x\" is not an integer");
    refused_line("// tunable: LOADS 1 1", "some/demo.cu:9: tunable", "duplicate entry 1");
    refused_line("// tunable: LOADS -1", "some/demo.cu:9: tunable", "[0, 2147483647]");
    refused_line("// tunable: LOADS 2147483648", "some/demo.cu:9: tunable", "out of range");
    refused_line("// tunable: LOADS 1\n// tunable: LOADS 2", "some/demo.cu:10: tunable",
                 "duplicate tunable LOADS");
    static const char *const taken[] = {
        "N", "SIZEOF", "SMS", "COVERS", "GRID", "OP_SUM", "TYPE_X", "INDEX_BITS", "IDENTITY",
/* every column of results.csv */
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value) #name,
#define AXIS_COLUMNS(first, end)
#define COLUMN(name, kind, range, audience, rank, unit, meaning, value) #name,
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#include "base/axes.def"
#include "record/columns.def"
#include "spec/kernel.h"
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        char line[64];
        snprintf(line, sizeof line, "// tunable: %s 1 2", taken[i]);
        for (char *p = line + strlen("// tunable: "); *p; p++)
            *p = (char)toupper((unsigned char)*p);
        if (strcmp(taken[i], "shape") != 0) /* older kernels have that tunable */
            refused_line(line, "some/demo.cu:9: tunable", "already used by redsweep");
    }
    kernel_free(parse(NEEDED "// tunable: SHAPE 1 2\n" ENTRY));
    refused_line("// tunable: A 1\n// tunable: B 1\n// tunable: C 1\n// tunable: D 1\n"
                 "// tunable: E 1\n// tunable: F 1\n// tunable: G 1\n// tunable: H 1\n"
                 "// tunable: I 1",
                 "some/demo.cu:17: tunable: I 1: more than 8", "");
}

static void expressions_are_checked(void **state)
{
    (void)state;
    refused_value("covers", "BLOCK * LOADS", "unknown name LOADS");
    refused_value("covers", "COVERS", "unknown name COVERS");
    refused_line("// grid: GRID", "some/demo.cu:9: grid: GRID: unknown name GRID", "COVERS");
    refused_line("// shared: GRID", "some/demo.cu:9: shared: GRID: unknown name GRID", "COVERS");
    refused_line("// requires: LODS = 2\n// tunable: LOADS 2", "some/demo.cu:9: requires",
                 "SMS, COVERS, LOADS");
    refused_line("// launch: cluster(X)", "some/demo.cu:9: launch: cluster(X): unknown name X", "");
    refused_line("// depth: 1 +", "some/demo.cu:9: depth: ", "1 +");
    refused_line("// requires: 1\n// requires: 1\n// requires: 1\n// requires: 1\n"
                 "// requires: 1\n// requires: 1\n// requires: 1\n// requires: 1\n// requires: 1",
                 "some/demo.cu:17: requires: 1: more than 8", "and");
    refused_line("// cost: TILES", "some/demo.cu:9: cost: TILES: unknown name TILES", "GRID");
    refused_line("// overlap: TILES", "some/demo.cu:9: overlap: TILES: unknown name TILES", "GRID");
    refused_line("// where: TILES WORK\n// where: WORK GRID", "some/demo.cu:9: where",
                 "unknown name WORK");
    refused_line("// where: GRID 2", "some/demo.cu:9: where: GRID 2: the name GRID means",
                 "already");
    refused_line("// where: tiles GRID", "some/demo.cu:9: where: tiles GRID: expected a name in",
                 "");
    refused_line("// where: TILES", "some/demo.cu:9: where: TILES: expected a name in", "");
    refused_line("// where: A GRID\n// where: A 2", "some/demo.cu:10: where: A 2: the name A", "");
    refused_line("// where: TILES GRID\n// depth: TILES", "some/demo.cu:10: depth: TILES",
                 "unknown");
    /* a tunable may be declared below the expression that uses it */
    struct kernel *k = parse(NEEDED "// depth: LOADS + GRID\n// tunable: LOADS 1 2\n" ENTRY);
    kernel_free(k);
}

static void entry_must_be_there(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "__global__ void demo(int *x) {}\n",
        "extern \"C\" void demo(int *x) {}\n",
        "extern \"C\" __global__ void demo2(int *x) {}\n",
        "extern \"C\" __global__ void my_demo(int *x) {}\n",
        "extern \"C\" __global__ void other(int *x) { demo(x); }\n",
        "extern \"C\" __global__ void demo\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char code[1024];
        snprintf(code, sizeof code, NEEDED "%s", wrong[i]);
        refused(code, "some/demo.cu: the code has no function with the kernel's name",
                "extern \"C\" __global__ void demo(");
    }
    struct kernel *k = parse(NEEDED "extern \"C\" __global__ void other(int *x) {}\n" ENTRY);
    kernel_free(k);
}

static void the_manual_knows_every_key(void **state)
{
    (void)state;
    struct error e = {0};
    struct text manual = {0};
    char piece[4096];
    size_t got;
    FILE *f = fopen("docs/kernels.md", "r");
    assert_non_null(f);
    while ((got = fread(piece, 1, sizeof piece, f)) > 0)
        text_append_bytes(&manual, piece, got);
    fclose(f);
    int keys = 0;
    for (const char *key; (key = kernel_fact_key(keys)) != NULL; keys++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s:` |", key);
        if (!strstr(manual.bytes, row))
            fail_msg("docs/kernels.md does not explain the fact \"%s\"", key);
    }
    int rows = 0;
    for (const char *p = manual.bytes; (p = strstr(p, ":` |")) != NULL; p++)
        rows++;
    assert_int_equal(rows, keys); /* and no key that does not exist */
    /* its example is a kernel */
    char *begin = strstr(manual.bytes, "```cuda\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    assert_non_null(end);
    begin += strlen("```cuda\n");
    struct kernel *k;
    if (!kernel_parse("kernels/pair_up.cu", begin, (size_t)(end - begin), &k, &e))
        fail_msg("%s", e.text);
    kernel_free(k);
    text_free(&manual);
}

/* Whatever a file holds: it is read or refused with a message, and nothing is touched out of turn
 * (which the builds with sanitizers would show). */
static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    const char *whole =
        NEEDED "// unroll: 2 4\n// tunable: LOADS 1 2\n// grid: ceil_div(N, COVERS)\n"
               "// requires: LOADS < 2 or BLOCK = 64\n// launch: cluster(2)\n" ENTRY;
    static const char pieces[] = "// :\n\t(){}\"\\*\xe2\x82\xff 09AZaz_-";
    size_t length = strlen(whole);
    uint64_t random = 1;
    int right = 0, wrong = 0;
    for (int round = 0; round < 20000; round++) {
        char *code = malloc(length); /* exactly: nothing may be read past its end */
        assert_non_null(code);
        memcpy(code, whole, length);
        size_t kept = length;
        for (int change = 0; change <= round % 3; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            code[(random >> 33) % length] = pieces[(random >> 20) % (sizeof pieces - 1)];
        }
        if (round % 4 == 0)
            kept = (random >> 40) % length;
        struct kernel *k;
        struct error e = {0};
        if (kernel_parse("some/demo.cu", code, kept, &k, &e)) {
            right++;
            kernel_free(k);
        } else {
            wrong++;
            assert_int_equal(e.kind, ERROR_CONFIG);
            assert_memory_equal(e.text, "some/demo.cu", 12);
        }
        free(code);
    }
    assert_true(right > 100 && wrong > 10000);
}

static void files_and_backends_agree(void **state)
{
    (void)state;
    static const char facts[] = "// kernel: host\n// idea: none\n// source: a test\n"
                                "// result: complete\n// input: untouched\n// covers: N\n"
                                "// blocks: 1\n// uniform: no\n";
    static const struct {
        const char *path, *backend, *code, *complaint;
    } cases[] = {
        {"a/host.c", "// backend: cpu\n", "void host(element *input)\n{\n}\n", NULL},
        {"a/host.c", "", "void host(element *input)\n{\n}\n", "ends in .c"},
        {"a/host.cu", "// backend: cpu\n", "void host(element *input)\n{\n}\n", "ends in .c"},
        {"a/host.c", "// backend: cpu\n", "void hosts(element *input)\n{\n}\n", "void host("},
        {"a/host.c", "// backend: cpu\n", "void ahost(element *input)\n{\n}\n", "void host("},
        {"a/host.c", "// backend: tpu\n", "void host(element *input)\n{\n}\n", "expected gpu, cpu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char code[1024];
        int length = snprintf(code, sizeof code, "%s%s%s", facts, cases[i].backend, cases[i].code);
        struct kernel *k;
        struct error e = {0};
        bool ok = kernel_parse(cases[i].path, code, (size_t)length, &k, &e);
        assert_int_equal(ok, cases[i].complaint == NULL);
        if (!ok && !strstr(e.text, cases[i].complaint))
            fail_msg("\"%s\" is not in: %s", cases[i].complaint, e.text);
        if (ok)
            assert_int_equal(k->backend, BACKEND_CPU);
        kernel_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needed_facts_and_defaults),
        cmocka_unit_test(all_is_every_type_and_operation_that_go_together),
        cmocka_unit_test(every_fact_is_read),
        cmocka_unit_test(a_kernel_may_stay_as_written),
        cmocka_unit_test(a_role_follows_from_the_workload_or_is_stated),
        cmocka_unit_test(other_launches_and_forms),
        cmocka_unit_test(malformed_lines_are_refused),
        cmocka_unit_test(text_must_be_text),
        cmocka_unit_test(missing_and_double_facts_are_refused),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(facts_that_decide_count_in_the_hash),
        cmocka_unit_test(a_source_names_the_kernel),
        cmocka_unit_test(defaults_of_tunables),
        cmocka_unit_test(tunables_are_checked),
        cmocka_unit_test(expressions_are_checked),
        cmocka_unit_test(entry_must_be_there),
        cmocka_unit_test(the_manual_knows_every_key),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(files_and_backends_agree),
    };
    return cmocka_run_group_tests_name("kernel facts", tests, NULL, NULL);
}
