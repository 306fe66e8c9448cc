/*
 * Checks the effect of each key of a kernel's facts. The manual must describe every key. The
 * message about each wrong fact is in tests/texts/facts.txt.
 */
#include "../texts/expected.h"
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

/* Parses this text, which must be valid, as the file demo.cu. */
static struct kernel *parse(const char *code)
{
    struct kernel *k;
    struct error e = {0};
    if (!kernel_parse("some/demo.cu", code, strlen(code), &k, &e))
        fail_msg("%s", e.text);
    return k;
}

/* Parses a text that must be refused with the message under this name in the .txt file. */
static void refused(const char *code, size_t length, const char *name)
{
    struct kernel *k;
    struct error e = {0};
    assert_false(kernel_parse("some/demo.cu", code, length, &k, &e));
    assert_null(k);
    assert_int_equal(e.kind, ERROR_CONFIG);
    texts_expect(name, e.text);
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
    assert_false(k->complete || k->in_place || k->varies || k->invariant || k->exact ||
                 k->device_runtime || k->block_constant || k->counts_vary);
    assert_true(k->uniform);
    assert_null(k->racy);
    assert_string_equal(k->role, "reduction");
    assert_string_equal(expr_source(k->covers), "BLOCK");
    assert_true(!k->grid[0] && !k->threads[0] && k->backend == BACKEND_GPU && !k->shared &&
                !k->workspace && !k->depth && !k->cluster);
    assert_int_equal(k->requires_count + k->tunable_count + k->unrolls.count, 0);
    assert_int_equal(k->block_rule, BLOCKS_POWER_OF_TWO);
    for (int i = 0; i < TYPE_COUNT; i++)
        /* By default, a kernel supports the operations that need no accumulator type of their
         * own. */
        for (int j = 0; j < OP_COUNT; j++)
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
        "// uniform:   no\n// invariant: yes\n// exact:     yes\n// counts:    "
        "vary\n// racy:      "
        "for "
        "study\n\n" ENTRY);
    assert_string_equal(k->idea, "one sentence, on two lines");
    assert_string_equal(k->source, "http://example.org: chapter 3");
    assert_true(k->complete && k->in_place && k->device_runtime && k->block_constant);
    assert_true(k->counts_vary && k->invariant && k->exact);
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

/* This kernel keeps its author's function name, parameters and preconditions. */
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

static void text_must_be_text(void **state)
{
    (void)state;
    struct kernel *k = parse(NEEDED "// racy: für € 𝄞\n" ENTRY);
    assert_string_equal(k->racy, "für € 𝄞");
    kernel_free(k);
    char *large = malloc(KERNEL_MAX_BYTES + 1);
    assert_non_null(large);
    memset(large, ' ', KERNEL_MAX_BYTES + 1);
    refused(large, KERNEL_MAX_BYTES + 1, "a file that is too long");
    memcpy(large, NEEDED ENTRY, strlen(NEEDED ENTRY));
    struct error e = {0};
    assert_true(kernel_parse("some/demo.cu", large, KERNEL_MAX_BYTES, &k, &e));
    kernel_free(k);
    free(large);
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

/* The hash covers what a fact means. It does not depend on how a fact is spelled, or on facts
 * that are just information for readers. */
static void facts_that_decide_count_in_the_hash(void **state)
{
    (void)state;
    static const char *const describe[] = {"// varies: yes\n",
                                           "// invariant: yes\n",
                                           "// exact: yes\n",
                                           "// counts: vary\n",
                                           "// racy: two threads\n",
                                           "// role: peer\n",
                                           "// launch: plain\n", /* the fact states the default */
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
    /* Spaces, continued lines and the order of the facts do not change the hash. The order of
     * two tunables does. */
    assert_true(hash_with("// shared:   BLOCK+1\n", ENTRY) == seen[1]);
    assert_true(hash_with("// shared: BLOCK\n//     + 1\n", ENTRY) == seen[1]);
    assert_true(hash_with("// shared: BLOCK\n// unroll: 2\n", ENTRY) ==
                hash_with("// unroll: 2\n// shared: BLOCK\n", ENTRY));
    assert_true(hash_with("// tunable: A 1\n// tunable: B 1\n", ENTRY) !=
                hash_with("// tunable: B 1\n// tunable: A 1\n", ENTRY));
    assert_true(hash_with("", "/* text */\n" ENTRY "// more\n") == plain);
    assert_true(hash_with("", ENTRY "int more;\n") != plain);
}

/* The fact `source` may name a book's functions in parentheses. These names are found, and no
 * other text in parentheses is taken for a name. */
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

/* A tunable's default is its first value, or the one that `default` names. The source hash,
 * which a run records, is the same with and without the line `default`. */
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
}

/* Checks the part of the message after the name, which is the same for all names. */
static void refused_for_its_name(const char *code, const char *name)
{
    char word[80];
    struct kernel *k;
    struct error e = {0};
    snprintf(word, sizeof word, " %s ", name);
    assert_false(kernel_parse("some/demo.cu", code, strlen(code), &k, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    const char *behind = NULL;
    for (const char *at = e.text; (at = strstr(at, word)) != NULL; at = behind)
        behind = at + strlen(word);
    assert_non_null(behind);
    texts_expect("behind a name that is taken", behind);
}

/* Tunables cannot be named like columns of results.csv. */
static void names_of_columns_are_taken(void **state)
{
    (void)state;
    static const char *const taken[] = {
        "N", "SIZEOF", "SMS", "COVERS", "GRID", "OP_SUM", "TYPE_X", "INDEX_BITS", "IDENTITY",
/* The list continues with every column of results.csv. */
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
        char code[2048], name[64];
        snprintf(name, sizeof name, "%s", taken[i]);
        for (char *p = name; *p; p++)
            *p = (char)toupper((unsigned char)*p);
        snprintf(code, sizeof code, NEEDED "// tunable: %s 1 2\n" ENTRY, name);
        if (strcmp(taken[i], "shape") != 0) /* older kernels have a tunable with that name */
            refused_for_its_name(code, name);
    }
    kernel_free(parse(NEEDED "// tunable: SHAPE 1 2\n" ENTRY));
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
    assert_int_equal(rows, keys); /* No row describes a key that does not exist. */
    /* The manual's example is a valid kernel. */
    char *begin = strstr(manual.bytes, "```cuda\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    assert_non_null(end);
    begin += strlen("```cuda\n");
    struct kernel *k;
    if (!kernel_parse("kernels/pair_up.cu", begin, (size_t)(end - begin), &k, &e))
        fail_msg("%s", e.text);
    kernel_free(k);
    text_free(&manual);
}

/* Any file is accepted or refused with a message. Sanitizer builds check that the parser stays
 * within valid memory. */
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
        /* Allocates exactly this length, so that a sanitizer notices a read past the end. */
        char *code = malloc(length);
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
        const char *name, *path, *backend, *code;
    } cases[] = {
        {NULL, "a/host.c", "// backend: cpu\n", "void host(element *input)\n{\n}\n"},
        {"a .c file without a backend", "a/host.c", "", "void host(element *input)\n{\n}\n"},
        {"a .cu file for the CPU", "a/host.cu", "// backend: cpu\n",
         "void host(element *input)\n{\n}\n"},
        {"a longer name of the function", "a/host.c", "// backend: cpu\n",
         "void hosts(element *input)\n{\n}\n"},
        {"a name of the function with a letter before it", "a/host.c", "// backend: cpu\n",
         "void ahost(element *input)\n{\n}\n"},
        {"an unknown backend", "a/host.c", "// backend: tpu\n",
         "void host(element *input)\n{\n}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char code[1024];
        int length = snprintf(code, sizeof code, "%s%s%s", facts, cases[i].backend, cases[i].code);
        struct kernel *k;
        struct error e = {0};
        bool ok = kernel_parse(cases[i].path, code, (size_t)length, &k, &e);
        assert_int_equal(ok, cases[i].name == NULL);
        if (!ok)
            texts_expect(cases[i].name, e.text);
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
        cmocka_unit_test(text_must_be_text),
        cmocka_unit_test(facts_that_decide_count_in_the_hash),
        cmocka_unit_test(a_source_names_the_kernel),
        cmocka_unit_test(defaults_of_tunables),
        cmocka_unit_test(names_of_columns_are_taken),
        cmocka_unit_test(the_manual_knows_every_key),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(files_and_backends_agree),
    };
    return cmocka_run_group_tests_name("kernel facts", tests, NULL, NULL);
}
